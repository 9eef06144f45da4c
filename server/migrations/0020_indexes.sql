-- Indexes over what 0017 to 0019 have added, and over completed live tasks for quotes.
-- lock: tasks, agents, workers, share: nothing is written while each is built; none when they are there already
-- backfill: none

-- On large tables they are built by hand before the release, concurrently. Their columns do not exist by then: add
-- them by hand as well, as 0017 to 0019 have it, for an instant each; all of it is said `if not exists` there and here.

-- Test tasks only.
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_rehearse on tasks (rehearse_at) where rehearse_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_of_clock on tasks (agent_id)
  where rehearsal is not null and (ended_at is null or status = 'disputed');

-- Tasks of limited keys only.
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_of_keys on tasks using gin (key_path) where key_path is not null;

-- The newest of them make the quotes, however many test tasks there are.
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_quoted on tasks (id) where mode = 'live' and status = 'completed';

-- Workers of test mode only.
-- squawk-ignore require-concurrent-index-creation
create index if not exists workers_of_agent on workers (agent_id, created_at) where agent_id is not null;

-- Agents that want to be told, and test agents that end.
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_low_balance_due on agents (low_balance_look_at) where low_balance_cents is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists agents_ending on agents (expires_at) where expires_at is not null and status <> 'closed';
