-- Counts how often one phone number, place or person is the target of tasks, over all agents.
-- lock: none; new tables
-- backfill: none

-- The key of the hashes of targets. It is made once and never replaced: with another key, everything counted before
-- would be forgotten.
create table target_keys (
  id  smallint constraint target_keys_pkey primary key constraint target_keys_one check (id = 1),
  key bytea not null constraint target_keys_length check (length(key) = 32)
);
grant select, insert on target_keys to legwork_app;

create type target_kind as enum ('phone', 'place', 'person');

-- One row for each target of a task. `target` is an HMAC of its kind and value.
create table target_uses (
  target      text collate "C" not null,
  task_id     text collate "C" not null,
  kind        target_kind not null,
  reserved_at timestamptz not null,
  -- When to see whether the task exists, and whether it ended before a worker took it; null once it counts for good.
  check_at    timestamptz,
  constraint target_uses_pkey primary key (target, task_id)
);
create index target_uses_in_order on target_uses (target, reserved_at);
create index target_uses_reserved_at on target_uses (reserved_at);
create index target_uses_check_at on target_uses (check_at) where check_at is not null;
create index target_uses_of_task on target_uses (task_id);
grant select, insert, delete, update (check_at) on target_uses to legwork_app;

comment on table target_keys is 'rows: kept: one row, without which no target is recognized again';
comment on column target_keys.key is 'not personal';
comment on table target_uses is 'rows: 30 days after reserved_at; by: runner.remove-expired';
comment on column target_uses.target is
  'personal: third person; keep: protects this person; row; export: no: a keyed hash, and nobody has an account for it';
comment on column target_uses.task_id is 'not personal';
