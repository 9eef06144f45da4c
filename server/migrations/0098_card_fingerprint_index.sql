-- Index the fingerprints of cards, by which agents are compared.
-- lock: deposits, share: nothing is written while the index is built; none when it is there already
-- backfill: none

-- On a large table it is built by hand before the release, concurrently.
-- squawk-ignore require-concurrent-index-creation
create index if not exists deposits_of_card on deposits (card_fingerprint, agent_id)
  where card_fingerprint is not null;
