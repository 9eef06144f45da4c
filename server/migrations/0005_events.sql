-- What happened: written as outbox rows in the transaction in which it happened; the relay moves them in
-- batches to the event log and to the jobs that act on them.
-- lock: none (new tables)
-- backfill: none

create table outbox (
  position             bigint generated always as identity primary key,
  id                   text collate "C" not null,
  type                 text not null,
  agent_id             text collate "C" not null,
  task_id              text collate "C",
  data                 json not null,
  created_at           timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

-- The log that agents read; a partition a day, dropped when it is 30 days old.
create table events (
  id                   text collate "C" not null,
  type                 text not null,
  agent_id             text collate "C" not null,
  task_id              text collate "C",
  data                 json not null,
  created_at           timestamptz not null,
  primary key (created_at, id)
) partition by range (created_at);
create table events_rest partition of events default;
create index events_of_agent on events (agent_id, id);
create index events_of_task on events (task_id, id);

-- Update, because taking rows `for update skip locked` asks for it; nothing changes them.
grant select, insert, update, delete on outbox to legwork_app;
grant select, insert on events to legwork_app;
