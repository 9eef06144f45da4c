-- Returns whether the pending reports about a task have enough weight to hide it. Always false after an operator has
-- cleared the task; otherwise a later report would undo that decision.
create or replace function tasks_reports_hide(p_task text) returns boolean language sql stable as $$
  select coalesce(sum(weight) filter (where verdict is null), 0) >= 2
     and not coalesce(bool_or(verdict = 'cleared'), false)
    from task_reports where task_id = p_task
$$;
