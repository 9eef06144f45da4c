-- Returns the weight of a worker's report about a task. A total weight of 2 hides the task.
--
-- The weight is 1 after five approved tasks for two agents, and 2 after 25 for three. Only tasks paid from a wallet
-- count, because free tasks cost nothing to someone who posts them to themselves. Tasks for the reported task's agent
-- do not count. Reports of dangerous or illegal tasks weigh double.
--
-- The weight is 0 for accounts younger than a week, for a worker with five pending reports that have weight, for one
-- whose reports were mostly unfounded, and for one who looks like the same person as an earlier reporter.
--
-- Workers may live in other schemas, so each is asked for in its own; of one in another database, away_reporters has the
-- answer, with hashes.
-- home: shard
create or replace function tasks_report_weight(p_task text, p_worker text, p_kind text, p_now timestamptz)
returns smallint language plpgsql stable security definer
set search_path = public, pg_temp
as $$
declare
  v_agent text := (select t.agent_id from tasks t where t.id = p_task);
  mine record; theirs record; earlier text;
begin
  mine := tasks_reporter_of(p_task, p_worker, v_agent, p_now);
  if mine.weight is distinct from 0 then
    for earlier in
      select r.worker_id from task_reports r where r.task_id = p_task and r.weight > 0 and r.worker_id <> p_worker
    loop
      theirs := tasks_reporter_of(p_task, earlier, v_agent, p_now);
      if theirs.address = mine.address or theirs.inbox = mine.inbox then return 0; end if;
    end loop;
  end if;
  return mine.weight * case when p_kind in ('dangerous', 'illegal') then 2 else 1 end;
end
$$;

revoke execute on function tasks_report_weight(text, text, text, timestamptz) from public;
grant execute on function tasks_report_weight(text, text, text, timestamptz) to legwork_app;
