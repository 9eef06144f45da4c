-- Bounds of test mode: one call at a time moves a test agent's clock, and what test agents store in a day is counted.
-- lock: test_clocks, access exclusive, for an instant (columns without a default)
-- backfill: none

-- A call holds the clock of its agent while it moves it, and says so at every step. The lease of a process that died
-- runs out by itself.
alter table test_clocks
  add column if not exists held_by text,
  add column if not exists held_until timestamptz;

-- How many tasks a test agent has created in a day of UTC, and how many bytes its tasks and files have; the same for
-- everything that came from one address.
create table test_usage (
  day                  date not null,
  subject              text collate "C" not null,
  tasks                bigint not null default 0 check (tasks >= 0),
  bytes                bigint not null default 0 check (bytes >= 0),
  primary key (subject, day)
);
create index test_usage_by_day on test_usage (day);
grant select, insert, update, delete on test_usage to legwork_app;
