-- Applies moves, many in one round trip: each with its ledger lines, assignments, trust changes, dispute, events and
-- stored response. A move was decided on a snapshot of its task; it applies only if the task hasn't changed since
-- (optimistic lock). Returns one outcome for each:
--   moved         everything is written
--   changed       the task has another version: read it and decide again; nothing of this move is written
--   insufficient  the wallet can't pay the tip; nothing of this move is written
--   key_cap       a cap of the key that gives the tip is reached; nothing of this move is written
--   replayed      the Idempotency-Key was used for this request before: its stored response
--   mismatch      the Idempotency-Key was used for another request
-- Rows of the other arguments belong to a move by `item`, its number.
--
-- This is the only transaction that writes both to the agent's shard and to those of workers: a verdict reaches the
-- worker. If the worker lives in another database, move_workers leaves that part for after the commit
-- (docs/decisions/0036-a-shard-is-a-schema.md).
--
-- Locks: tasks, then ledger balances (ledger_post), then workers, each by id. Key limits only under the wallet's lock.
-- home: shard
create or replace function move_tasks(
  p_now timestamptz, p_moves task_move[], p_lines ledger_line[], p_assignments assignment_change[],
  p_trust trust_change[], p_disputes dispute_change[], p_events new_event[]
) returns table (item integer, outcome move_outcome, cap spending_cap, limit_cents bigint, spent_cents bigint,
                 status smallint, answer text)
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  size integer := cardinality(p_moves);
  -- The moves: the fields that decisions need, one array each.
  t_id text[]; t_version integer[]; t_agent text[]; t_tip bigint[]; t_claim idempotency_claim[];
  -- The locked tasks, and the wallets that pay tips.
  known_id text[]; known_version integer[]; a_id text[]; a_wallet bigint[]; a integer; v_path text[];
  i_outcome move_outcome[] := array_fill('moved'::move_outcome, array[size]);
  i_cap key_cap[] := array_fill(null::key_cap, array[size]);
  i_status smallint[] := array_fill(null::smallint, array[size]);
  i_answer text[] := array_fill(null::text, array[size]);
  v_lines ledger_line[];
  -- Lines that pay workers of other schemas, and changes of trust.
  v_away ledger_line[] := '{}'; v_trust trust_change[];
  r record; difference integer;
