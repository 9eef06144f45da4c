-- The database after all migrations, to be read. Made by `npm run generate`; changes are lost.
-- Left out: partitions, the table of migrations, the schema graphile_worker.

create type agent_mode as enum ('live', 'test');

create type task_budget_basis as enum ('total', 'per_worker');

create type task_funding as enum ('wallet', 'free');

create type task_proof as enum ('text', 'photo', 'video', 'audio');

create type task_status as enum ('pending', 'in_progress', 'proof_submitted', 'completed', 'disputed', 'expired', 'cancelled');

create type task_type as enum ('verification', 'voice_proxy', 'gut_check', 'field_mission', 'empathy_escalation', 'vibe_reader', 'custom');

create type task_urgency as enum ('instant', 'urgent', 'standard', 'flex', 'scheduled');

create table agent_emails (
  email    text collate "C" not null,
  agent_id text collate "C" not null,
  constraint agent_emails_taken primary key (email),
  constraint agent_emails_email_check check (email = lower(email))
);
grant select, insert on agent_emails to legwork_app;

create table agents (
  id             text collate "C" not null,
  mode           agent_mode not null,
  twin_id        text collate "C" not null,
  name           text not null,
  email          text not null,
  status         text not null default 'active',
  webhook_url    text,
  webhook_secret text not null,
  events         text[] not null default '{}'::text[],
  created_at     timestamptz not null,
  constraint agents_pkey primary key (id),
  constraint agents_check check (twin_id <> id),
  constraint agents_id_check check (id ~ '^agent_[0-9a-z]{26}$'),
  constraint agents_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint agents_status_check check (status in ('active', 'restricted', 'closed'))
) with (fillfactor=80);
grant select, insert, update (name, status, webhook_url, webhook_secret, events) on agents to legwork_app;

create table api_keys (
  key_hash     text collate "C" not null,
  id           text collate "C" not null,
  agent_id     text collate "C" not null,
  mode         agent_mode not null,
  name         text not null,
  prefix       text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  expires_at   timestamptz,
  constraint api_keys_pkey primary key (key_hash),
  constraint api_keys_id_key unique (id),
  constraint api_keys_id_check check (id ~ '^key_[0-9a-z]{26}$'),
  constraint api_keys_name_check check (length(name) >= 1 and length(name) <= 100)
);
create index api_keys_of_agent on api_keys (agent_id, id);
grant select, insert, update (name, last_used_at, expires_at) on api_keys to legwork_app;

create table events (
  id         text collate "C" not null,
  type       text not null,
  agent_id   text collate "C" not null,
  task_id    text collate "C",
  data       json not null,
  created_at timestamptz not null,
  constraint events_pkey primary key (created_at, id)
) partition by range (created_at);
create index events_of_agent on events (agent_id, id);
create index events_of_task on events (task_id, id);
grant select, insert on events to legwork_app;

create table idempotency_keys (
  week        date not null,
  principal   text collate "C" not null,
  key_hash    text collate "C" not null,
  fingerprint text collate "C" not null,
  status      smallint,
  answer      text,
  created_at  timestamptz not null,
  constraint idempotency_keys_pkey primary key (principal, key_hash, week)
) partition by range (week);
grant select, insert, update (status, answer) on idempotency_keys to legwork_app;

create table job_processes (
  id         text collate "C" not null,
  runner_ids text[] not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  constraint job_processes_pkey primary key (id)
);
grant select, insert, update, delete on job_processes to legwork_app;

