-- Moves N tasks, each with all that its move brings: money, assignments, the workers' records, events, the stored
-- answer. What moves where was decided before, on tasks as they were read; here it happens, if they are still so.
--   moved         all of it is written
--   changed       the task is not the version that was decided on: look again; nothing of this item is written
--   insufficient  the wallet can't pay the tip; nothing of this item is written
--   key_cap       a cap of the key that gives the tip is reached: as insufficient, with the refusal's fields
--   replayed      the Idempotency-Key was used for this request before: its stored answer
--   mismatch      the Idempotency-Key was used for another request
--
-- This is the one place where a transaction writes to the agent's shard and to the workers': a verdict reaches the
-- worker. When the two live in different databases, only this function is split (docs/decisions/0013).
--
-- Locks: the tasks, then the ledger's balances (ledger_post), then the workers, each in the order of their ids; the
-- limits of an agent's keys only by whoever holds its wallet.
create or replace function move_tasks(
  p_now timestamptz,
  t_id text[], t_version integer[], t_agent text[], t_tip bigint[], t_is_open boolean[], t_returns_free_task boolean[],
  p_tasks json, p_assignments json, p_trust json, p_disputes json, p_events json,
  e_item integer[], e_key text[], e_mode agent_mode[], e_kind text[], e_shard smallint[],
  l_entry integer[], l_id text[], l_debit text[], l_credit text[], l_amount bigint[],
  l_agent text[], l_worker text[], l_task text[], l_ref text[],
  k_principal text[], k_hash text[], k_fingerprint text[], k_status smallint[], k_answer text[]
) returns table (item integer, outcome text, status smallint, answer text)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  known_id text[]; known_version integer[]; a_id text[]; a_wallet bigint[]; a integer; tip_path text[];
  i_outcome text[] := array_fill('moved'::text, array[cardinality(t_id)]);
  i_status smallint[] := array_fill(null::smallint, array[cardinality(t_id)]);
  i_answer text[] := array_fill(null::text, array[cardinality(t_id)]);
  w_id text[]; w_good double precision[]; w_bad double precision[]; w_approved integer[]; w_disputed integer[];
  w_pending text[];
  r record; kept integer; is_keyed boolean := cardinality(array_remove(k_hash, null)) > 0;
  this_week date := date_trunc('week', p_now at time zone 'UTC')::date;
