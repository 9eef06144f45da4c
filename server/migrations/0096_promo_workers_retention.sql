-- What free tasks paid each worker on a day is needed for that day's bound only. It is kept for 90 days, for operators
-- who look into a farm; the books have every payment.
-- lock: none
-- backfill: none

comment on table promo_workers is 'rows: 90 days after day; by: runner.remove-expired';
