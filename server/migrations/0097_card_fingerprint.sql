-- Stores which card paid a deposit: the processor's fingerprint, by which the cards of agents are compared.
-- lock: deposits, access exclusive, for an instant (a column without a default)
-- backfill: none; deposits that were paid before have no fingerprint

alter table deposits add column if not exists card_fingerprint text;
grant update (card_fingerprint) on deposits to legwork_app;
comment on column deposits.card_fingerprint is
  'personal: agent; keep: payouts between accounts of one person are held; row; export: no: used against fraud only';
