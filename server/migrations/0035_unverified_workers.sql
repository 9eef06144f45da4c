-- Accounts of workers who never confirmed their email are deleted after some weeks: they are found by their age. The
-- reports of a worker are found by the worker.
-- lock: workers and task_reports, while an index is built; on a large table build it by hand first, concurrently
-- backfill: none

-- squawk-ignore require-concurrent-index-creation
create index if not exists workers_unverified on workers (created_at) where status = 'unverified';

-- How operators judged the earlier reports of a worker.
-- squawk-ignore require-concurrent-index-creation
create index if not exists task_reports_of_worker on task_reports (worker_id);
