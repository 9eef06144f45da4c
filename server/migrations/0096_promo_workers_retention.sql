-- The table has the sum that free tasks paid each worker on a day. Only that day's bound needs it. Operators who look
-- into a farm can read it for 90 days; the ledger has every payment.
-- lock: none
-- backfill: none

comment on table promo_workers is 'rows: 90 days after day; by: runner.remove-expired';
