-- A dispute that the worker can still appeal, or has appealed, counts in the score but not in the level.
-- The checks hold for every row there is, since nothing but the defaults can be in the new columns.
-- lock: workers, trust_events, access exclusive, for an instant (columns with constant defaults)
-- backfill: none; disputes made before this migration count in the level at once, unless they are appealed

-- The part of trust_bad that is pending: the sum of `bad` over the worker's pending events.
alter table workers
  add column if not exists trust_pending double precision not null default 0,
  add constraint workers_trust_pending check (trust_pending >= 0) not valid;

alter table trust_events
  -- When the window for an appeal opened; null for an event that counts in full.
  add column if not exists pending_since timestamptz,
  -- An appeal waits for its ruling, so the end of the window changes nothing.
  add column if not exists is_appealed boolean not null default false,
  add constraint trust_events_pending check (pending_since is null or cause = 'disputed') not valid,
  add constraint trust_events_appealed check (not is_appealed or pending_since is not null) not valid;
