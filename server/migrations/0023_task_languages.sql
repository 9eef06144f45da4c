-- Tasks name the languages that their worker must speak.
-- lock: tasks, access exclusive, for an instant (a constant default rewrites nothing)
-- backfill: none

alter table tasks
  add column if not exists languages text[] not null default '{}';
