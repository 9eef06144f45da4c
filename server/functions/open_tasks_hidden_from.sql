-- Tasks that the feed doesn't show a worker again: those they were assigned to or have reported. Reads the worker's side
-- only; the feed's functions get the result as p_hidden. An array, because a join would make the planner sort.
create or replace function open_tasks_hidden_from(p_worker text, p_now timestamptz) returns text[]
language plpgsql stable as $$
begin
  return array(
    select a.task_id from worker_assignments a where a.worker_id = p_worker and a.deadline > p_now
    union all
    (select r.task_id from worker_reports r where r.worker_id = p_worker and r.verdict is null limit 500));
end
$$;
