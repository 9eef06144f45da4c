-- Creates N tasks at once and answers one outcome for each: the hot path of the marketplace in one round trip.
--   created       the task exists, its budget is in escrow, its outbox row and stored answer are written
--   insufficient  neither a free task nor enough in the wallet; only the refusal is stored, under its key
--   key_cap       a cap of the key that asks, or of one above it, is reached; the refusal is stored under its key
--   restricted    the agent may not create tasks
--   replayed      the Idempotency-Key was used for this request before: its stored answer
--   mismatch      the Idempotency-Key was used for another request
-- Items of one agent are decided in their order, each on what the ones before it have left.
-- While the switch `free_tasks` is off, nothing is free: the wallet pays, or it is refused.
--
-- Locks: the wallets of the agents, in their order. All that moves an agent's money or free tasks holds that lock
-- first, so it also makes the look-up of the Idempotency-Key, the free-task counter, the wallet and the caps of keys
-- one decision. Then the limits of limited keys (agents_spend_by_key); an agent's own keys have none, and no lock.
-- Retried with the same ids after an unknown outcome, it creates nothing twice.
create or replace function create_tasks(
  p_now timestamptz, p_free_max_cents bigint,
  t_id text[], t_agent text[], t_shard smallint[], t_cents bigint[], t_txn text[], t_evt text[],
  k_hash text[], k_fingerprint text[],
  p_rows json
) returns table (item integer, outcome text, funding task_funding, balance_cents bigint, status smallint, answer text)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  a_id text[]; a_mode agent_mode[]; a_active boolean[]; a_free integer[]; a_free_was integer[]; a_wallet bigint[];
  i_outcome text[] := array_fill('created'::text, array[cardinality(t_id)]);
  i_funding task_funding[] := array_fill('wallet'::task_funding, array[cardinality(t_id)]);
  i_mode agent_mode[] := array_fill(null::agent_mode, array[cardinality(t_id)]);
  i_balance bigint[] := array_fill(null::bigint, array[cardinality(t_id)]);
  i_status smallint[] := array_fill(null::smallint, array[cardinality(t_id)]);
  i_answer text[] := array_fill(null::text, array[cardinality(t_id)]);
  i_exists boolean[] := array_fill(false, array[cardinality(t_id)]);
  -- Of limited keys alone: each with those above it, as one text.
  i_key text[]; i_at timestamptz[]; l_id text[]; l_path text[];
  i_path text[] := array_fill(null::text, array[cardinality(t_id)]);
  i_is_charged boolean[] := array_fill(false, array[cardinality(t_id)]);
  a integer; r record; is_keyed boolean := cardinality(array_remove(k_hash, null)) > 0;
  is_free_open boolean;
  this_week date := date_trunc('week', p_now at time zone 'UTC')::date;
