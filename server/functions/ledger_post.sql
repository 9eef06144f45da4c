-- Posts money movements: the only writer of the ledger's tables.
--
-- Takes the lines of any number of entries, in order; the lines of one entry share its number (`entry`) and its key.
-- Returns one outcome per entry:
--   posted        the lines are in the ledger and the balances have moved
--   replayed      the key was posted before by the same request; nothing moved
--   mismatch      the key was posted before by another request; nothing moved
--   insufficient  the entry's first line would take more than there is; nothing of the entry moved
-- A shortage on a later line raises an exception: a movement must put the line that can run short first.
--
-- `agent` as debit or credit is not an account but a rule, resolved here under the row lock: a credit repays the agent's
-- debt before it reaches the wallet, and a debit empties the wallet before it becomes debt. No line can credit a wallet
-- in any other way.
--
-- Locks, in this order and sorted by id within each: ledger_agents, ledger_workers, ledger_transits.
create or replace function ledger_post(p_now timestamptz, p_lines ledger_line[])
returns table (entry integer, outcome posting_outcome, balance_cents bigint)
language plpgsql security definer
set search_path = public, pg_temp
-- Planned once, and by index: planning each batch again cost more than the batch, and a plan made while the tables were
-- empty would scan them forever. So no statement here leaves the planner a choice: tables are read only by `= any(…)` on
-- their key, or from inside a lateral with a limit.
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  -- The lines, one array per field.
  l_entry integer[]; l_key text[]; l_mode agent_mode[]; l_kind text[]; l_debit text[]; l_credit text[];
  l_amount bigint[]; l_agent text[]; l_worker text[]; l_task text[]; l_ref text[];
  -- Balances of agents, workers and transits, as they are and as they become.
  a_id text[]; a_mode agent_mode[]; a_wallet bigint[]; a_owed bigint[]; a_no bigint[]; a_no_was bigint[];
  w_id text[]; w_mode agent_mode[]; w_payable bigint[]; w_owed bigint[]; w_no bigint[];
  t_id text[]; t_mode agent_mode[]; t_cents bigint[];
  -- For each line: whose balances it moves (indexes into the arrays above), the size of its first part (the whole, unless
  -- `agent` is split into debt and wallet), and the balances after it.
  l_a integer[]; l_w integer[]; l_t integer[]; l_first bigint[];
  l_agent_after bigint[]; l_worker_after bigint[]; l_agent_no bigint[]; l_worker_no bigint[];
  l_hash bigint[]; known_key text[]; known_hash bigint[];
  -- For each entry.
  e_hash bigint[]; e_outcome posting_outcome[]; e_balance bigint[];
  e integer := 0; starts boolean; a integer; w integer; t integer; cents bigint; first bigint;
