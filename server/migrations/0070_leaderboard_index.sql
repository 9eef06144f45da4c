-- Add an index of the approved copies of assignments, which only a database with several shards has, for leaderboards.
-- lock: away_assignments, share, while it is read once; on a large table, build the index concurrently before
-- backfill: none

-- squawk-ignore require-concurrent-index-creation
create index if not exists away_assignments_approved on away_assignments (ended_at) where status = 'approved';
