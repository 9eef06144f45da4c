-- Workers: people who do the tasks, how they prove who they are, and what moved their trust.
-- Jobs processes of the release before can't take the mails' rows: end them before this one's API starts.
-- lock: outbox, access exclusive, for an instant (a column loses its not null)
-- backfill: none

create type worker_status as enum ('unverified', 'active', 'suspended', 'closed');

create table workers (
  id                   text collate "C" primary key check (id ~ '^worker_[0-9a-z]{26}$'),
  -- People are live; the scripted workers of test mode are not.
  mode                 agent_mode not null,
  name                 text not null check (length(name) between 1 and 100),
  email                text not null,
  password_hash        text not null,
  status               worker_status not null default 'unverified',
  -- Part of every token: raising it ends all sessions at once.
  session_version      integer not null default 1,
  skills               text[] not null default '{}',
  languages            text[] not null default '{}',
  -- {label, lat, lng, radius_km}
  location             json,
  preferences          json not null default '{}',
  -- Sums of what moved the trust, each scaled by its time so that they only need adding up (workers/trust.ts).
  trust_good           double precision not null default 0,
  trust_bad            double precision not null default 0,
  approved_count       integer not null default 0,
  disputed_count       integer not null default 0,
  -- Answers of consensus tasks that were judged, and how good the worker is taken to be at them (tasks/fit-accuracy.ts).
  accuracy             double precision not null default 0.8 constraint worker_accuracy check (accuracy between 0.5 and 0.99),
  identity_done_at     timestamptz,
  payouts_ready_at     timestamptz,
  verified_at          timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null
) with (fillfactor = 70);

-- The directory: e-mail → worker.
create table worker_emails (
  email                text collate "C" constraint worker_emails_taken primary key check (email = lower(email)),
  worker_id            text collate "C" not null
);

-- The links in mails. Only the SHA-256 of a token is kept.
create table worker_tokens (
  token_hash           text collate "C" primary key,
  worker_id            text collate "C" not null,
  purpose              text not null check (purpose in ('verify', 'reset')),
  created_at           timestamptz not null,
  expires_at           timestamptz not null,
  used_at              timestamptz
);
create index worker_tokens_of_worker on worker_tokens (worker_id, purpose);

-- Why a worker's trust is what it is; the key lets each cause count once.
create table trust_events (
  worker_id            text collate "C" not null,
  key                  text collate "C" not null,
  cause                text not null,
  -- What it added to trust_good and trust_bad of the worker, scaled as they are, and what it weighs by itself.
  good                 double precision not null,
  bad                  double precision not null,
  weight               double precision not null,
  task_id              text collate "C",
  created_at           timestamptz not null,
  primary key (worker_id, key)
);
create index trust_events_of_worker on trust_events (worker_id, created_at);

-- Mails to workers go through the outbox, too, and concern no agent.
-- squawk-ignore ban-drop-not-null
alter table outbox alter column agent_id drop not null;

grant select, insert on workers, worker_emails, worker_tokens, trust_events to legwork_app;
grant update (name, password_hash, status, session_version, skills, languages, location, preferences, accuracy,
              identity_done_at, payouts_ready_at, verified_at, updated_at) on workers to legwork_app;
grant update (used_at, expires_at) on worker_tokens to legwork_app;
grant delete on worker_tokens to legwork_app;
