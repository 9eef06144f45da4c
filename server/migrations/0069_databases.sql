-- Let the schemas of a market live in several databases, and keep what one of them has to tell another.
-- lock: shards and assignments, access exclusive, for an instant (columns without a volatile default)
-- backfill: none

-- The list in the database of DATABASE_URL says where a schema is. In every database, is_here says whether it is this
-- one.
alter table shards
  add column database text collate "C" not null default 'main',
  add column is_here boolean not null default true;
comment on column shards.database is 'not personal';

-- Work that a transaction of this schema leaves for a schema of another database. The process that committed the
-- transaction does it before it responds; the relay does what is left over. A row is deleted when its work is done.
create table crossings (
  id         bigint generated always as identity primary key,
  home       text collate "C" not null,
  call       text not null,
  arguments  jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index crossings_of_home on crossings (home, id);
comment on table crossings is 'rows: until it is applied in the other schema; by: shards';
comment on column crossings.home is 'not personal';
comment on column crossings.call is 'not personal';
comment on column crossings.arguments is
  'personal: worker; keep: on its way to the worker’s schema; row; export: no: it is there within seconds';
grant select on crossings to legwork_app;

-- The crossings from schemas of other databases that were applied in this one, so that none is applied twice.
create table crossings_applied (
  source     text collate "C" not null,
  id         bigint not null,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (source, id)
);
create index crossings_applied_old on crossings_applied (applied_at);
comment on table crossings_applied is 'rows: 7 days after applied_at; by: runner.remove-expired';
comment on column crossings_applied.source is 'not personal';
grant select on crossings_applied to legwork_app;

-- The worker's accuracy when the task was accepted, if the worker lives in another database.
alter table assignments add column worker_accuracy double precision;
comment on column assignments.worker_accuracy is
  'personal: worker; keep: how the votes of a task were weighed; row; export: no: a figure of ours';

-- Data for the weight of a report whose reporter lives in another database: the result of tasks_reporter there, with
-- hashes instead of the address and the inbox.
create table away_reporters (
  task_id   text collate "C" not null,
  worker_id text collate "C" not null,
  weight    integer not null,
  address   text collate "C",
  inbox     text collate "C" not null,
  primary key (task_id, worker_id)
);
comment on table away_reporters is 'rows: kept: ends with its task';
comment on column away_reporters.task_id is 'not personal';
comment on column away_reporters.worker_id is 'not personal';
comment on column away_reporters.address is
  'personal: worker; keep: two reports of one person count once; row; export: no: a hash';
comment on column away_reporters.inbox is
  'personal: worker; keep: two reports of one person count once; row; export: no: a hash';
grant select, insert on away_reporters to legwork_app;
