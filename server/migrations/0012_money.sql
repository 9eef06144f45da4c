-- Money in and out: deposits, refunds and chargebacks, workers' accounts and payouts, what the processor tells us, and
-- its own list of movements that ours is held against.
-- lock: transfers and tasks, share, while small indexes are built; agents and workers, access exclusive, for an instant
-- backfill: none

create type deposit_status as enum ('creating', 'open', 'processing', 'succeeded', 'failed', 'expired', 'mismatched',
  'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost');

-- An agent pays in on the processor's page. Its id is shown as a wallet transaction's.
create table deposits (
  id                     text collate "C" primary key check (id ~ '^txn_[0-9a-z]{26}$'),
  agent_id               text collate "C" not null,
  mode                   agent_mode not null,
  amount_cents           bigint not null check (amount_cents > 0),
  status                 deposit_status not null default 'creating',
  -- Whose Idempotency-Key asked for it: tried again after a crash, the request finds its own deposit. Given free when
  -- the deposit can no longer be paid.
  request_key            text collate "C" unique,
  session_id             text collate "C" unique,
  payment_intent_id      text collate "C" unique,
  charge_id              text collate "C" unique,
  -- The processor's movement that brought the money, and what it kept of it; known later than the success.
  balance_transaction_id text collate "C" unique,
  fee_cents              bigint check (fee_cents >= 0),
  -- Refunds asked for and not refused, and those made in the processor's dashboard.
  refunded_cents         bigint not null default 0,
  expires_at             timestamptz not null,
  -- When to look at the processor again; null when nothing more is to come by itself.
  check_at               timestamptz,
  succeeded_at           timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  constraint deposits_refunded check (refunded_cents between 0 and amount_cents),
  -- Nobody is charged in the test book.
  constraint deposits_paid check (succeeded_at is null or charge_id is not null or mode = 'test')
) with (fillfactor = 80);
create index deposits_of_agent on deposits (agent_id, id);
create index deposits_succeeded on deposits (agent_id, succeeded_at) where succeeded_at is not null;
create index deposits_open on deposits (status) where status in ('creating', 'open', 'processing', 'mismatched');
create index deposits_due on deposits (check_at) where check_at is not null;

