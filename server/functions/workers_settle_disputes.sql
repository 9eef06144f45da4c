-- Settles the pending disputes of these workers whose appeal window opened at p_opened or earlier and that have no
-- appeal: they count in the level from now on. Returns them, oldest first. Reads and writes only the workers' shard.
--
-- Locks: trust events, then workers, in the order of their ids, as in move_tasks. Locked events are skipped.
create or replace function workers_settle_disputes(p_workers text[], p_opened timestamptz)
returns table (worker_id text, key text, task_id text, bad double precision)
language plpgsql security definer
set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  w_settled trust_events[];
  w_workers text[];
begin
  with due as (
    select e.worker_id, e.key from trust_events e
     where e.worker_id = any(p_workers) and e.pending_since <= p_opened and not e.is_appealed
     order by e.worker_id, e.key for update skip locked
  ), settled as (
    update trust_events e set pending_since = null from due d where e.worker_id = d.worker_id and e.key = d.key
    returning e
  )
  select array_agg(s.e order by (s.e).created_at, (s.e).key), array_agg((s.e).worker_id)
    into w_settled, w_workers from settled s;
  if w_settled is null then return; end if;

  -- A separate statement, so that the sum includes what others committed while this one waited for the lock.
  perform 1 from (select w.id from workers w where w.id = any(w_workers) order by w.id for no key update) b;
  update workers w
     set trust_pending = (select coalesce(sum(e.bad), 0) from trust_events e
                           where e.worker_id = w.id and e.pending_since is not null)
   where w.id = any(w_workers);
  return query select s.worker_id, s.key, s.task_id, s.bad from unnest(w_settled) s;
end
$$;

revoke execute on function workers_settle_disputes from public;
grant execute on function workers_settle_disputes to legwork_app;
