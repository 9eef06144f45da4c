-- Workers report tasks that nobody should do; until an operator has looked, such a task is shown to nobody.
-- lock: tasks, access exclusive, for an instant (a column without a default)
-- backfill: none

-- Since when a report keeps it out of the feed; null again when an operator has found nothing wrong with it.
alter table tasks add column reported_at timestamptz;
grant update (reported_at) on tasks to legwork_app;

-- It lives on the agent's shard, with its task. A worker reports a task once. The agent never reads this.
create table task_reports (
  task_id              text collate "C" not null,
  worker_id            text collate "C" not null,
  kind                 text not null check (kind in ('illegal', 'abusive', 'dangerous', 'scam', 'other')),
  note                 text check (length(note) between 1 and 2000),
  created_at           timestamptz not null,
  -- An operator's; who said so, and in which words, is among the operators' actions.
  verdict              text check (verdict in ('cleared', 'upheld')),
  decided_at           timestamptz,
  primary key (task_id, worker_id),
  constraint task_reports_decided check ((verdict is null) = (decided_at is null))
);
-- What operators look at, and how many of a worker's wait for them.
create index task_reports_waiting on task_reports (created_at) where verdict is null;
create index task_reports_waiting_of_worker on task_reports (worker_id) where verdict is null;

grant select, insert on task_reports to legwork_app;
grant update (verdict, decided_at) on task_reports to legwork_app;
