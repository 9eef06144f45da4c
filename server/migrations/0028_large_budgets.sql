-- A task may have a budget of up to a million dollars. The wider check holds for every row that passed the old one.
-- lock: tasks, access exclusive, for an instant (the check is not validated)
-- backfill: none

alter table tasks
  drop constraint if exists tasks_budget_cents_check,
  add constraint tasks_budget_cents_check check (budget_cents between 1 and 100000000) not valid;
