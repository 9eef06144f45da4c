-- Index the fingerprints of bank accounts, by which workers are compared.
-- lock: payout_accounts, share: nothing is written while the index is built; none when it is there already
-- backfill: none

-- On a large table it is built by hand before the release, concurrently.
-- squawk-ignore require-concurrent-index-creation
create index if not exists payout_accounts_of_fingerprint on payout_accounts (bank_fingerprint)
  where bank_fingerprint is not null;