begin
  select array_agg(b.agent_id), array_agg(b.mode), array_agg(b.free_tasks_remaining)
    into a_id, a_mode, a_free
    from (select l.agent_id, l.mode, l.free_tasks_remaining
            from ledger_agents l where l.agent_id = any(t_agent) order by l.agent_id for no key update) b;
  -- A statement of its own, after the lock was waited for: whoever held it may have restricted the agent.
  a_active := array(select (select g.status = 'active' from agents g where g.id = u.id)
                      from unnest(a_id) with ordinality u(id, n) order by u.n);
  a_free_was := a_free;

  select array_agg(j.key_id order by j.item), array_agg(j.created_at order by j.item) into i_key, i_at
    from json_to_recordset(p_rows) j(item integer, key_id text, created_at timestamptz);
  select array_agg(k.id), array_agg(array_to_string(k.ancestors || k.id, ' ')) into l_id, l_path
    from api_keys k where k.id = any(i_key) and k.agent_id = any(t_agent) and k.is_limited;
  if l_id is not null then
    a_wallet := array(select (select l.wallet_cents from ledger_agents l where l.agent_id = u.id)
                        from unnest(a_id) with ordinality u(id, n) order by u.n);
  end if;

  if is_keyed then
    for r in
      select u.item::integer as item, s.fingerprint, s.status, s.answer
        from unnest(t_agent, k_hash) with ordinality u(agent, hash, item)
       cross join lateral (
         select * from idempotency_keys k
          where k.principal = u.agent and k.key_hash = u.hash and k.week in (this_week, this_week - 7)
            and k.created_at > p_now - interval '7 days'
          order by k.week desc limit 1) s
    loop
      i_outcome[r.item] := case when r.fingerprint = k_fingerprint[r.item] then 'replayed' else 'mismatch' end;
      i_status[r.item] := r.status;
      i_answer[r.item] := r.answer;
    end loop;
  end if;

  for i in 1 .. cardinality(t_id) loop
    continue when i_outcome[i] <> 'created';
    a := array_position(a_id, t_agent[i]);
    if a is null then raise exception 'create_tasks: no agent %', t_agent[i]; end if;
    if not a_active[a] then i_outcome[i] := 'restricted'; continue; end if;
    i_mode[i] := a_mode[a];
    if a_free[a] > 0 and t_cents[i] <= p_free_max_cents then
      -- Looked up once a batch, and only where it decides something. Play money is nobody's.
      if is_free_open is null and a_mode[a] = 'live' then
        select s.is_on into strict is_free_open from platform_switches s where s.name = 'free_tasks';
      end if;
      if a_mode[a] = 'test' or is_free_open then
        a_free[a] := a_free[a] - 1;
        i_funding[i] := 'free';
      end if;
    end if;
    continue when l_id is null;

    i_path[i] := l_path[array_position(l_id, i_key[i])];
    -- A free task costs the agent nothing, and so no key. One that an attempt with a lost answer made is paid for.
    continue when i_funding[i] = 'free' or exists (
      select 1 from tasks t where t.id = t_id[i] and t.agent_id = t_agent[i]);
    -- For what the wallet can't pay, no cap is used up; that it can't, the ledger says below.
    if a_wallet[a] >= t_cents[i] then
      if i_path[i] is not null then
        i_answer[i] := agents_spend_by_key(string_to_array(i_path[i], ' '), i_at[i], t_cents[i]);
        if i_answer[i] is not null then
          i_outcome[i] := 'key_cap';
          i_balance[i] := a_wallet[a] - (select l.receivable_cents from ledger_agents l where l.agent_id = a_id[a]);
          i_answer[i] := i_answer[i] || format(',"balance_cents":%s', i_balance[i]);
          continue;
        end if;
        i_is_charged[i] := true;
      end if;
      a_wallet[a] := a_wallet[a] - t_cents[i];
    end if;
  end loop;

  for r in
    with entries as (
      select array_agg('task:' || u.task || ':lock') as keys, array_agg(u.mode) as modes,
             array_agg(case u.funding when 'free' then 'free_task_lock' else 'escrow_lock' end) as kinds,
             array_agg(u.shard) as shards, array_agg(u.n::integer) as lines, array_agg(u.txn) as txns,
             array_agg(case u.funding when 'free' then 'exp:promo' else 'liab:agent_wallet' end) as debits,
             array_agg('liab:escrow'::text) as credits, array_agg(u.cents) as cents, array_agg(u.agent) as agents,
             array_agg(u.task) as tasks, array_agg(null::text) as nobody, array_agg(u.item::integer) as items
        from (select v.*, row_number() over () as n
                from unnest(t_id, t_agent, t_shard, t_cents, t_txn, i_outcome, i_funding, i_mode) with ordinality
                     v(task, agent, shard, cents, txn, outcome, funding, mode, item)
               where v.outcome = 'created') u
    )
    select e.items[l.entry] as item, l.outcome, l.balance_cents
      from entries e, ledger_post(p_now, e.keys, e.modes, e.kinds, e.shards, e.lines, e.txns, e.debits, e.credits,
                                  e.cents, e.agents, e.nobody, e.tasks, e.nobody) l
     where e.items is not null
  loop
    i_balance[r.item] := r.balance_cents;
    if i_is_charged[r.item] and r.outcome <> 'posted' then
      raise exception 'create_tasks: a key was charged for %, which is %', t_id[r.item], r.outcome;
    end if;
    if r.outcome = 'insufficient' then
      i_outcome[r.item] := 'insufficient';
      a := array_position(a_id, t_agent[r.item]);
      -- Free tasks that are left could pay for a smaller budget, unless they are switched off.
      if a_free[a] > 0 then
        if is_free_open is null and a_mode[a] = 'live' then
          select s.is_on into strict is_free_open from platform_switches s where s.name = 'free_tasks';
        end if;
        if a_mode[a] = 'test' or is_free_open then
          i_answer[r.item] := format(',"free_tasks_remaining":%s,"free_task_max_cents":%s', a_free[a], p_free_max_cents);
        end if;
      end if;
    elsif r.outcome <> 'posted' then
      -- This very task was created by an attempt whose answer was lost. If it was free, its free task is spent.
      i_exists[r.item] := true;
      a := array_position(a_id, t_agent[r.item]);
      if i_funding[r.item] = 'free' then a_free[a] := a_free[a] + 1; end if;
      i_funding[r.item] := (
        select t.funding from tasks t where t.id = t_id[r.item] and t.agent_id = t_agent[r.item]);
    end if;
  end loop;

  if a_free is distinct from a_free_was then
    perform ledger_free_tasks(array_agg(n.id), array_agg(n.free - n.was))
       from unnest(a_id, a_free, a_free_was) n(id, free, was) where n.free <> n.was;
  end if;

  with n as materialized (
    select * from json_to_recordset(p_rows) r(item integer, type task_type, title text, description text,
      budget_cents bigint, budget_basis task_budget_basis, urgency task_urgency, proof_required task_proof,
      consensus_count integer, deadline timestamptz, scheduled_at timestamptz, window_minutes integer,
      auto_approve_after integer, min_worker_level integer, skills text[], languages text[], location json,
      context json, metadata json, answer_schema json, criteria json, callback_url text, created_at timestamptz,
      consensus_max integer, min_confidence double precision, rehearsal json, rehearse_at timestamptz,
      share_level smallint, is_schema_default boolean, commission_basis_points integer, answer_head text,
      answer_tail text, refusal_head text, refusal_tail text, refusal_tail_free text, cap_head text)
  ), made as (
    insert into tasks (id, agent_id, mode, type, title, description, budget_cents, budget_basis, locked_cents,
                       escrow_cents, funding, urgency, proof_required, consensus_count, deadline, scheduled_at,
                       window_minutes, auto_approve_after, min_worker_level, skills, languages, location, context,
                       metadata, answer_schema, criteria, callback_url, consensus_max, min_confidence, rehearsal,
                       rehearse_at, key_path, share_level, is_schema_default, commission_basis_points, created_at,
                       updated_at)
      select t_id[n.item], t_agent[n.item], i_mode[n.item], n.type, n.title, n.description, n.budget_cents,
             n.budget_basis, t_cents[n.item], t_cents[n.item], i_funding[n.item], n.urgency, n.proof_required,
             n.consensus_count, n.deadline, n.scheduled_at, n.window_minutes, n.auto_approve_after,
             n.min_worker_level, n.skills, coalesce(n.languages, '{}'), n.location, n.context, n.metadata,
             n.answer_schema, n.criteria, n.callback_url, n.consensus_max, n.min_confidence,
             -- Nobody plays a live task.
             case i_mode[n.item] when 'test' then n.rehearsal end, case i_mode[n.item] when 'test' then n.rehearse_at end,
             string_to_array(i_path[n.item], ' '), n.share_level, n.is_schema_default,
             -- Processes of the release before do not send it; their rate is 18 %.
             coalesce(n.commission_basis_points, 1800), n.created_at, n.created_at
        from n where i_outcome[n.item] = 'created' and not i_exists[n.item]
  ), told as (
    insert into outbox (id, type, agent_id, task_id, data, created_at)
      select t_evt[n.item], 'task.created', t_agent[n.item], t_id[n.item], '{}', n.created_at
        from n where i_outcome[n.item] = 'created' and not i_exists[n.item]
  )
  -- The answer comes in two halves: between them stands what only this function knows.
  insert into idempotency_keys (week, principal, key_hash, fingerprint, status, answer, created_at)
    select this_week, t_agent[n.item], k_hash[n.item], k_fingerprint[n.item],
           case i_outcome[n.item] when 'created' then 201 else 402 end,
           case i_outcome[n.item]
             when 'created' then n.answer_head || i_funding[n.item] || n.answer_tail
             when 'key_cap' then n.cap_head || i_answer[n.item] || '}'
             else n.refusal_head || i_balance[n.item] || case
               when i_answer[n.item] is null then n.refusal_tail
               -- A process of the release before sends one ending only.
               else i_answer[n.item] || coalesce(n.refusal_tail_free, n.refusal_tail) end
           end,
           p_now
      from n where k_hash[n.item] is not null and i_outcome[n.item] in ('created', 'insufficient', 'key_cap');

  return query select i, i_outcome[i], i_funding[i], i_balance[i], i_status[i], i_answer[i]
    from generate_subscripts(t_id, 1) i;
end
$$;

revoke execute on function create_tasks from public;
grant execute on function create_tasks to legwork_app;
