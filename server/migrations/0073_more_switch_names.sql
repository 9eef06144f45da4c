-- Validates the constraint on the names of switches.
-- lock: platform_switches, share update exclusive, for an instant (13 rows)
-- backfill: none

alter table platform_switches validate constraint platform_switches_name_check;