begin
  perform set_config('legwork.crossing', 'move_tasks', true);

  select array_agg(m.task_id), array_agg(m.version), array_agg(m.agent_id), array_agg(m.tip_cents),
         array_agg((m.ordinality, m.principal, m.key_hash, m.fingerprint, 200, m.response)::idempotency_claim)
           filter (where m.key_hash is not null)
    into t_id, t_version, t_agent, t_tip, t_claim
    from unnest(p_moves) with ordinality m;

  select array_agg(b.id), array_agg(b.version) into known_id, known_version
    from (select t.id, t.version from tasks t where t.id = any(t_id) and t.agent_id = any(t_agent)
           order by t.id for no key update) b;

  for r in select * from idempotency_find(p_now, t_claim) loop
    i_outcome[r.item] := r.outcome::text;
    i_status[r.item] := r.status;
    i_answer[r.item] := r.answer;
  end loop;

  if 0 < any(t_tip) then
    select array_agg(b.agent_id), array_agg(b.wallet_cents) into a_id, a_wallet
      from (select l.agent_id, l.wallet_cents from ledger_agents l
             where l.agent_id = any(array(select u.agent from unnest(t_agent, t_tip) u(agent, tip) where u.tip > 0))
             order by l.agent_id for no key update) b;
  end if;
  for i in 1 .. size loop
    continue when i_outcome[i] <> 'moved';
    if known_version[array_position(known_id, t_id[i])] is distinct from t_version[i] then
      i_outcome[i] := 'changed';
    elsif t_tip[i] > 0 then
      a := array_position(a_id, t_agent[i]);
      if a_wallet[a] < t_tip[i] then i_outcome[i] := 'insufficient'; continue; end if;
      select k.ancestors || k.id into v_path from api_keys k
       where k.is_limited and k.agent_id = t_agent[i] and k.id = (p_moves[i]).tip_key_id;
      if v_path is not null then i_cap[i] := agents_charge_key(v_path, p_now, t_tip[i]); end if;
      if (i_cap[i]).cap is not null then i_outcome[i] := 'key_cap'; continue; end if;
      a_wallet[a] := a_wallet[a] - t_tip[i];
    end if;
  end loop;

  v_lines := array(select l from unnest(p_lines) l where i_outcome[l.item] = 'moved');
  if cardinality(v_lines) > 0 then
    v_away := array(select l from unnest(v_lines) l where l.credit = 'liab:worker_payable' and not shards_is_here(l.worker_id));
    -- Money for workers of other schemas ends in clearing; there, a second line takes it from clearing to the worker.
    if cardinality(v_away) > 0 then
      v_lines := array(
        select (l.item, l.entry, l.key, l.mode, l.kind, l.shard, l.id, l.debit,
                case when l.credit = 'liab:worker_payable' and not shards_is_here(l.worker_id) then 'liab:clearing'
                     else l.credit end,
                l.amount_cents, l.agent_id, l.worker_id, l.task_id, l.ref_id)::ledger_line
          from unnest(v_lines) with ordinality l order by l.ordinality);
    end if;
    select l.key, p.outcome into r from ledger_post(p_now, v_lines) p join unnest(v_lines) l on l.entry = p.entry
     where p.outcome <> 'posted' limit 1;
    -- The task has not changed since it was read, so its money can't have moved.
    if found then raise exception 'move_tasks: % is % already', r.key, r.outcome; end if;

    -- Money that comes back to the wallet, or is taken after all, changes what the task's keys have spent.
    perform agents_return_to_key(t.key_path, t.created_at, c.cents)
       from (select l.task_id, sum(case l.credit when 'agent' then l.amount_cents else -l.amount_cents end)::bigint as cents
               from unnest(v_lines) l where 'agent' in (l.debit, l.credit) group by l.task_id) c
      cross join lateral (select k.key_path, k.created_at from tasks k
                           where k.id = c.task_id and k.agent_id = any(t_agent) and k.key_path is not null limit 1) t;
  end if;

  update tasks t
     set status = m.status, status_reason = m.status_reason, escrow_cents = m.escrow_cents,
         slots_taken = m.slots_taken, slots_extra = m.slots_extra, proofs_received = m.proofs_received,
         proof_at = m.proof_at, review_due_at = m.review_due_at, decides_by = m.decides_by, consensus = m.consensus,
         approved_by = m.approved_by, settlement = m.settlement, ended_at = m.ended_at, updated_at = m.updated_at,
         event_sequence = m.event_sequence
    from unnest(p_moves) with ordinality m
   where t.id = any(t_id) and t.id = m.task_id and i_outcome[m.ordinality] = 'moved';

  update assignments a
     set status = m.status, net_cents = m.net_cents, expires_at = m.expires_at, submitted_at = m.submitted_at,
         ended_at = m.ended_at, outcome = m.outcome, reason = m.reason, revision_note = m.revision_note,
         revisions = m.revisions
    from unnest(p_assignments) m
   where a.id = any(array(select n.id from unnest(p_assignments) n)) and a.id = m.id and a.agent_id = t_agent[m.item]
     and i_outcome[m.item] = 'moved';

  -- A task that nobody can take leaves the feed at once; one that becomes free comes back through its event.
  perform feed_leave(array(
    select m.task_id from unnest(p_moves) with ordinality m where i_outcome[m.ordinality] = 'moved' and not m.is_open));

  perform ledger_free_tasks(array_agg(n.agent_id), array_agg(n.count))
     from (select m.agent_id, count(*)::integer as count from unnest(p_moves) with ordinality m
            where m.returns_free_task and i_outcome[m.ordinality] = 'moved' group by 1) n
   having count(*) > 0;

  if cardinality(p_disputes) > 0 then
    insert into disputes (id, task_id, agent_id, assignment_ids, reason, category, criteria, status, touches_trust,
                          refunded_cents, created_at, decides_by)
      select d.id, t_id[d.item], t_agent[d.item], d.assignment_ids, d.reason, d.category, d.criteria, d.status,
             d.touches_trust, d.refunded_cents, p_now, d.decides_by
        from unnest(p_disputes) d where i_outcome[d.item] = 'moved' and d.id is not null;
    with decided as materialized (
      select t_id[d.item] as task_id, d.* from unnest(p_disputes) d where i_outcome[d.item] = 'moved' and d.id is null
    ), updated as (
      update disputes w
         set status = n.status, decided_at = p_now, decided_by = n.decided_by, decision_note = n.decision_note,
             refunded_cents = n.refunded_cents, resolved_at = case when n.status = 'open' then null else p_now end
        from decided n where w.task_id = n.task_id and w.agent_id = any(t_agent) and w.status = 'held'
      returning 1
    )
    select (select count(*) from decided) - (select count(*) from updated) into difference;
    if difference <> 0 then raise exception 'move_tasks: a held dispute is decided already'; end if;
  end if;

  -- The workers' part.
  v_trust := array(select c from unnest(p_trust) c where i_outcome[c.item] = 'moved');
  if cardinality(v_trust) > 0 or cardinality(v_away) > 0 then
    perform move_workers(p_now, v_away, v_trust, t_id);
  end if;

  insert into outbox (id, type, agent_id, task_id, sequence, data, created_at, traceparent)
    select v.id, v.type, t_agent[v.item], t_id[v.item], v.sequence, v.data, p_now, v.traceparent
      from unnest(p_events) v where i_outcome[v.item] = 'moved';

  t_claim := array(select c from unnest(t_claim) c where i_outcome[c.item] = 'moved');
  if cardinality(t_claim) > 0 then
    if idempotency_store(p_now, t_claim) <> cardinality(t_claim) then
      -- Another request is using the same key for another task. On retry, this one finds the other's response.
      raise exception 'move_tasks: two requests with one key' using errcode = 'serialization_failure';
    end if;
  end if;

  perform set_config('legwork.crossing', '', true);
  return query
    select i, i_outcome[i], (i_cap[i]).cap, (i_cap[i]).limit_cents, (i_cap[i]).spent_cents, i_status[i], i_answer[i]
      from generate_series(1, size) i;
end
$$;

revoke execute on function move_tasks(timestamptz, task_move[], ledger_line[], assignment_change[], trust_change[],
                                      dispute_change[], new_event[]) from public;
grant execute on function move_tasks(timestamptz, task_move[], ledger_line[], assignment_change[], trust_change[],
                                     dispute_change[], new_event[]) to legwork_app;
