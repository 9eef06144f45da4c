-- The heartbeat of each jobs process: when it stops, what the process held is given to the others.
-- lock: none (new tables)
-- backfill: none

create table job_processes (
  id                   text collate "C" primary key,
  runner_ids           text[] not null,
  started_at           timestamptz not null,
  seen_at              timestamptz not null
);

grant select, insert, update, delete on job_processes to legwork_app;