create table ledger_agents (
  agent_id             text collate "C" not null,
  mode                 agent_mode not null,
  wallet_cents         bigint not null default 0,
  receivable_cents     bigint not null default 0,
  statement_no         bigint not null default 0,
  free_tasks_granted   integer not null default 0,
  free_tasks_remaining integer not null default 0,
  constraint ledger_agents_pkey primary key (agent_id),
  constraint agent_free_tasks_left check (free_tasks_remaining >= 0 and free_tasks_remaining <= free_tasks_granted),
  constraint agent_owes_or_owns check (wallet_cents = 0 or receivable_cents = 0),
  constraint agent_receivable_not_negative check (receivable_cents >= 0),
  constraint agent_wallet_not_negative check (wallet_cents >= 0)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
grant select on ledger_agents to legwork_app;

create table ledger_transits (
  ref_id           text collate "C" not null,
  mode             agent_mode not null,
  in_transit_cents bigint not null default 0,
  constraint ledger_transits_pkey primary key (ref_id),
  constraint transit_not_negative check (in_transit_cents >= 0)
) with (fillfactor=50);
grant select on ledger_transits to legwork_app;

create table ledger_workers (
  worker_id        text collate "C" not null,
  mode             agent_mode not null,
  statement_no     bigint not null default 0,
  payable_cents    bigint not null default 0,
  receivable_cents bigint not null default 0,
  constraint ledger_workers_pkey primary key (worker_id),
  constraint worker_payable_not_negative check (payable_cents >= 0),
  constraint worker_receivable_not_negative check (receivable_cents >= 0)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
grant select on ledger_workers to legwork_app;

create table outbox (
  position   bigint not null generated always as identity,
  id         text collate "C" not null,
  type       text not null,
  agent_id   text collate "C" not null,
  task_id    text collate "C",
  data       json not null,
  created_at timestamptz not null,
  constraint outbox_pkey primary key ("position")
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=2000);
grant select, insert, update, delete on outbox to legwork_app;

create table tasks (
  id                 text collate "C" not null,
  agent_id           text collate "C" not null,
  mode               agent_mode not null,
  type               task_type not null,
  status             task_status not null default 'pending'::task_status,
  status_reason      text,
  title              text,
  description        text not null,
  budget_cents       bigint not null,
  budget_basis       task_budget_basis not null,
  locked_cents       bigint not null,
  escrow_cents       bigint not null,
  funding            task_funding not null,
  urgency            task_urgency not null,
  proof_required     task_proof not null,
  consensus_count    integer not null,
  deadline           timestamptz not null,
  scheduled_at       timestamptz,
  window_minutes     integer,
  auto_approve_after integer not null,
  min_worker_level   integer not null,
  skills             text[] not null,
  location           json,
  context            json not null,
  metadata           json,
  answer_schema      json,
  criteria           json,
  callback_url       text,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  ended_at           timestamptz,
  constraint tasks_pkey primary key (id),
  constraint tasks_budget_cents_check check (budget_cents >= 1 and budget_cents <= 1000000),
  constraint tasks_consensus_count_check check (consensus_count >= 1 and consensus_count <= 25),
  constraint tasks_description_check check (length(description) >= 1 and length(description) <= 5000),
  constraint tasks_escrow_follows_status check (case when ended_at is null then escrow_cents = locked_cents and locked_cents > 0 and (status = any (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) else escrow_cents = 0 and (status <> all (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) end)
) with (fillfactor=85);
create index tasks_due on tasks (deadline) where (status = any (array['pending'::task_status, 'in_progress'::task_status]));
create index tasks_of_agent on tasks (agent_id, id);
grant select, update (status, status_reason, escrow_cents, updated_at, ended_at) on tasks to legwork_app;

create table transfers (
  key                  text collate "C" not null,
  line                 smallint not null,
  id                   text collate "C" not null,
  mode                 agent_mode not null,
  kind                 text not null,
  debit                text collate "C" not null,
  credit               text collate "C" not null,
  amount_cents         bigint not null,
  shard                smallint not null,
  agent_id             text collate "C",
  worker_id            text collate "C",
  task_id              text collate "C",
  ref_id               text collate "C",
  agent_statement_no   bigint,
  agent_balance_cents  bigint,
  worker_statement_no  bigint,
  worker_balance_cents bigint,
  request_hash         bigint not null,
  created_at           timestamptz not null,
  constraint transfers_pkey primary key (key, line),
  constraint transfers_amount_cents_check check (amount_cents > 0),
  constraint transfers_check check (debit <> credit),
  constraint transfers_escrow_of_its_task check (not (debit = 'liab:escrow' or credit = 'liab:escrow') or starts_with(key, ('task:' || task_id) || ':') is true)
);
create unique index transfers_agent_statement on transfers (agent_id, agent_statement_no) where (agent_statement_no is not null);
create unique index transfers_worker_statement on transfers (worker_id, worker_statement_no) where (worker_statement_no is not null);
create trigger transfers_append_only before delete or update on transfers for each row execute function refuse_change();
create trigger transfers_no_truncate before truncate on transfers for each statement execute function refuse_change();
grant select on transfers to legwork_app;

-- Functions

-- server/functions/create_tasks.sql; legwork_app may call it
create function create_tasks(
  p_now timestamptz,
  p_free_max_cents bigint,
  t_id text[],
  t_agent text[],
  t_shard smallint[],
  t_cents bigint[],
  t_txn text[],
  t_evt text[],
  k_hash text[],
  k_fingerprint text[],
  p_rows json
)
  returns table(item integer, outcome text, funding task_funding, balance_cents bigint, status smallint, answer text) language plpgsql security definer;

-- server/functions/ledger_free_tasks.sql; legwork_app may call it
create function ledger_free_tasks(p_agents text[], p_changes integer[])
  returns void language sql security definer;

-- server/functions/ledger_open.sql; legwork_app may call it
create function ledger_open(p_owner text, p_mode agent_mode, p_free_tasks integer default 0)
  returns void language plpgsql security definer;

-- server/functions/ledger_post.sql; legwork_app may call it
create function ledger_post(
  p_now timestamptz,
  e_key text[],
  e_mode agent_mode[],
  e_kind text[],
  e_shard smallint[],
  l_entry integer[],
  l_id text[],
  l_debit text[],
  l_credit text[],
  l_amount bigint[],
  l_agent text[],
  l_worker text[],
  l_task text[],
  l_ref text[]
)
  returns table(entry integer, outcome text, balance_cents bigint) language plpgsql security definer;

-- server/functions/maintain_partitions.sql; legwork_app may call it
create function maintain_partitions()
  returns void language plpgsql security definer;

-- server/migrations/0003_ledger.sql; legwork_app may call it
create function refuse_change()
  returns trigger language plpgsql;
