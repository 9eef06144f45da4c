-- The worker's part of moves (move_tasks): pays the workers of this schema, and records what their trust and counts
-- become. Each change applies once: a line by its key, a change of trust by the worker and its key.
--
-- `p_lines` are empty if the agent lives here, too: its own lines pay the worker then. `p_tasks` are the tasks by item.
--
-- Locks: ledger balances (ledger_post), then workers, each by id.
-- home: shard
create or replace function workers_receive_moves(
  p_now timestamptz, p_lines ledger_line[], p_trust trust_change[], p_tasks text[]
) returns void
language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  w_id text[]; w_good double precision[]; w_bad double precision[]; w_approved integer[]; w_disputed integer[];
  w_pending text[];
  r record;
begin
  if cardinality(p_lines) > 0 then
    select l.key, p.outcome into r from ledger_post(p_now, p_lines) p join unnest(p_lines) l on l.entry = p.entry
     where p.outcome not in ('posted', 'replayed') limit 1;
    if found then raise exception 'workers_receive_moves: % is %', r.key, r.outcome; end if;
  end if;
  if cardinality(p_trust) = 0 then return; end if;

  with recorded as (
    insert into trust_events (worker_id, key, cause, good, bad, weight, task_id, created_at, pending_since)
      select c.worker_id, c.key, c.cause, c.good, c.bad, c.weight, p_tasks[c.item], p_now, c.pending_since
        from unnest(p_trust) c where c.cause is not null
      on conflict (worker_id, key) do nothing
      returning worker_id, cause, good, bad
  ), sums as (
    select t.worker_id, sum(t.good) as good, sum(t.bad) as bad,
           (count(*) filter (where t.cause = 'approved'))::integer as approved,
           (count(*) filter (where t.cause = 'disputed')
            - count(*) filter (where t.cause in ('dispute_withdrawn', 'dispute_overturned', 'dispute_split')))::integer
             as disputed
      from recorded t group by t.worker_id
  )
  select array_agg(s.worker_id), array_agg(s.good), array_agg(s.bad), array_agg(s.approved), array_agg(s.disputed)
    into w_id, w_good, w_bad, w_approved, w_disputed from sums s;

  -- Disputes that become or stop being pending. An appeal made in time makes its dispute pending again, even if
  -- workers_settle_disputes came first.
  w_pending := array(
    select distinct c.worker_id from unnest(p_trust) c where c.pending_since is not null or c.pending is not null);
  if cardinality(w_pending) > 0 then
    update trust_events e
       set pending_since = case c.pending when 'appealed' then coalesce(e.pending_since, p_now) end,
           is_appealed = c.pending = 'appealed'
      from unnest(p_trust) c
     where c.pending is not null and e.worker_id = c.worker_id and e.key = c.key;
  end if;

  if cardinality(w_id) > 1 or cardinality(w_pending) > 0 then
    perform 1 from (select w.id from workers w where w.id = any(w_id || w_pending) order by w.id for no key update) b;
  end if;
  update workers w
     set trust_good = w.trust_good + n.good, trust_bad = w.trust_bad + n.bad,
         approved_count = w.approved_count + n.approved, disputed_count = w.disputed_count + n.disputed
    from unnest(w_id, w_good, w_bad, w_approved, w_disputed) n(id, good, bad, approved, disputed)
   where w.id = any(w_id) and w.id = n.id;
  -- Summed again under the workers' locks: few disputes are pending, and without one the sum is exactly 0.
  if cardinality(w_pending) > 0 then
    update workers w
       set trust_pending = (select coalesce(sum(e.bad), 0) from trust_events e
                             where e.worker_id = w.id and e.pending_since is not null)
     where w.id = any(w_pending);
  end if;
end
$$;

revoke execute on function workers_receive_moves(timestamptz, ledger_line[], trust_change[], text[]) from public;
