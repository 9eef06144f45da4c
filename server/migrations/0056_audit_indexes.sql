-- Adds the indexes by which the audit finds new lines and open transits. A block range index costs almost nothing per
-- insert, and lines are stored in the order of their transactions.
-- lock: transfers, balance_transactions and ledger_transits, share: nothing is written while an index is built
-- backfill: none

-- On a large table, add the columns of 0049 and build these by hand before the release, concurrently.
-- squawk-ignore require-concurrent-index-creation
create index if not exists transfers_posted on transfers using brin (posted_xid) with (autosummarize = on);
-- squawk-ignore require-concurrent-index-creation
create index if not exists balance_transactions_posted on balance_transactions using brin (posted_xid)
  with (autosummarize = on);

-- Open transits are few, ended ones are history.
-- squawk-ignore require-concurrent-index-creation
create index if not exists ledger_transits_open on ledger_transits (ref_id) where in_transit_cents <> 0;
