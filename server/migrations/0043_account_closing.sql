-- A worker closes their account. The request waits for a grace period and for earned money, then the clock closes the
-- account and erases who it belonged to.
-- lock: workers, access exclusive, for an instant (columns without a default)
-- backfill: none

alter table workers
  -- When the worker asked to close the account; null unless that is pending.
  add column if not exists closing_at timestamptz,
  -- The end of the grace period. The account is closed from then on, as soon as nothing is open.
  add column if not exists closes_at timestamptz,
  -- When the account was closed at the worker's request. Operators' decisions are in worker_decisions.
  add column if not exists closed_at timestamptz,
  add constraint workers_closing check ((closing_at is null) = (closes_at is null)) not valid,
  add constraint workers_closed check
    (closed_at is null or (status = 'closed' and closing_at is null and password_hash = 'none')) not valid;
grant update (closing_at, closes_at, closed_at) on workers to legwork_app;

-- The clock of an account that is being closed, and then of its email, which is kept for the last mail only.
create table worker_closings (
  worker_id   text collate "C" not null constraint worker_closings_pkey primary key,
  look_at     timestamptz not null,
  -- The last reminder that a balance waits for a bank account.
  reminded_at timestamptz
);
create index worker_closings_due on worker_closings (look_at);
grant select, insert, update (look_at, reminded_at), delete on worker_closings to legwork_app;
