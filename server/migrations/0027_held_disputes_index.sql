-- An index over the deadlines of held disputes, for the clock.
-- lock: disputes, share: nothing is written while it is built; none when it is there already
-- backfill: none

-- On a large table it is built by hand before the release, concurrently. Add the columns of 0025 by hand as well.
-- squawk-ignore require-concurrent-index-creation
create index if not exists disputes_held_due on disputes (decides_by) where status = 'held';
