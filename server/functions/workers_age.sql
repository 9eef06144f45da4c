-- Moves the appeal windows of a test agent's workers back by p_ms, to match the disputes that tasks_age has moved.
-- Workers that belong to an agent are always test workers (workers_of_test_agent), and live on its shard.
create or replace function workers_age(p_agent text, p_ms bigint) returns void
language sql security definer
set search_path = public, pg_temp
as $$
  update trust_events e
     set pending_since = e.pending_since - p_ms * interval '1 millisecond'
    from workers w, tasks t
   where w.agent_id = p_agent and e.worker_id = w.id and e.pending_since is not null
     and t.id = e.task_id and t.mode = 'test' and t.rehearsal is not null
     and (t.ended_at is null or t.status = 'disputed')
$$;

revoke execute on function workers_age from public;
grant execute on function workers_age to legwork_app;
