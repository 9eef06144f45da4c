-- Drops the indexes of the logs that the keys of 0060 replace: those begin with the same columns.
-- lock: delivery_attempts and refused_requests, access exclusive, for an instant
-- backfill: none

-- An index of a partitioned table can't be dropped concurrently.
-- squawk-ignore require-concurrent-index-deletion
drop index delivery_attempts_of_agent;
-- squawk-ignore require-concurrent-index-deletion
drop index refused_requests_of_agent;
