-- Whether the reports about a task that wait weigh enough to hide it. Once an operator has cleared it, none do: else a
-- later report would undo the decision.
create or replace function tasks_reports_hide(p_task text) returns boolean language sql stable as $$
  select coalesce(sum(weight) filter (where verdict is null), 0) >= 2
     and not coalesce(bool_or(verdict = 'cleared'), false)
    from task_reports where task_id = p_task
$$;
