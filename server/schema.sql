-- The database after all migrations, to be read. Made by `npm run generate`; changes are lost.
-- Left out: partitions, the table of migrations, the schema graphile_worker.

create type agent_mode as enum ('live', 'test');

create type assignment_status as enum ('accepted', 'submitted', 'approved', 'disputed', 'released', 'expired', 'cancelled');

create type proof_outcome as enum ('done', 'not_possible');

create type task_budget_basis as enum ('total', 'per_worker');

create type task_funding as enum ('wallet', 'free');

create type task_proof as enum ('text', 'photo', 'video', 'audio');

create type task_status as enum ('pending', 'in_progress', 'proof_submitted', 'completed', 'disputed', 'expired', 'cancelled');

create type task_type as enum ('verification', 'voice_proxy', 'gut_check', 'field_mission', 'empathy_escalation', 'vibe_reader', 'custom');

create type task_urgency as enum ('instant', 'urgent', 'standard', 'flex', 'scheduled');

create type worker_status as enum ('unverified', 'active', 'suspended', 'closed');

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

create table assignments (
  id              text collate "C" not null,
  task_id         text collate "C" not null,
  agent_id        text collate "C" not null,
  worker_id       text collate "C" not null,
  status          assignment_status not null default 'accepted'::assignment_status,
  pay_cents       bigint not null,
  net_cents       bigint,
  deadline        timestamptz not null,
  accepted_at     timestamptz not null,
  expires_at      timestamptz not null,
  upload_begun_at timestamptz,
  submitted_at    timestamptz,
  ended_at        timestamptz,
  outcome         proof_outcome,
  reason          text,
  revision_note   text,
  revisions       smallint not null default 0,
  constraint assignments_pkey primary key (id),
  constraint assignments_one_revision check (revisions >= 0 and revisions <= 1),
  constraint assignments_paid_when_ended check (net_cents is null or (status = any (array['approved'::assignment_status, 'disputed'::assignment_status, 'cancelled'::assignment_status])))
) with (fillfactor=80);
create index assignments_approved on assignments (ended_at) where (status = 'approved'::assignment_status);
create index assignments_due on assignments (expires_at) where (status = 'accepted'::assignment_status);
create index assignments_of_partner on assignments (agent_id, worker_id) where (status = 'approved'::assignment_status);
create index assignments_of_task on assignments (task_id, id);
create index assignments_of_worker on assignments (worker_id, id);
create unique index assignments_one_per_worker on assignments (task_id, worker_id) where (status = any (array['accepted'::assignment_status, 'submitted'::assignment_status, 'approved'::assignment_status, 'disputed'::assignment_status]));
create index assignments_open_of_worker on assignments (worker_id, deadline);
grant select, insert, update (expires_at, upload_begun_at) on assignments to legwork_app;

create table disputes (
  id             text collate "C" not null,
  task_id        text collate "C" not null,
  agent_id       text collate "C" not null,
  assignment_ids text[] not null,
  reason         text not null,
  category       text,
  criteria       text[] not null default '{}'::text[],
  status         text not null,
  touches_trust  boolean not null,
  refunded_cents bigint not null,
  created_at     timestamptz not null,
  resolved_at    timestamptz,
  constraint disputes_pkey primary key (id),
  constraint disputes_reason_check check (length(reason) >= 1 and length(reason) <= 2000),
  constraint disputes_status_check check (status in ('open', 'held', 'withdrawn', 'upheld', 'overturned', 'split'))
);
create index disputes_of_agent on disputes (agent_id, created_at);
create index disputes_of_task on disputes (task_id, id);
create unique index disputes_one_held on disputes (task_id) where (status = 'held');
grant select on disputes to legwork_app;

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

