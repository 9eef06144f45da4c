-- Returns the weight of a worker's report about a task of this agent, and the data that shows whether two reporters are
-- one person.
-- Called in the worker's schema by tasks_reporter_of, or by the application if it is in another database;
-- tasks_report_weight explains the weights.
-- home: shard
create or replace function tasks_reporter(p_worker text, p_agent text, p_now timestamptz)
returns table (weight integer, address text, inbox text)
language sql stable
set search_path = public, pg_temp
as $$
  select case
    when w.mode <> 'live' or w.status <> 'active' or w.created_at > p_now - interval '7 days' then 0
    when past.waiting >= 5 or (past.cleared >= 3 and past.cleared > past.upheld) then 0
    when done.tasks >= 25 and done.agents >= 3 then 2
    when done.tasks >= 5 and done.agents >= 2 then 1
    else 0 end, w.registered_from::text, tasks_report_inbox(w.email)
    from workers w
   cross join lateral (
     select count(*) filter (where r.verdict is null and r.weight > 0) as waiting,
            count(*) filter (where r.verdict = 'cleared') as cleared,
            count(*) filter (where r.verdict = 'upheld') as upheld
       from worker_reports r where r.worker_id = w.id) past
   cross join lateral (
     select count(*) as tasks, count(distinct a.agent_id) as agents from (
       select a.agent_id from worker_assignments a join worker_tasks t on t.id = a.task_id
        where a.worker_id = w.id and a.status = 'approved' and t.funding = 'wallet' and a.agent_id <> p_agent
        order by a.id desc limit 200) a) done
   where w.id = p_worker
$$;

revoke execute on function tasks_reporter(text, text, timestamptz) from public;
grant execute on function tasks_reporter(text, text, timestamptz) to legwork_app;
