-- Returns the weight of a worker's report about a task. A total weight of 2 hides the task.
--
-- The weight is 1 after five approved tasks for two agents, and 2 after 25 for three. Only tasks paid from a wallet
-- count, because free tasks cost nothing to someone who posts them to themselves. Tasks for the reported task's agent
-- do not count. Reports of dangerous or illegal tasks weigh double.
--
-- The weight is 0 for accounts younger than a week, for a worker with five pending reports that have weight, for one
-- whose reports were mostly unfounded, and for one who looks like the same person as an earlier reporter.
create or replace function tasks_report_weight(p_task text, p_worker text, p_kind text, p_now timestamptz)
returns smallint language sql stable as $$
  select (case
    when w.mode <> 'live' or w.status <> 'active' or w.created_at > p_now - interval '7 days' then 0
    when past.waiting >= 5 or (past.cleared >= 3 and past.cleared > past.upheld) then 0
    when exists (
      select 1 from task_reports r join workers o on o.id = r.worker_id
       where r.task_id = p_task and r.weight > 0 and o.id <> w.id
         and (o.registered_from = w.registered_from or tasks_report_inbox(o.email) = tasks_report_inbox(w.email))) then 0
    when done.tasks >= 25 and done.agents >= 3 then 2
    when done.tasks >= 5 and done.agents >= 2 then 1
    else 0 end * case when p_kind in ('dangerous', 'illegal') then 2 else 1 end)::smallint
    from workers w
   cross join lateral (
     select count(*) filter (where verdict is null and weight > 0) as waiting,
            count(*) filter (where verdict = 'cleared') as cleared,
            count(*) filter (where verdict = 'upheld') as upheld
       from task_reports where worker_id = w.id) past
   cross join lateral (
     select count(*) as tasks, count(distinct a.agent_id) as agents from (
       select a.agent_id from assignments a join tasks t on t.id = a.task_id
        where a.worker_id = w.id and a.status = 'approved' and t.funding = 'wallet'
          and a.agent_id <> (select agent_id from tasks where id = p_task)
        order by a.id desc limit 200) a) done
   where w.id = p_worker
$$;
