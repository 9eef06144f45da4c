-- Stores what shows that accounts of workers belong together: the fingerprint of the bank account, and the signs that
-- were found when a payout was about to be sent.
-- lock: payout_accounts and payouts, access exclusive, for an instant (columns without a default)
-- backfill: payout_accounts.bank_fingerprint, by the next refresh of each account

alter table payout_accounts add column if not exists bank_fingerprint text;
grant update (bank_fingerprint) on payout_accounts to legwork_app;
comment on column payout_accounts.bank_fingerprint is
  'personal: worker; keep: payouts between accounts of one person are held; row; export: no: used against fraud only';

-- When an operator released the payout: it isn't held for its signs again.
alter table payouts add column if not exists cleared_at timestamptz;
grant update (cleared_at) on payouts to legwork_app;

create table payout_signals (
  payout_id  text collate "C" not null,
  sign       text not null,
  score      smallint not null check (score >= 0),
  -- Other accounts, or figures.
  detail     text not null,
  created_at timestamptz not null,
  primary key (payout_id, sign)
);
comment on table payout_signals is 'rows: kept: why a payout was held';
comment on column payout_signals.payout_id is 'not personal';
comment on column payout_signals.sign is 'not personal';
comment on column payout_signals.detail is 'not personal';
grant select, insert, update (score, detail) on payout_signals to legwork_app;
