-- Adds the id of the transaction that wrote a line, so that the audit finds the lines that are new since its position
-- (docs/ledger.md). Lines from before this migration have none: the audit's first round covers them.
-- lock: transfers and balance_transactions, access exclusive, for an instant (a column without a default)
-- backfill: none

alter table transfers add column if not exists posted_xid bigint;
alter table transfers alter column posted_xid set default pg_current_xact_id()::text::bigint;

alter table balance_transactions add column if not exists posted_xid bigint;
alter table balance_transactions alter column posted_xid set default pg_current_xact_id()::text::bigint;

-- Money in transit is the sum of the lines under the keys of its payout or refund: the audit reads them by key.
alter table transfers add constraint transfers_transit_of_its_key check (
  not (debit in ('liab:payout_in_transit', 'liab:refund_in_transit')
       or credit in ('liab:payout_in_transit', 'liab:refund_in_transit'))
  or starts_with(key, ('payout:' || ref_id) || ':') is true
  or starts_with(key, ('refund:' || ref_id) || ':') is true) not valid;
