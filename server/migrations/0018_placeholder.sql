-- Keeps the place of a migration that is on its way; gives way to it before either is released.
-- lock: none
-- backfill: none

select 1;
