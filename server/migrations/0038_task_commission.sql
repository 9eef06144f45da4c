-- Each task keeps the commission rate that it was created with, so that another rate never changes older tasks.
-- lock: tasks, access exclusive, for an instant (a constant default rewrites no row; the check is not validated)
-- backfill: none; all tasks so far were created at 18 %, and so are those of processes that do not know the column

alter table tasks
  -- In hundredths of a percent. The app has no right to update it.
  add column if not exists commission_basis_points integer not null default 1800,
  add constraint tasks_commission_basis_points check (commission_basis_points between 0 and 10000) not valid;
