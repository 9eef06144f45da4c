-- Keep a sum of clearing beside those of the processor.
-- lock: ledger_sums, access exclusive, for an instant (a constraint on a few rows)
-- backfill: none

alter table ledger_sums drop constraint ledger_sums_name_check;
-- squawk-ignore constraint-missing-not-valid
alter table ledger_sums add constraint ledger_sums_name_check check (name in ('processor', 'clearing', 'mirror'));
comment on table ledger_sums is 'rows: kept: three rows';