-- A payment in the last second may follow our own mark that it expired; nothing leaves success but a refund or a dispute.
create function refuse_deposit_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status
     or old.status = 'creating' and new.status in ('open', 'processing', 'succeeded', 'failed', 'expired', 'mismatched')
     or old.status in ('open', 'processing', 'failed', 'expired')
        and new.status in ('processing', 'succeeded', 'failed', 'expired', 'mismatched')
        and not (old.status in ('failed', 'expired') and new.status = 'processing')
     or old.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')
        and new.status in ('succeeded', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')
     -- We may first see a dispute when it is decided.
     or old.status = 'mismatched' and new.status in ('disputed', 'dispute_won', 'dispute_lost') then
    return new;
  end if;
  raise exception 'a deposit that is % can not become %', old.status, new.status using errcode = 'check_violation';
end
$$;
create trigger deposits_moves before update of status on deposits
  for each row execute function refuse_deposit_move();

-- A payer's bank took a payment back. The id is the processor's.
create table chargebacks (
  id                     text collate "C" primary key,
  deposit_id             text collate "C" not null,
  agent_id               text collate "C" not null,
  amount_cents           bigint not null check (amount_cents > 0),
  reason                 text not null,
  -- In the processor's words: needs_response, under_review, won, lost …
  status                 text not null,
  due_by                 timestamptz,
  -- As in deposits.
  check_at               timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null
);
create index chargebacks_of_agent on chargebacks (agent_id, id);
create index chargebacks_of_deposit on chargebacks (deposit_id, id);
create index chargebacks_due on chargebacks (check_at) where check_at is not null;

create type refund_status as enum ('requested', 'submitting', 'pending', 'succeeded', 'rejected', 'failed');

-- Unspent money goes back to the card it came from.
create table refunds (
  id                     text collate "C" primary key check (id ~ '^rfd_[0-9a-z]{26}$'),
  deposit_id             text collate "C" not null,
  agent_id               text collate "C" not null,
  amount_cents           bigint not null check (amount_cents > 0),
  status                 refund_status not null default 'requested',
  processor_refund_id    text collate "C" unique,
  requested_by           text not null,
  reason                 text not null,
  failure_code           text,
  failure_message        text,
  check_at               timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  constraint refunds_sent check (status not in ('pending', 'succeeded', 'failed') or processor_refund_id is not null)
) with (fillfactor = 80);
create index refunds_of_deposit on refunds (deposit_id, id);
create index refunds_of_agent on refunds (agent_id, id);
create index refunds_open on refunds (status) where status in ('requested', 'submitting', 'pending');
create index refunds_due on refunds (check_at) where check_at is not null;

create function refuse_refund_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status
     or old.status = 'requested' and new.status in ('submitting', 'rejected')
     or old.status = 'submitting' and new.status in ('pending', 'succeeded', 'rejected', 'failed')
     or old.status = 'pending' and new.status in ('succeeded', 'failed')
     or old.status = 'succeeded' and new.status = 'failed' then
    return new;
  end if;
  raise exception 'a refund that is % can not become %', old.status, new.status using errcode = 'check_violation';
end
$$;
create trigger refunds_moves before update of status on refunds
  for each row execute function refuse_refund_move();

create type payout_account_status as enum ('onboarding', 'pending_verification', 'active', 'restricted', 'rejected',
  'closed');

-- A worker's account at the processor: one each, and none belongs to two.
create table payout_accounts (
  worker_id              text collate "C" primary key,
  account_id             text collate "C" constraint payout_accounts_taken unique,
  -- As they were when the account was asked for: a request that is repeated must be the same.
  country                text not null,
  email                  text not null,
  name                   text not null,
  status                 payout_account_status not null default 'onboarding',
  requirements_due       text[] not null default '{}',
  details_submitted      boolean not null default false,
  schedule_set_at        timestamptz,
  refreshed_at           timestamptz,
  check_at               timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null
) with (fillfactor = 80);
create index payout_accounts_due on payout_accounts (check_at) where check_at is not null;

create type payout_status as enum ('held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds', 'paid',
  'failed', 'partially_reversed', 'reversed');

-- What a worker has earned by one task, on its way to the worker's account. It lives on the worker's shard.
create table payouts (
  id                     text collate "C" primary key check (id ~ '^po_[0-9a-z]{26}$'),
  worker_id              text collate "C" not null,
  agent_id               text collate "C" not null,
  task_id                text collate "C" not null,
  mode                   agent_mode not null,
  funding                task_funding not null,
  amount_cents           bigint not null check (amount_cents > 0),
  status                 payout_status not null,
  -- Why it is held: funds too new, a free task, agent and worker alike, the day's promotional budget, an operator.
  hold_reason            text check (hold_reason in ('new_funds', 'free_task', 'self_dealing', 'promo_budget', 'review')),
  available_at           timestamptz not null,
  -- Pinned when it is requested: never to another one, whatever the worker does meanwhile.
  account_id             text collate "C",
  transfer_id            text collate "C" unique,
  reversed_cents         bigint not null default 0,
  failure_code           text,
  failure_message        text,
  -- The payout that this one tries again.
  previous_id            text collate "C" unique,
  -- An operator's word on a hold or a reversal.
  note                   text,
  check_at               timestamptz,
  paid_at                timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  constraint payouts_reversed check (reversed_cents between 0 and amount_cents),
  constraint payouts_paid check (
    (status in ('paid', 'partially_reversed', 'reversed')) = (paid_at is not null)
    and (paid_at is null or transfer_id is not null or mode = 'test'))
) with (fillfactor = 80);
-- A task pays a worker once.
create unique index payouts_one_live on payouts (task_id, worker_id) where status not in ('failed', 'reversed');
create index payouts_of_task on payouts (task_id, worker_id);
create index payouts_of_worker on payouts (worker_id, id);
create index payouts_waiting on payouts (worker_id) where status = 'awaiting_account';
create index payouts_open on payouts (status)
  where status in ('held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds');
create index payouts_due on payouts (check_at) where check_at is not null;

create function refuse_payout_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status
     or old.status in ('held', 'awaiting_account') and new.status in ('held', 'awaiting_account', 'requested')
     or old.status = 'requested' and new.status in ('submitting', 'failed')
     or old.status = 'submitting' and new.status in ('paid', 'failed', 'awaiting_funds', 'awaiting_account')
     or old.status in ('awaiting_funds', 'awaiting_account') and new.status in ('submitting', 'failed')
     or old.status in ('paid', 'partially_reversed') and new.status in ('partially_reversed', 'reversed')
     -- Only in the test book, where nobody is asked.
     or old.status = 'requested' and new.status = 'paid' and new.mode = 'test' then
    return new;
  end if;
  raise exception 'a payout that is % can not become %', old.status, new.status using errcode = 'check_violation';
end
$$;
create trigger payouts_moves before update of status on payouts
  for each row execute function refuse_payout_move();

-- What free tasks have paid out on a day, held against the day's promotional budget.
create table promo_days (
  day                    date primary key,
  spent_cents            bigint not null default 0 check (spent_cents >= 0)
);

-- Every request that moves money at the processor, written before it is sent: the key, and what is known of its end.
-- While the outcome is null it may have happened; a new attempt is only made when it certainly did not.
create table processor_attempts (
  subject_id             text collate "C" not null,
  attempt                integer not null,
  key                    text collate "C" not null unique,
  begun_at               timestamptz not null,
  -- When it was last sent: what is still under way is not found by looking for it.
  sent_at                timestamptz,
  tries                  integer not null default 0,
  -- How often in a row the processor has answered with the same failure of its own.
  repeats                integer not null default 0,
  last_cause             text,
  outcome                text check (outcome in ('ok', 'refused', 'not_found')),
  code                   text,
  message                text,
  ended_at               timestamptz,
  primary key (subject_id, attempt)
);
create unique index processor_attempts_one_open on processor_attempts (subject_id) where outcome is null;

-- What the processor has told us, once each. It only says where to look.
create table processor_events (
  event_id               text collate "C" primary key,
  source                 text not null check (source in ('account', 'connect', 'v2', 'list')),
  type                   text not null,
  object_id              text collate "C" not null,
  account_id             text collate "C",
  payload                json not null,
  status                 text not null default 'pending' check (status in ('pending', 'handled', 'ignored', 'dead')),
  attempts               integer not null default 0,
  error                  text,
  -- As in deposits.
  check_at               timestamptz,
  created_at             timestamptz not null,
  received_at            timestamptz not null,
  handled_at             timestamptz
);
create index processor_events_due on processor_events (check_at) where check_at is not null;
create index processor_events_open on processor_events (received_at) where status in ('pending', 'dead');

-- The processor's own list of what moved its balance of ours, mirrored.
create table balance_transactions (
  id                     text collate "C" primary key,
  type                   text not null,
  reporting_category     text not null,
  amount_cents           bigint not null,
  fee_cents              bigint not null,
  net_cents              bigint not null,
  currency               text not null,
  source_id              text collate "C",
  created_at             timestamptz not null,
  available_on           timestamptz not null,
  mirrored_at            timestamptz not null,
  -- When our ledger was found to say the same; or nothing, where another line of theirs takes this one out again.
  matched_at             timestamptz,
  cancelled_by           text collate "C"
);
create index balance_transactions_created on balance_transactions (created_at);
create index balance_transactions_of_source on balance_transactions (source_id);
create index balance_transactions_unmatched on balance_transactions (created_at) where matched_at is null;

-- Which movement of our ledger is which of theirs.
create table processor_matches (
  key                    text collate "C" primary key,
  balance_transaction_id text collate "C" not null
);
create index processor_matches_of on processor_matches (balance_transaction_id);

-- What does not agree, with a life of its own: it is opened once, seen again, explained by someone or closed by itself.
create table money_breaks (
  id                     bigint generated always as identity primary key,
  kind                   text not null,
  subject                text collate "C" not null,
  amount_cents           bigint not null,
  detail                 text not null,
  opened_at              timestamptz not null,
  seen_at                timestamptz not null,
  explained_by           text,
  explanation            text,
  closed_at              timestamptz
);
create unique index money_breaks_open on money_breaks (kind, subject) where closed_at is null;

-- How the books stood against the processor, one row a run.
create table reconciliations (
  at                     timestamptz primary key,
  processor_cents        bigint not null,
  mirrored_cents         bigint not null,
  ledger_cents           bigint not null,
  own_funds_cents        bigint not null,
  -- What neither side explains, by how long it has been so.
  unexplained_new_cents  bigint not null,
  unexplained_hour_cents bigint not null,
  unexplained_day_cents  bigint not null
);

-- What reconciliation, or an operator, has stopped.
create table platform_switches (
  name                   text primary key check (name in ('free_tasks', 'payouts', 'withdrawals')),
  is_on                  boolean not null default true,
  reason                 text,
  set_by                 text not null default 'reconciliation',
  changed_at             timestamptz not null default now()
);
insert into platform_switches (name) values ('free_tasks'), ('payouts'), ('withdrawals');

-- The operator takes out of the processor's balance what is the operator's own.
create table withdrawals (
  id                     text collate "C" primary key check (id ~ '^wd_[0-9a-z]{26}$'),
  amount_cents           bigint not null check (amount_cents > 0),
  status                 text not null default 'requested' check (status in ('requested', 'sent', 'failed')),
  processor_payout_id    text collate "C" unique,
  requested_by           text not null,
  failure_message        text,
  check_at               timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null
);
create index withdrawals_due on withdrawals (check_at) where check_at is not null;

-- What operators did, in their own words; written before it is done.
create table operator_actions (
  id                     bigint generated always as identity primary key,
  at                     timestamptz not null,
  operator               text not null,
  command                text not null,
  words                  text[] not null,
  -- What came of it; null where the process did not live to say.
  outcome                text check (outcome in ('done', 'refused', 'failed')),
  answer                 text
);

-- From where someone registered, as it is counted for limits: an agent and a worker of one address who meet in a free
-- task are looked at by a person. Loopback and private addresses are not kept.
alter table agents add column registered_from text;
-- Why an agent is restricted: a chargeback that is won frees nobody whom an operator has restricted.
alter table agents add column restricted_for text check (restricted_for in ('chargeback', 'fraud_warning', 'operator'));
alter table workers add column registered_from text;

-- The lines that the processor's list is held against. On a large table they are built by hand first, concurrently.
-- squawk-ignore require-concurrent-index-creation
create index if not exists transfers_processor on transfers (created_at)
  where mode = 'live' and (debit = 'asset:processor_balance' or credit = 'asset:processor_balance');
-- squawk-ignore require-concurrent-index-creation
create index if not exists transfers_suspense on transfers (created_at)
  where mode = 'live' and (debit = 'liab:suspense' or credit = 'liab:suspense');
-- With tasks_due it covers every task that holds money.
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_in_review on tasks (id) where status = 'proof_submitted';

grant select, insert on deposits, chargebacks, refunds, payout_accounts, payouts, promo_days, processor_attempts,
  processor_events, balance_transactions, processor_matches, money_breaks, reconciliations, withdrawals, operator_actions
  to legwork_app;
grant update (status, request_key, session_id, payment_intent_id, charge_id, balance_transaction_id, fee_cents, refunded_cents,
              check_at, succeeded_at, updated_at) on deposits to legwork_app;
grant update (amount_cents, status, due_by, check_at, updated_at) on chargebacks to legwork_app;
grant update (status, processor_refund_id, failure_code, failure_message, check_at, updated_at) on refunds to legwork_app;
-- Country, e-mail and name only while there is no account: the processor may refuse a country.
grant update (account_id, country, email, name, status, requirements_due, details_submitted, schedule_set_at,
              refreshed_at, check_at, updated_at) on payout_accounts to legwork_app;
grant update (status, hold_reason, available_at, account_id, transfer_id, reversed_cents, failure_code, failure_message,
              note, check_at, paid_at, updated_at) on payouts to legwork_app;
grant update (spent_cents) on promo_days to legwork_app;
grant update (sent_at, tries, repeats, last_cause, outcome, code, message, ended_at) on processor_attempts to legwork_app;
grant update (status, attempts, error, check_at, handled_at) on processor_events to legwork_app;
grant update (available_on, matched_at, cancelled_by) on balance_transactions to legwork_app;
grant update (amount_cents, detail, seen_at, explained_by, explanation, closed_at) on money_breaks to legwork_app;
grant update (outcome, answer) on operator_actions to legwork_app;
grant update (restricted_for) on agents to legwork_app;
grant select, update on platform_switches to legwork_app;
grant update (status, processor_payout_id, failure_message, check_at, updated_at) on withdrawals to legwork_app;