begin
  perform set_config('legwork.crossing', 'move_tasks', true);

  select array_agg(b.id), array_agg(b.version) into known_id, known_version
    from (select t.id, t.version from tasks t where t.id = any(t_id) and t.agent_id = any(t_agent)
           order by t.id for no key update) b;

  if is_keyed then
    for r in
      select u.item::integer as item, s.fingerprint, s.status, s.answer
        from unnest(k_principal, k_hash) with ordinality u(principal, hash, item)
       cross join lateral (
         select * from idempotency_keys k
          where k.principal = u.principal and k.key_hash = u.hash and k.week in (this_week, this_week - 7)
            and k.created_at > p_now - interval '7 days'
          order by k.week desc limit 1) s
       where u.hash is not null
    loop
      i_outcome[r.item] := case when r.fingerprint = k_fingerprint[r.item] then 'replayed' else 'mismatch' end;
      i_status[r.item] := r.status;
      i_answer[r.item] := r.answer;
    end loop;
  end if;

  if 0 < any(t_tip) then
    select array_agg(b.agent_id), array_agg(b.wallet_cents) into a_id, a_wallet
      from (select l.agent_id, l.wallet_cents from ledger_agents l
             where l.agent_id = any(array(select u.agent from unnest(t_agent, t_tip) u(agent, tip) where u.tip > 0))
             order by l.agent_id for no key update) b;
  end if;
  for i in 1 .. cardinality(t_id) loop
    continue when i_outcome[i] <> 'moved';
    if known_version[array_position(known_id, t_id[i])] is distinct from t_version[i] then
      i_outcome[i] := 'changed';
    elsif t_tip[i] > 0 then
      a := array_position(a_id, t_agent[i]);
      if a_wallet[a] < t_tip[i] then i_outcome[i] := 'insufficient'; continue; end if;
      tip_path := (select k.ancestors || k.id from api_keys k
                    where k.is_limited and k.agent_id = t_agent[i] and k.id = (
                      select x.tip_key_id from json_to_recordset(p_tasks) x(item integer, tip_key_id text)
                       where x.item = i));
      if tip_path is not null then
        i_answer[i] := agents_spend_by_key(tip_path, p_now, t_tip[i]);
        if i_answer[i] is not null then i_outcome[i] := 'key_cap'; continue; end if;
      end if;
      a_wallet[a] := a_wallet[a] - t_tip[i];
    end if;
  end loop;

  -- Money. Of items that do not move, the entries are left out.
  kept := cardinality(e_item);
  if exists (select 1 from unnest(e_item) u(item) where i_outcome[u.item] <> 'moved') then
    with entries as materialized (
      select u.*, row_number() over (order by u.n)::integer as entry
        from unnest(e_item, e_key, e_mode, e_kind, e_shard) with ordinality u(item, key, mode, kind, shard, n)
       where i_outcome[u.item] = 'moved'
    ), lines as materialized (
      select e.entry, u.* from unnest(l_entry, l_id, l_debit, l_credit, l_amount, l_agent, l_worker, l_task, l_ref)
             with ordinality u(of_entry, id, debit, credit, amount, agent, worker, task, ref, n)
        join entries e on e.n = u.of_entry
    ), head as (
      select array_agg(key order by entry) as keys, array_agg(mode order by entry) as modes,
             array_agg(kind order by entry) as kinds, array_agg(shard order by entry) as shards, count(*)::integer as n
        from entries
    ), body as (
      select array_agg(entry order by n) as entries, array_agg(id order by n) as ids,
             array_agg(debit order by n) as debits, array_agg(credit order by n) as credits,
             array_agg(amount order by n) as amounts, array_agg(agent order by n) as agents,
             array_agg(worker order by n) as workers, array_agg(task order by n) as tasks,
             array_agg(ref order by n) as refs from lines
    )
    select h.keys, h.modes, h.kinds, h.shards, h.n, b.entries, b.ids, b.debits, b.credits, b.amounts, b.agents, b.workers,
           b.tasks, b.refs
      into e_key, e_mode, e_kind, e_shard, kept, l_entry, l_id, l_debit, l_credit, l_amount, l_agent, l_worker, l_task, l_ref
      from head h, body b;
  end if;
  if kept > 0 then
    select e_key[p.entry] as key, p.outcome into r
      from ledger_post(p_now, e_key, e_mode, e_kind, e_shard, l_entry, l_id, l_debit, l_credit, l_amount, l_agent,
                       l_worker, l_task, l_ref) p
     where p.outcome <> 'posted' limit 1;
    -- The task was as it had been read, so its money can't have moved.
    if found then raise exception 'move_tasks: % is % already', r.key, r.outcome; end if;

    -- What comes back to the wallet comes back to the caps that it was charged to; what is taken after all, the same way.
    if 'agent' = any(l_credit) or 'agent' = any(l_debit) then
      perform agents_return_to_key(t.key_path, t.created_at, c.cents)
         from (select u.task, sum(case u.credit when 'agent' then u.amount else -u.amount end)::bigint as cents
                 from unnest(l_task, l_debit, l_credit, l_amount) u(task, debit, credit, amount)
                where 'agent' in (u.debit, u.credit) group by u.task) c
        cross join lateral (select k.key_path, k.created_at from tasks k
                             where k.id = c.task and k.agent_id = any(t_agent) and k.key_path is not null limit 1) t;
    end if;
  end if;

  with m as materialized (
    select t_id[x.item] as id, x.* from json_to_recordset(p_tasks) x(item integer, status task_status,
      status_reason text, escrow_cents bigint, slots_taken integer, slots_extra integer, proofs_received integer,
      proof_at timestamptz, review_due_at timestamptz, decides_by timestamptz, consensus json, approved_by text,
      settlement json, ended_at timestamptz, updated_at timestamptz, event_sequence integer)
     where i_outcome[x.item] = 'moved'
  )
  update tasks t
     set status = m.status, status_reason = m.status_reason, escrow_cents = m.escrow_cents,
         slots_taken = m.slots_taken, slots_extra = m.slots_extra, proofs_received = m.proofs_received,
         proof_at = m.proof_at, review_due_at = m.review_due_at, consensus = m.consensus,
         approved_by = m.approved_by, settlement = m.settlement, ended_at = m.ended_at, updated_at = m.updated_at,
         -- Processes of the release before do not send it; a trigger fills it in when a dispute becomes held.
         decides_by = coalesce(m.decides_by, case when m.status_reason = 'dispute_held' then t.decides_by end),
         -- Processes of the release before do not send it.
         event_sequence = coalesce(m.event_sequence, t.event_sequence)
    from m where t.id = any(t_id) and t.id = m.id;

  if p_assignments is not null then
    with m as materialized (
      select * from json_to_recordset(p_assignments) x(item integer, id text, status assignment_status,
        net_cents bigint, expires_at timestamptz, submitted_at timestamptz, ended_at timestamptz,
        outcome proof_outcome, reason text, revision_note text, revisions smallint)
       where i_outcome[x.item] = 'moved'
    )
    update assignments a
       set status = m.status, net_cents = m.net_cents, expires_at = m.expires_at, submitted_at = m.submitted_at,
           ended_at = m.ended_at, outcome = m.outcome, reason = m.reason, revision_note = m.revision_note,
           revisions = m.revisions
      from m where a.id = any(array(select n.id from m n)) and a.id = m.id and a.agent_id = t_agent[m.item];
  end if;

  -- What no one can take any more is out of the feed at once; what became free comes back by its event.
  delete from open_tasks o where o.task_id = any(array(
    select t_id[i] from generate_subscripts(t_id, 1) i where i_outcome[i] = 'moved' and not t_is_open[i]));

  if true = any(t_returns_free_task) then
    perform ledger_free_tasks(array_agg(n.agent), array_agg(n.count))
       from (select t_agent[i] as agent, count(*)::integer as count from generate_subscripts(t_id, 1) i
              where i_outcome[i] = 'moved' and t_returns_free_task[i] group by 1) n
     having count(*) > 0;
  end if;

  if p_disputes is not null then
    insert into disputes (id, task_id, agent_id, assignment_ids, reason, category, criteria, status, touches_trust,
                          refunded_cents, created_at, decides_by)
      select d.id, t_id[d.item], t_agent[d.item], d.assignment_ids, d.reason, d.category, d.criteria, d.status,
             d.touches_trust, d.refunded_cents, p_now, d.decides_by
        from json_to_recordset(p_disputes) d(item integer, id text, assignment_ids text[], reason text, category text,
          criteria text[], status text, touches_trust boolean, refunded_cents bigint, decides_by timestamptz)
       where i_outcome[d.item] = 'moved' and d.id is not null;
    -- A row without an id decides the task's held dispute. Processes of the release before send no status: withdrawn.
    with decided as materialized (
      select t_id[d.item] as task_id, coalesce(d.status, 'withdrawn') as status,
             coalesce(d.decided_by, 'agent') as decided_by, d.decision_note, coalesce(d.refunded_cents, 0) as refunded_cents
        from json_to_recordset(p_disputes) d(item integer, id text, status text, decided_by text, decision_note text,
          refunded_cents bigint)
       where i_outcome[d.item] = 'moved' and d.id is null
    ), updated as (
      update disputes w
         set status = n.status, decided_at = p_now, decided_by = n.decided_by, decision_note = n.decision_note,
             refunded_cents = n.refunded_cents, resolved_at = case when n.status = 'open' then null else p_now end
        from decided n where w.task_id = n.task_id and w.agent_id = any(t_agent) and w.status = 'held'
      returning 1
    )
    select (select count(*) from decided) - (select count(*) from updated) into kept;
    if kept <> 0 then raise exception 'move_tasks: a held dispute is decided already'; end if;
  end if;

  -- The workers: what moved their trust, and their counts.
  if p_trust is not null then
    with told as (
      insert into trust_events (worker_id, key, cause, good, bad, weight, task_id, created_at, pending_since)
        select c.worker_id, c.key, c.cause, c.good, c.bad, c.weight, t_id[c.item], p_now, c.pending_since
          from json_to_recordset(p_trust) c(item integer, worker_id text, key text, cause text, good double precision,
            bad double precision, weight double precision, pending_since timestamptz)
         where i_outcome[c.item] = 'moved' and c.cause is not null
        returning worker_id, cause, good, bad
    ), sums as (
      select t.worker_id, sum(t.good) as good, sum(t.bad) as bad,
             (count(*) filter (where t.cause = 'approved'))::integer as approved,
             (count(*) filter (where t.cause = 'disputed')
              - count(*) filter (where t.cause in ('dispute_withdrawn', 'dispute_overturned', 'dispute_split')))::integer
               as disputed
        from told t group by t.worker_id
    )
    select array_agg(s.worker_id), array_agg(s.good), array_agg(s.bad), array_agg(s.approved), array_agg(s.disputed)
      into w_id, w_good, w_bad, w_approved, w_disputed from sums s;

    -- Disputes that begin or end to be pending. An appeal that was in time makes its dispute pending again, also when
    -- workers_settle_disputes came first.
    w_pending := array(
      select distinct c.worker_id
        from json_to_recordset(p_trust) c(item integer, worker_id text, pending_since timestamptz, pending text)
       where i_outcome[c.item] = 'moved' and (c.pending_since is not null or c.pending is not null));
    if cardinality(w_pending) > 0 then
      update trust_events e
         set pending_since = case c.pending when 'appealed' then coalesce(e.pending_since, p_now) end,
             is_appealed = c.pending = 'appealed'
        from json_to_recordset(p_trust) c(item integer, worker_id text, key text, pending text)
       where i_outcome[c.item] = 'moved' and c.pending is not null and e.worker_id = c.worker_id and e.key = c.key;
    end if;

    if cardinality(w_id) > 1 or cardinality(w_pending) > 0 then
      perform 1 from (select w.id from workers w where w.id = any(w_id || w_pending) order by w.id for no key update) b;
    end if;
    update workers w
       set trust_good = w.trust_good + w_good[array_position(w_id, w.id)],
           trust_bad = w.trust_bad + w_bad[array_position(w_id, w.id)],
           approved_count = w.approved_count + w_approved[array_position(w_id, w.id)],
           disputed_count = w.disputed_count + w_disputed[array_position(w_id, w.id)]
     where w.id = any(w_id);
    -- Added up anew, under the workers' locks: what is pending is little, and the sum is 0 when nothing is.
    if cardinality(w_pending) > 0 then
      update workers w
         set trust_pending = (select coalesce(sum(e.bad), 0) from trust_events e
                               where e.worker_id = w.id and e.pending_since is not null)
       where w.id = any(w_pending);
    end if;
  end if;

  if p_events is not null then
    insert into outbox (id, type, agent_id, task_id, sequence, data, created_at)
      select v.id, v.type, t_agent[v.item], t_id[v.item], v.sequence, v.data, p_now
        from json_to_recordset(p_events) v(item integer, id text, type text, sequence integer, data json)
       where i_outcome[v.item] = 'moved' order by v.item;
  end if;

  if is_keyed then
    insert into idempotency_keys (week, principal, key_hash, fingerprint, status, answer, created_at)
      select this_week, k_principal[i], k_hash[i], k_fingerprint[i], k_status[i], k_answer[i], p_now
        from generate_subscripts(k_hash, 1) i where k_hash[i] is not null and i_outcome[i] = 'moved'
      on conflict do nothing;
    get diagnostics kept = row_count;
    if kept <> (select count(*) from generate_subscripts(k_hash, 1) i
                 where k_hash[i] is not null and i_outcome[i] = 'moved') then
      -- The same key for another task at this very moment: tried again, the second one sees the first.
      raise exception 'move_tasks: two requests with one key' using errcode = 'serialization_failure';
    end if;
  end if;

  perform set_config('legwork.crossing', '', true);
  return query select i, i_outcome[i], i_status[i], i_answer[i] from generate_subscripts(t_id, 1) i;
end
$$;

revoke execute on function move_tasks from public;
grant execute on function move_tasks to legwork_app;