begin
  if cardinality(p_lines) = 0 then return; end if;
  -- unnest keeps the order, and array_agg the order of its input.
  select array_agg(l.entry), array_agg(l.key), array_agg(l.mode), array_agg(l.kind), array_agg(l.debit),
         array_agg(l.credit), array_agg(l.amount_cents), array_agg(l.agent_id), array_agg(l.worker_id),
         array_agg(l.task_id), array_agg(l.ref_id)
    into l_entry, l_key, l_mode, l_kind, l_debit, l_credit, l_amount, l_agent, l_worker, l_task, l_ref
    from unnest(p_lines) l;
  l_first := l_amount;
  l_agent_after := array_fill(null::bigint, array[cardinality(l_entry)]);
  l_worker_after := l_agent_after; l_agent_no := l_agent_after; l_worker_no := l_agent_after;
  e := (select max(u.entry) from unnest(l_entry) u(entry));
  e_hash := array_fill(0::bigint, array[e]);
  e_outcome := array_fill('posted'::posting_outcome, array[e]);
  e_balance := array_fill(null::bigint, array[e]);

  -- These accounts are on the agent's statement.
  select array_agg(b.agent_id), array_agg(b.mode), array_agg(b.wallet_cents), array_agg(b.receivable_cents),
         array_agg(b.statement_no)
    into a_id, a_mode, a_wallet, a_owed, a_no
    from (select * from ledger_agents l
           where l.agent_id = any(array(
                   select u.agent from unnest(l_agent, l_debit, l_credit) u(agent, debit, credit)
                    where u.debit in ('agent', 'liab:agent_wallet', 'exp:promo')
                       or u.credit in ('agent', 'exp:promo', 'asset:agent_receivable')))
           order by l.agent_id for no key update) b;
  a_no_was := a_no;

  if l_debit && array['liab:worker_payable', 'asset:worker_receivable']
     or l_credit && array['liab:worker_payable', 'asset:worker_receivable'] then
    select array_agg(b.worker_id), array_agg(b.mode), array_agg(b.payable_cents), array_agg(b.receivable_cents),
           array_agg(b.statement_no)
      into w_id, w_mode, w_payable, w_owed, w_no
      from (select * from ledger_workers l where l.worker_id = any(l_worker)
             order by l.worker_id for no key update) b;
  end if;

  if l_debit && array['liab:payout_in_transit', 'liab:refund_in_transit']
     or l_credit && array['liab:payout_in_transit', 'liab:refund_in_transit'] then
    -- A zero row first: an upsert also checks the constraint on the row that it proposes.
    insert into ledger_transits (ref_id, mode)
      select distinct on (l_ref[i]) l_ref[i], l_mode[i] from generate_subscripts(l_entry, 1) i
       where l_credit[i] in ('liab:payout_in_transit', 'liab:refund_in_transit') order by l_ref[i]
      on conflict do nothing;
    select array_agg(b.ref_id), array_agg(b.mode), array_agg(b.in_transit_cents)
      into t_id, t_mode, t_cents
      from (select * from ledger_transits l where l.ref_id = any(l_ref) order by l.ref_id for no key update) b;
  end if;

  select array_agg(f.key), array_agg(f.request_hash) into known_key, known_hash
    from transfers f where f.key = any(l_key) and f.line = 1;

  select array_agg(case when u.debit in ('agent', 'liab:agent_wallet', 'exp:promo')
                          or u.credit in ('agent', 'exp:promo', 'asset:agent_receivable')
                        then array_position(a_id, u.agent) end),
         array_agg(case when u.debit in ('liab:worker_payable', 'asset:worker_receivable')
                          or u.credit in ('liab:worker_payable', 'asset:worker_receivable')
                        then array_position(w_id, u.worker) end),
         array_agg(case when u.debit in ('liab:payout_in_transit', 'liab:refund_in_transit')
                          or u.credit in ('liab:payout_in_transit', 'liab:refund_in_transit')
                        then array_position(t_id, u.ref) end),
         array_agg(hashtextextended(concat_ws('|', u.mode, u.kind, u.debit, u.credit, u.cents, u.agent, u.worker,
                                              u.task, u.ref), 0))
    into l_a, l_w, l_t, l_hash
    from unnest(l_mode, l_kind, l_debit, l_credit, l_amount, l_agent, l_worker, l_task, l_ref)
         u(mode, kind, debit, credit, cents, agent, worker, task, ref);

  e := 0;
  for i in 1 .. cardinality(l_entry) loop
    starts := l_entry[i] <> e;
    if starts then
      e := l_entry[i];
      if l_key[i] = any(known_key) then e_outcome[e] := 'replayed'; end if;
    end if;
    -- The hash covers the request only, so a retry has the same hash whatever the balances are now.
    e_hash[e] := hashint8extended(l_hash[i], e_hash[e]);
    continue when e_outcome[e] <> 'posted';
    cents := l_amount[i];
    a := l_a[i]; w := l_w[i]; t := l_t[i];

    if a_mode[a] <> l_mode[i] or w_mode[w] <> l_mode[i] or t_mode[t] <> l_mode[i] then
      raise exception 'ledger: % crosses books', l_key[i];
    end if;
    if a is null and (l_debit[i] in ('agent', 'liab:agent_wallet', 'exp:promo')
                      or l_credit[i] in ('agent', 'exp:promo', 'asset:agent_receivable'))
       or w is null and (l_debit[i] in ('liab:worker_payable', 'asset:worker_receivable')
                         or l_credit[i] in ('liab:worker_payable', 'asset:worker_receivable'))
       or t is null and l_debit[i] in ('liab:payout_in_transit', 'liab:refund_in_transit')
       or l_task[i] is null and 'liab:escrow' in (l_debit[i], l_credit[i]) then
      raise exception 'ledger: % names an unknown owner', l_key[i];
    end if;

    -- The debit fails if the account holds less.
    case l_debit[i]
      when 'liab:agent_wallet' then
        if a_wallet[a] >= cents then a_wallet[a] := a_wallet[a] - cents;
        else e_outcome[e] := 'insufficient'; end if;
      when 'liab:worker_payable' then
        if w_payable[w] >= cents then w_payable[w] := w_payable[w] - cents;
        else e_outcome[e] := 'insufficient'; end if;
      when 'liab:payout_in_transit', 'liab:refund_in_transit' then
        if t_cents[t] >= cents then t_cents[t] := t_cents[t] - cents;
        else e_outcome[e] := 'insufficient'; end if;
      when 'agent' then
        first := least(a_wallet[a], cents);
        a_wallet[a] := a_wallet[a] - first;
        a_owed[a] := a_owed[a] + cents - first;
        l_first[i] := first;
      when 'asset:worker_receivable' then w_owed[w] := w_owed[w] + cents;
      when 'asset:agent_receivable' then
        raise exception 'ledger: % charges an agent directly; use `agent`', l_key[i];
      else null;
    end case;
    if e_outcome[e] = 'insufficient' then
      if not starts then raise exception 'ledger: % runs short on a later line', l_key[i]; end if;
      e_balance[e] := a_wallet[a] - a_owed[a];
      continue;
    end if;

    case l_credit[i]
      when 'liab:escrow' then null;
      when 'agent' then
        first := least(a_owed[a], cents);
        a_owed[a] := a_owed[a] - first;
        a_wallet[a] := a_wallet[a] + cents - first;
        l_first[i] := first;
      when 'liab:worker_payable' then w_payable[w] := w_payable[w] + cents;
      when 'liab:payout_in_transit', 'liab:refund_in_transit' then t_cents[t] := t_cents[t] + cents;
      when 'asset:agent_receivable' then a_owed[a] := a_owed[a] - cents;
      when 'asset:worker_receivable' then w_owed[w] := w_owed[w] - cents;
      when 'liab:agent_wallet' then
        raise exception 'ledger: % credits an agent directly; use `agent`', l_key[i];
      else null;
    end case;

    if a is not null then
      e_balance[e] := a_wallet[a] - a_owed[a];
      l_agent_after[i] := e_balance[e];
      a_no[a] := a_no[a] + case when l_first[i] in (0, cents) then 1 else 2 end;
      l_agent_no[i] := a_no[a];
    end if;
    if w is not null then
      l_worker_after[i] := w_payable[w];
      w_no[w] := w_no[w] + 1;
      l_worker_no[i] := w_no[w];
    end if;
  end loop;

  if known_key is not null then
    for i in 1 .. cardinality(l_key) loop
      if known_hash[array_position(known_key, l_key[i])] <> e_hash[l_entry[i]] then
        e_outcome[l_entry[i]] := 'mismatch';
      end if;
    end loop;
  end if;

  if a_no is distinct from a_no_was then
    update ledger_agents b
       set wallet_cents = n.wallet, receivable_cents = n.owed, statement_no = n.no,
           owes_since = case when n.owed > 0 then coalesce(b.owes_since, p_now) end
      from unnest(a_id, a_wallet, a_owed, a_no, a_no_was) n(id, wallet, owed, no, was)
     where b.agent_id = any(a_id) and b.agent_id = n.id and n.no <> n.was;
  end if;
  if w_id is not null then
    update ledger_workers b
       set payable_cents = n.payable, receivable_cents = n.owed, statement_no = n.no
      from unnest(w_id, w_payable, w_owed, w_no) n(id, payable, owed, no)
     where b.worker_id = any(w_id) and b.worker_id = n.id;
  end if;
  if t_id is not null then
    update ledger_transits b set in_transit_cents = n.in_transit
      from unnest(t_id, t_cents) n(id, in_transit)
     where b.ref_id = any(t_id) and b.ref_id = n.id;
  end if;

  -- A line is one row, or two if `agent` was split; the second row has the odd sibling of the line's even id
  -- (kit/ids.ts). An amount of zero violates a constraint here.
  insert into transfers (key, line, id, mode, kind, debit, credit, amount_cents, shard, agent_id, worker_id, task_id,
                         ref_id, agent_statement_no, agent_balance_cents, worker_statement_no, worker_balance_cents,
                         request_hash, created_at)
    select u.key, row_number() over (partition by u.entry order by u.i, part.no),
           case when part.no = 1 or u.first = 0 then u.id else left(u.id, -1) ||
             translate(right(u.id, 1), '02468acegjmprtwy', '13579bdfhknqsvxz') end,
           u.mode, u.kind,
           case when u.debit <> 'agent' then u.debit
                when part.no = 1 then 'liab:agent_wallet' else 'asset:agent_receivable' end,
           case when u.credit <> 'agent' then u.credit
                when part.no = 1 then 'asset:agent_receivable' else 'liab:agent_wallet' end,
           part.cents, u.shard, u.agent, u.worker, u.task, u.ref,
           case when part.no = 1 and u.first < u.cents then u.agent_no - 1 else u.agent_no end,
           case when part.no = 1 and u.debit = 'agent' then u.agent_after + (u.cents - u.first)
                when part.no = 1 and u.credit = 'agent' then u.agent_after - (u.cents - u.first)
                else u.agent_after end,
           u.worker_no, u.worker_after, e_hash[u.entry], p_now
      from (select l.entry, l.key, l.mode, l.kind, l.shard, l.id, l.debit, l.credit, l.amount_cents as cents,
                   l.agent_id as agent, l.worker_id as worker, l.task_id as task, l.ref_id as ref, l_first[l.i] as first,
                   l_agent_after[l.i] as agent_after, l_worker_after[l.i] as worker_after, l_agent_no[l.i] as agent_no,
                   l_worker_no[l.i] as worker_no, l.i
              from unnest(p_lines) with ordinality
                   l(item, entry, key, mode, kind, shard, id, debit, credit, amount_cents, agent_id, worker_id, task_id,
                     ref_id, i)) u
     cross join lateral (values (1, u.first), (2, u.cents - u.first)) part(no, cents)
     where e_outcome[u.entry] = 'posted' and part.cents <> 0;

  -- Escrow has no stored balance: a task holds the sum of its few lines.
  if 'liab:escrow' = any(l_debit) then
    perform 1 from unnest(l_task, l_debit) r(task, debit)
      where r.debit = 'liab:escrow'
        and (select sum(case f.credit when 'liab:escrow' then f.amount_cents else -f.amount_cents end)
               from transfers f
              where f.key >= 'task:' || r.task || ':' and f.key < 'task:' || r.task || ';'
                and (f.credit = 'liab:escrow' or f.debit = 'liab:escrow')) < 0;
    if found then raise exception 'ledger: more leaves an escrow than it holds'; end if;
  end if;

  return query select i, e_outcome[i], e_balance[i] from generate_subscripts(e_outcome, 1) i where i = any(l_entry);
end
$$;

revoke execute on function ledger_post(timestamptz, ledger_line[]) from public;
grant execute on function ledger_post(timestamptz, ledger_line[]) to legwork_app;
