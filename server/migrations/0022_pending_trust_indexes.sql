-- Indexes over the pending events of 0021; they hold pending disputes only.
-- lock: trust_events, share: nothing is written while they are built; none when they are there already
-- backfill: none

-- On a large table they are built by hand before the release, concurrently. Add the columns of 0021 by hand as well.
-- squawk-ignore require-concurrent-index-creation
create index if not exists trust_events_pending_of_worker on trust_events (worker_id) where pending_since is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists trust_events_window_due on trust_events (pending_since)
  where pending_since is not null and not is_appealed;
