-- Indexes the open tasks of each agent, which the caps of its tier count.
-- lock: tasks, share, while it is read once; on a large table, build the index concurrently before
-- backfill: none

-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_open_of_agent on tasks (agent_id) where ended_at is null;
