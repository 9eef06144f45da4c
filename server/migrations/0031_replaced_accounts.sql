-- A worker whose payout account was closed or rejected may open another one, when an operator allows it.
-- lock: payout_accounts, access exclusive, for an instant (a column with a constant default)
-- backfill: none

alter table payout_accounts
  -- How many accounts came before this one. Part of the idempotency key under which the processor opens it.
  add column if not exists replaced_count smallint not null default 0;

grant update (replaced_count) on payout_accounts to legwork_app;
