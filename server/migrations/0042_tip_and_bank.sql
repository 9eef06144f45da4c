-- Shows workers a tip in the notice of their pay, and the last digits of the bank account that payouts go to.
-- lock: notices and payout_accounts, access exclusive, for an instant (columns without a default)
-- backfill: none; an old notice has no tip, and an account gets its digits at its next refresh

alter table notices
  add column if not exists tip_cents bigint,
  add constraint notices_tip check (tip_cents > 0) not valid;

alter table payout_accounts
  add column if not exists bank_last4 text,
  add constraint payout_accounts_bank_last4 check (bank_last4 ~ '^[0-9A-Za-z]{1,4}$') not valid;

grant update (bank_last4) on payout_accounts to legwork_app;
