-- Telling agents: a number for each event of an agent, deliveries with their lanes, the log of attempts.
-- lock: tasks, outbox, events, agents, access exclusive, for an instant (columns without a rewrite)
-- backfill: none (events from before have no number and are not listed: nobody could list them before)

-- The last number that a task's events were given; the next event has the next one.
alter table tasks add column event_sequence integer not null default 0;
alter table outbox add column sequence integer;
-- `number` counts an agent's events in the order in which they can be read: its counter is locked until the relay's
-- transaction ends, so that who has read number 7 never finds a number 6 later.
alter table events add column sequence integer, add column number bigint;

create table event_counters (
  agent_id             text collate "C" primary key,
  last_number          bigint not null
) with (fillfactor = 50);

-- squawk-ignore require-concurrent-index-creation
create index events_of_agent_by_number on events (agent_id, number);
-- squawk-ignore require-concurrent-index-deletion
drop index events_of_agent;

-- The secret before the last rotation signs beside the current one until here.
alter table agents add column webhook_secret_old text, add column webhook_secret_old_until timestamptz;

-- A receiver of one agent: its webhook_url (the id is the agent's), or one host of its callback_urls (the agent's
-- id, a blank, the host): those of an agent are a range of ids. One process at a time sends to a lane, so that a
-- receiver that is slow or dead costs one row.
create table webhook_lanes (
  id                   text collate "C" primary key,
  agent_id             text collate "C" not null,
  -- When something is to be sent; null when nothing waits. Never before `paused_until`, nor before the lease of who
  -- holds it ends.
  due_at               timestamptz,
  -- After many failures in a row only one delivery is tried, after a pause.
  paused_until         timestamptz,
  failures             integer not null default 0,
  held_by              text,
  held_until           timestamptz,
  -- Since when there was nothing but failures; when its owner was told; when we gave up.
  failing_since        timestamptz,
  warned_at            timestamptz,
  disabled_at          timestamptz,
  -- When its owner was last written to: at most once a day, whatever happens to the receiver in between.
  mailed_at            timestamptz,
  disabled_for         text check (disabled_for in ('gone', 'failing')),
  check ((disabled_at is null) = (disabled_for is null)),
  check ((held_by is null) = (held_until is null)),
  check (due_at >= paused_until),
  check (due_at >= held_until)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index webhook_lanes_due on webhook_lanes (due_at) where due_at is not null;

-- What is still to be sent; a row leaves when it has arrived or is given up, and stays in the log of attempts.
create table deliveries (
  event_id             text collate "C" primary key,
  lane                 text collate "C" not null,
  agent_id             text collate "C" not null,
  -- The task's callback_url; null: the webhook_url that the agent has when it is sent.
  url                  text,
  -- Finds the event in its partition.
  event_at             timestamptz not null,
  attempts             smallint not null default 0,
  attempts_max         smallint not null check (attempts_max > 0),
  next_try_at          timestamptz not null,
  created_at           timestamptz not null,
  check (attempts < attempts_max)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
create index deliveries_of_lane on deliveries (lane, next_try_at);

create type attempt_outcome as enum ('delivered', 'failed', 'given_up', 'disabled');

-- Every attempt; a partition a day, dropped when it is 30 days old.
create table delivery_attempts (
  id                   text collate "C" not null,
  event_id             text collate "C" not null,
  agent_id             text collate "C" not null,
  task_id              text collate "C",
  type                 text not null,
  url                  text not null,
  number               smallint not null,
  outcome              attempt_outcome not null,
  -- Of the answer; null when there was none, and `error` says why.
  status               smallint,
  error                text,
  answer               text,
  ms                   integer not null,
  next_try_at          timestamptz,
  created_at           timestamptz not null,
  check ((next_try_at is not null) = (outcome = 'failed'))
) partition by range (created_at);
create table delivery_attempts_rest partition of delivery_attempts default;
create index delivery_attempts_of_agent on delivery_attempts (agent_id, id);
create index delivery_attempts_of_event on delivery_attempts (event_id);
create index delivery_attempts_failed on delivery_attempts (agent_id, id) where outcome <> 'delivered';

-- Callback addresses that have answered 410.
create table gone_callbacks (
  agent_id             text collate "C" not null,
  url                  text collate "C" not null,
  gone_at              timestamptz not null,
  primary key (agent_id, url)
);

grant select, insert, update, delete on webhook_lanes, deliveries, gone_callbacks to legwork_app;
grant select, insert, update on event_counters to legwork_app;
grant select, insert on delivery_attempts to legwork_app;
grant update (event_sequence) on tasks to legwork_app;
grant update (webhook_secret_old, webhook_secret_old_until) on agents to legwork_app;
