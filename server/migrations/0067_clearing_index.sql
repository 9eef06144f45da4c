-- Add an index of the lines through clearing, which only a ledger with several shards has, for sums over them.
-- lock: transfers, share, while it is read once; on a large ledger, build the index concurrently before
-- backfill: none

-- squawk-ignore require-concurrent-index-creation
create index if not exists transfers_clearing on transfers (created_at)
  where mode = 'live' and (debit = 'liab:clearing' or credit = 'liab:clearing');
