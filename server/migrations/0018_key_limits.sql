-- Keys have scopes, types, an end, caps and a place in a tree; tasks remember the limited keys that paid for them.
-- lock: api_keys and tasks, access exclusive, for an instant (columns with a constant default or none)
-- backfill: none

-- A key without any limit is the agent's own. One that is limited once stays so, and whatever it makes is below it.
alter table api_keys
  add column scopes text[] not null default '{create,review,read,manage}',
  -- Types of tasks that it may create; null: all.
  add column types text[],
  add column is_limited boolean not null default false,
  -- The keys above it, from the top.
  add column ancestors text[] collate "C" not null default '{}',
  -- It sees the tasks made by this key and those below it; null: all of the agent's.
  add column sees text collate "C",
  add constraint api_keys_scopes check (
    cardinality(scopes) > 0 and scopes <@ array['create', 'review', 'read', 'manage']) not valid,
  add constraint api_keys_types check (cardinality(types) > 0) not valid,
  add constraint api_keys_depth check (cardinality(ancestors) <= 4) not valid,
  add constraint api_keys_limited check (
    is_limited or cardinality(ancestors) = 0 and types is null and sees is null and cardinality(scopes) = 4) not valid;

-- The caps of a limited key, and what was spent under them. An agent's own key has no row, and costs no lock.
create table key_limits (
  key_id               text collate "C" primary key,
  agent_id             text collate "C" not null,
  -- What was spent before, in the agent's own time, is not counted.
  since                timestamptz not null,
  task_max_cents       bigint check (task_max_cents > 0),
  day_max_cents        bigint check (day_max_cents > 0),
  month_max_cents      bigint check (month_max_cents > 0),
  budget_cents         bigint check (budget_cents > 0),
  -- The last day and month (UTC, in the agent's own time) in which it was charged, and with how much.
  day                  date not null default '-infinity',
  day_cents            bigint not null default 0 check (day_cents >= 0),
  month                date not null default '-infinity',
  month_cents          bigint not null default 0 check (month_cents >= 0),
  total_cents          bigint not null default 0 check (total_cents >= 0)
) with (fillfactor = 70);

-- Secrets that a key had before it was rotated, while they still work. Only the SHA-256 is kept.
create table rotated_keys (
  key_hash             text collate "C" primary key,
  key_id               text collate "C" not null,
  expires_at           timestamptz not null
);
create index rotated_keys_of_key on rotated_keys (key_id, expires_at);

-- The limited key that made a task, last, after all above it: what comes back to the wallet comes back to their caps.
alter table tasks add column if not exists key_path text[] collate "C";

grant update (key_hash, prefix, is_limited) on api_keys to legwork_app;
grant select on key_limits, rotated_keys to legwork_app;
-- What was spent is written by functions alone.
grant insert (key_id, agent_id, since, task_max_cents, day_max_cents, month_max_cents, budget_cents)
  on key_limits to legwork_app;
grant update (task_max_cents, day_max_cents, month_max_cents, budget_cents) on key_limits to legwork_app;
grant insert, delete on rotated_keys to legwork_app;