create table files (
  id             text collate "C" not null,
  worker_id      text collate "C" not null,
  task_id        text collate "C" not null,
  assignment_id  text collate "C" not null,
  proof_id       text collate "C",
  kind           text not null,
  status         text not null,
  content_type   text not null,
  bytes          bigint not null,
  received_bytes bigint not null default 0,
  sha256         text collate "C" not null,
  stored_sha256  text collate "C",
  store_key      text collate "C",
  width          integer,
  height         integer,
  dhash          text collate "C",
  evidence       json,
  checks         json not null default '[]'::json,
  refusal        text,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  constraint files_pkey primary key (id),
  constraint files_bytes_check check (bytes > 0),
  constraint files_kind_check check (kind in ('photo', 'video', 'audio')),
  constraint files_status_check check (status in ('begun', 'received', 'ready', 'refused'))
);
create index files_of_assignment on files (assignment_id);
create index files_of_proof on files (proof_id) where (proof_id is not null);
create index files_of_worker on files (worker_id, created_at);
create index files_unused on files (expires_at) where (proof_id is null);
grant select, insert, update (proof_id, status, content_type, bytes, received_bytes, stored_sha256, store_key, width, height, dhash, evidence, checks, refusal, expires_at), delete on files to legwork_app;

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

create table open_tasks (
  task_id      text collate "C" not null,
  agent_id     text collate "C" not null,
  type         task_type not null,
  pay_cents    bigint not null,
  level_needed smallint not null,
  skill_keys   integer[] not null,
  deadline     timestamptz not null,
  lat          double precision,
  lng          double precision,
  cell5        bigint not null,
  cell6        bigint not null,
  cell7        bigint not null,
  area         text,
  paid_chance  real not null,
  northing     double precision generated always as (degrees(ln(tan(radians(((45)::double precision + (greatest(least(lat, (89.9)::double precision), ('-89.9'::numeric)::double precision) / (2)::double precision))))))) stored,
  constraint open_tasks_pkey primary key (task_id)
) with (fillfactor=90, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
create index open_tasks_near on open_tasks using gist (point(lng, northing)) where (lat is not null);
create index open_tasks_new5 on open_tasks (cell5, task_id desc) include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_new6 on open_tasks (cell6, task_id desc) include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_new7 on open_tasks (cell7, task_id desc) include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay on open_tasks (pay_cents desc, task_id desc);
create index open_tasks_pay5 on open_tasks (cell5, pay_cents desc, task_id desc) include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay6 on open_tasks (cell6, pay_cents desc, task_id desc) include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay7 on open_tasks (cell7, pay_cents desc, task_id desc) include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
grant select, insert, update, delete on open_tasks to legwork_app;

create table outbox (
  position   bigint not null generated always as identity,
  id         text collate "C" not null,
  type       text not null,
  agent_id   text collate "C",
  task_id    text collate "C",
  data       json not null,
  created_at timestamptz not null,
  constraint outbox_pkey primary key ("position")
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=2000);
grant select, insert, update, delete on outbox to legwork_app;

create table photo_hashes (
  file_id    text collate "C" not null,
  worker_id  text collate "C" not null,
  task_id    text collate "C" not null,
  sha256     text collate "C" not null,
  dhash      bigint,
  created_at timestamptz not null,
  constraint photo_hashes_pkey primary key (file_id)
);
create index photo_hashes_quarter0 on photo_hashes (((dhash & (65535)::bigint)));
create index photo_hashes_quarter1 on photo_hashes ((((dhash >> 16) & (65535)::bigint)));
create index photo_hashes_quarter2 on photo_hashes ((((dhash >> 32) & (65535)::bigint)));
create index photo_hashes_quarter3 on photo_hashes ((((dhash >> 48) & (65535)::bigint)));
create index photo_hashes_sha256 on photo_hashes (sha256);
grant select, insert, delete on photo_hashes to legwork_app;

create table proofs (
  id            text collate "C" not null,
  assignment_id text collate "C" not null,
  task_id       text collate "C" not null,
  agent_id      text collate "C" not null,
  worker_id     text collate "C" not null,
  text          text,
  answer        json,
  outcome       proof_outcome not null,
  location      json,
  captured_at   timestamptz,
  checks        json not null default '[]'::json,
  submitted_at  timestamptz not null,
  constraint proofs_pkey primary key (id)
);
create index proofs_of_assignment on proofs (assignment_id, id);
create index proofs_of_task on proofs (task_id, id);
grant select, insert on proofs to legwork_app;

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
  version            integer not null default 1,
  slots_extra        integer not null default 0,
  slots_taken        integer not null default 0,
  proofs_received    integer not null default 0,
  consensus_max      integer,
  min_confidence     double precision,
  proof_at           timestamptz,
  review_due_at      timestamptz,
  consensus          json,
  approved_by        text,
  settlement         json,
  constraint tasks_pkey primary key (id),
  constraint tasks_approved_by_check check (approved_by in ('agent', 'auto', 'operator')),
  constraint tasks_budget_cents_check check (budget_cents >= 1 and budget_cents <= 1000000),
  constraint tasks_consensus_count_check check (consensus_count >= 1 and consensus_count <= 25),
  constraint tasks_consensus_max check (consensus_max >= consensus_count and consensus_max <= 25) not valid,
  constraint tasks_description_check check (length(description) >= 1 and length(description) <= 5000),
  constraint tasks_escrow_follows_status check (case when ended_at is null then escrow_cents = locked_cents and locked_cents > 0 and (status = any (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) else escrow_cents = 0 and (status <> all (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) end),
  constraint tasks_proofs check (proofs_received >= 0 and proofs_received <= slots_taken) not valid,
  constraint tasks_slots check (slots_taken >= 0 and slots_taken <= (consensus_count + slots_extra)) not valid
) with (fillfactor=85);
create index tasks_due on tasks (deadline) where (status = any (array['pending'::task_status, 'in_progress'::task_status]));
create index tasks_judged on tasks (agent_id, ended_at) where (status = any (array['completed'::task_status, 'disputed'::task_status]));
create index tasks_of_agent on tasks (agent_id, id);
create index tasks_review_due on tasks (review_due_at) where ((status = 'proof_submitted'::task_status) and (review_due_at is not null));
create trigger tasks_count_version before update on tasks for each row execute function count_version();
grant select, update (status, status_reason, escrow_cents, updated_at, ended_at, slots_extra, slots_taken, proofs_received, proof_at, review_due_at, consensus, approved_by, settlement) on tasks to legwork_app;

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

create table trust_events (
  worker_id  text collate "C" not null,
  key        text collate "C" not null,
  cause      text not null,
  good       double precision not null,
  bad        double precision not null,
  weight     double precision not null,
  task_id    text collate "C",
  created_at timestamptz not null,
  constraint trust_events_pkey primary key (worker_id, key)
);
create index trust_events_of_worker on trust_events (worker_id, created_at);
grant select, insert on trust_events to legwork_app;

create table worker_emails (
  email     text collate "C" not null,
  worker_id text collate "C" not null,
  constraint worker_emails_taken primary key (email),
  constraint worker_emails_email_check check (email = lower(email))
);
grant select, insert on worker_emails to legwork_app;

create table worker_tokens (
  token_hash text collate "C" not null,
  worker_id  text collate "C" not null,
  purpose    text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  constraint worker_tokens_pkey primary key (token_hash),
  constraint worker_tokens_purpose_check check (purpose in ('verify', 'reset'))
);
create index worker_tokens_of_worker on worker_tokens (worker_id, purpose);
grant select, insert, update (expires_at, used_at), delete on worker_tokens to legwork_app;

create table workers (
  id               text collate "C" not null,
  mode             agent_mode not null,
  name             text not null,
  email            text not null,
  password_hash    text not null,
  status           worker_status not null default 'unverified'::worker_status,
  session_version  integer not null default 1,
  skills           text[] not null default '{}'::text[],
  languages        text[] not null default '{}'::text[],
  location         json,
  preferences      json not null default '{}'::json,
  trust_good       double precision not null default 0,
  trust_bad        double precision not null default 0,
  approved_count   integer not null default 0,
  disputed_count   integer not null default 0,
  accuracy         double precision not null default 0.8,
  identity_done_at timestamptz,
  payouts_ready_at timestamptz,
  verified_at      timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  constraint workers_pkey primary key (id),
  constraint worker_accuracy check (accuracy >= 0.5::double precision and accuracy <= 0.99::double precision),
  constraint workers_id_check check (id ~ '^worker_[0-9a-z]{26}$'),
  constraint workers_name_check check (length(name) >= 1 and length(name) <= 100)
) with (fillfactor=70);
grant select, insert, update (name, password_hash, status, session_version, skills, languages, location, preferences, accuracy, identity_done_at, payouts_ready_at, verified_at, updated_at) on workers to legwork_app;

-- Functions

-- server/migrations/0009_assignments.sql; legwork_app may call it
create function count_version()
  returns trigger language plpgsql;

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

-- server/functions/move_tasks.sql; legwork_app may call it
create function move_tasks(
  p_now timestamptz,
  t_id text[],
  t_version integer[],
  t_agent text[],
  t_tip bigint[],
  t_is_open boolean[],
  t_returns_free_task boolean[],
  p_tasks json,
  p_assignments json,
  p_trust json,
  p_disputes json,
  p_events json,
  e_item integer[],
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
  l_ref text[],
  k_principal text[],
  k_hash text[],
  k_fingerprint text[],
  k_status smallint[],
  k_answer text[]
)
  returns table(item integer, outcome text, status smallint, answer text) language plpgsql security definer;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_best_paid(
  p_resolution integer,
  p_cells bigint[],
  p_is_inner boolean[],
  p_is_sampled boolean[],
  p_before_cents bigint,
  p_before text,
  p_limit integer,
  p_lat double precision,
  p_lng double precision,
  p_radius_km double precision,
  p_now timestamptz,
  p_level smallint,
  p_skill_keys integer[],
  p_types task_type[],
  p_pay_min bigint,
  p_worker text,
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_box(p_lat double precision, p_lng double precision, p_km double precision)
  returns box language sql;

-- server/functions/open_tasks_cards.sql; legwork_app may call it
create function open_tasks_cards(p_ids text[], p_skills text[], p_now timestamptz)
  returns table(id text, title text, description text, urgency task_urgency, proof_required task_proof, budget_cents bigint, auto_approve_after integer, slots_needed integer, slots_taken integer, skills text[], area text, agent_name text) language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_km(
  lat1 double precision,
  lng1 double precision,
  lat2 double precision,
  lng2 double precision
)
  returns double precision language sql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_nearest(
  p_after_km double precision,
  p_after text,
  p_before text,
  p_limit integer,
  p_lat double precision,
  p_lng double precision,
  p_radius_km double precision,
  p_now timestamptz,
  p_level smallint,
  p_skill_keys integer[],
  p_types task_type[],
  p_pay_min bigint,
  p_worker text,
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_newest(
  p_resolution integer,
  p_cells bigint[],
  p_is_inner boolean[],
  p_is_sampled boolean[],
  p_from text,
  p_before text,
  p_limit integer,
  p_lat double precision,
  p_lng double precision,
  p_radius_km double precision,
  p_now timestamptz,
  p_level smallint,
  p_skill_keys integer[],
  p_types task_type[],
  p_pay_min bigint,
  p_worker text,
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_northing(p_lat double precision)
  returns double precision language sql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_suits(
  o open_tasks,
  p_now timestamptz,
  p_level smallint,
  p_skill_keys integer[],
  p_types task_type[],
  p_pay_min bigint,
  p_muted text[]
)
  returns boolean language sql;

-- server/migrations/0003_ledger.sql; legwork_app may call it
create function refuse_change()
  returns trigger language plpgsql;

-- server/functions/tasks_reputations.sql; legwork_app may call it
create function tasks_reputations(p_agents text[])
  returns table(agent_id text, judged integer, approved integer, disputes integer, overturned integer, median_review_s double precision) language plpgsql;
