-- The database after all migrations, to be read. Made by `npm run generate`; changes are lost.
-- Left out: partitions, the table of migrations, the schema graphile_worker.

create type agent_mode as enum ('live', 'test');

create type assignment_status as enum ('accepted', 'submitted', 'approved', 'disputed', 'released', 'expired', 'cancelled');

create type attempt_outcome as enum ('delivered', 'failed', 'given_up', 'disabled');

create type claim_outcome as enum ('replayed', 'mismatch', 'in_progress');

create type creation_outcome as enum ('created', 'other_funding', 'insufficient', 'key_cap', 'restricted', 'tier_cap', 'replayed', 'mismatch');

create type deposit_status as enum ('creating', 'open', 'processing', 'succeeded', 'failed', 'expired', 'mismatched', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost');

create type do_not_contact_state as enum ('requested', 'confirmed', 'declined', 'lapsed', 'ended');

create type move_outcome as enum ('moved', 'changed', 'insufficient', 'key_cap', 'replayed', 'mismatch');

create type notice_kind as enum ('new_task', 'half_time', 'check_in', 'paid', 'disputed', 'dispute_held', 'decided', 'level_lowered', 'revision_requested', 'cancelled', 'payout_paid', 'payout_failed', 'question_answered');

create type payout_account_status as enum ('onboarding', 'pending_verification', 'active', 'restricted', 'rejected', 'closed');

create type payout_status as enum ('held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds', 'paid', 'failed', 'partially_reversed', 'reversed');

create type posting_outcome as enum ('posted', 'replayed', 'mismatch', 'insufficient');

create type proof_outcome as enum ('done', 'not_possible');

create type refund_status as enum ('requested', 'submitting', 'pending', 'succeeded', 'rejected', 'failed');

create type spending_cap as enum ('task_max_cents', 'day_max_cents', 'month_max_cents', 'budget_cents');

create type target_kind as enum ('phone', 'place', 'person');

create type task_budget_basis as enum ('total', 'per_worker');

create type task_funding as enum ('wallet', 'free');

create type task_proof as enum ('text', 'photo', 'video', 'audio');

create type task_status as enum ('pending', 'in_progress', 'proof_submitted', 'completed', 'disputed', 'expired', 'cancelled');

create type task_type as enum ('verification', 'voice_proxy', 'gut_check', 'field_mission', 'empathy_escalation', 'vibe_reader', 'custom');

create type task_urgency as enum ('instant', 'urgent', 'standard', 'flex', 'scheduled');

create type worker_status as enum ('unverified', 'active', 'suspended', 'closed');

create type assignment_change as (
  item integer,
  id text,
  status assignment_status,
  net_cents bigint,
  expires_at timestamptz,
  submitted_at timestamptz,
  ended_at timestamptz,
  outcome proof_outcome,
  reason text,
  revision_note text,
  revisions smallint
);

create type dispute_change as (
  item integer,
  id text,
  assignment_ids text[],
  reason text,
  category text,
  criteria text[],
  status text,
  touches_trust boolean,
  refunded_cents bigint,
  decides_by timestamptz,
  decided_by text,
  decision_note text
);

create type ended_attempt as (
  id text,
  event_id text,
  agent_id text,
  task_id text,
  type text,
  url text,
  is_callback boolean,
  number smallint,
  outcome attempt_outcome,
  status smallint,
  error text,
  answer text,
  ms integer,
  next_try_at timestamptz,
  created_at timestamptz
);

create type idempotency_claim as (
  item integer,
  principal text,
  key_hash text,
  fingerprint text,
  status smallint,
  answer text
);

create type key_cap as (
  cap spending_cap,
  limit_cents bigint,
  spent_cents bigint
);

create type lane_page as (
  id text,
  page integer
);

create type lane_release as (
  id text,
  must boolean,
  not_before timestamptz
);

create type lane_report as (
  id text,
  succeeded boolean,
  failed integer,
  is_gone boolean,
  is_pinged boolean,
  work_id text
);

create type ledger_line as (
  item integer,
  entry integer,
  key text,
  mode agent_mode,
  kind text,
  shard smallint,
  id text,
  debit text,
  credit text,
  amount_cents bigint,
  agent_id text,
  worker_id text,
  task_id text,
  ref_id text
);

create type new_event as (
  item integer,
  id text,
  type text,
  sequence integer,
  data json,
  traceparent text
);

create type task_creation as (
  id text,
  agent_id text,
  key_id text,
  event_id text,
  locked_cents bigint,
  may_be_free boolean,
  key_hash text,
  fingerprint text,
  funding task_funding,
  response text,
  type task_type,
  title text,
  description text,
  budget_cents bigint,
  budget_basis task_budget_basis,
  urgency task_urgency,
  proof_required task_proof,
  consensus_count integer,
  consensus_max integer,
  min_confidence double precision,
  deadline timestamptz,
  scheduled_at timestamptz,
  window_minutes integer,
  auto_approve_after integer,
  min_worker_level integer,
  share_level smallint,
  skills text[],
  languages text[],
  location json,
  context json,
  metadata json,
  answer_schema json,
  is_schema_default boolean,
  criteria json,
  callback_url text,
  rehearsal json,
  rehearse_at timestamptz,
  commission_basis_points integer,
  created_at timestamptz,
  traceparent text,
  screened_for text[],
  screening_policy text,
  decides_by timestamptz
);

create type task_move as (
  task_id text,
  version integer,
  agent_id text,
  tip_cents bigint,
  tip_key_id text,
  is_open boolean,
  returns_free_task boolean,
  principal text,
  key_hash text,
  fingerprint text,
  response text,
  status task_status,
  status_reason text,
  escrow_cents bigint,
  slots_taken integer,
  slots_extra integer,
  proofs_received integer,
  proof_at timestamptz,
  review_due_at timestamptz,
  decides_by timestamptz,
  consensus json,
  approved_by text,
  settlement json,
  ended_at timestamptz,
  updated_at timestamptz,
  event_sequence integer
);

create type trust_change as (
  item integer,
  worker_id text,
  key text,
  cause text,
  good double precision,
  bad double precision,
  weight double precision,
  pending_since timestamptz,
  pending text
);

-- rows: 400 days after at; by: runner.remove-expired
create table agent_actions (
  id        text collate "C" not null,
  agent_id  text collate "C" not null,
  person_id text collate "C" not null,
  operation text not null,
  object_id text collate "C",
  is_done   boolean not null default false,
  at        timestamptz not null,
  constraint agent_actions_pkey primary key (id),
  constraint agent_actions_object_check check (length(object_id) <= 200)
);
create index agent_actions_at on agent_actions (at);
create index agent_actions_of_agent on agent_actions (agent_id, id);
grant select, insert, update (object_id, is_done), delete on agent_actions to legwork_app;

-- rows: until they are added to the counts; by: counts.fold
create table agent_count_changes (
  agent_id      text collate "C" not null,
  worker_id     text collate "C",
  key_path      text[] collate "C",
  type          task_type,
  status        task_status,
  tasks         integer not null default 0,
  spent_cents   bigint not null default 0,
  auto_approved integer not null default 0,
  answered      integer not null default 0,
  conflicts     integer not null default 0,
  approved      integer not null default 0,
  disputes      integer not null default 0,
  overturned    integer not null default 0,
  id            uuid not null default gen_random_uuid(),
  constraint agent_count_changes_pkey primary key (id)
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=2000);
create index agent_count_changes_of_agent on agent_count_changes (agent_id);
grant select, insert, delete on agent_count_changes to legwork_app;

-- rows: kept: sums of tasks, as long as the agent
create table agent_counts (
  agent_id      text collate "C" not null,
  worker_id     text collate "C",
  key_path      text[] collate "C" not null,
  type          task_type,
  status        task_status,
  tasks         bigint not null default 0,
  spent_cents   bigint not null default 0,
  auto_approved bigint not null default 0,
  answered      bigint not null default 0,
  conflicts     bigint not null default 0,
  approved      bigint not null default 0,
  disputes      bigint not null default 0,
  overturned    bigint not null default 0,
  id            uuid not null default gen_random_uuid(),
  constraint agent_counts_pkey primary key (id),
  constraint agent_counts_agent_id_fkey foreign key (agent_id) references counted_agents(agent_id) on delete cascade,
  constraint agent_counts_kind check ((type is null) = (status is null) and (worker_id is null or type is null))
) with (fillfactor=70);
create unique index agent_counts_group on agent_counts (agent_id, worker_id, key_path, type, status) nulls not distinct;
grant select, insert, update (tasks, spent_cents, auto_approved, answered, conflicts, approved, disputes, overturned) on agent_counts to legwork_app;

-- rows: kept: as long as the agent exists
create table agent_emails (
  email    text collate "C" not null, -- personal: agent; keep: the contracting party; row; export: no: the agent has the API
  agent_id text collate "C" not null,
  constraint agent_emails_taken primary key (email),
  constraint agent_emails_email_check check (email = lower(email))
);
create index agent_emails_by_inbox on agent_emails ((case when (split_part(email, '@', 2) = any (array['gmail.com', 'googlemail.com'])) then (replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com') else ((split_part(split_part(email, '@', 1), '+', 1) || '@') || split_part(email, '@', 2)) end));
grant select, insert on agent_emails to legwork_app;

-- rows: 400 days after left_at; by: runner.remove-expired
create table agent_people (
  id          text collate "C" not null,
  agent_id    text collate "C" not null,
  email       text not null, -- personal: agent; keep: ends after the person has left; row; export: no: the console shows it
  name        text not null, -- personal: agent; keep: ends after the person has left; row; export: no: the console shows it
  role        text not null,
  invited_by  text collate "C",
  invited_at  timestamptz not null,
  accepted_at timestamptz,
  left_at     timestamptz,
  constraint agent_people_pkey primary key (id),
  constraint agent_people_one_per_email unique (agent_id, email),
  constraint agent_people_role_check check (role in ('owner', 'developer', 'reviewer', 'finance'))
);
create index agent_people_by_email on agent_people (email);
create index agent_people_left on agent_people (left_at) where (left_at is not null);
create trigger agent_people_keep_owner before update on agent_people for each row when (old.role = 'owner' and old.accepted_at is not null and old.left_at is null and (new.role <> 'owner' or new.left_at is not null or new.accepted_at is null or new.agent_id <> old.agent_id)) execute function agent_people_keep_owner();
grant select, insert, update (name, role, invited_by, invited_at, accepted_at, left_at) on agent_people to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table agent_person_links (
  id         text collate "C" not null,
  token_hash text collate "C",
  email      text not null, -- personal: agent; keep: ends with the row; row; export: no: ends within weeks
  person_id  text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz, -- personal: agent; keep: ends with the row; row; export: no: ends within weeks
  constraint agent_person_links_pkey primary key (id),
  constraint agent_person_links_token unique (token_hash),
  constraint agent_person_links_expiry check (expires_at > created_at)
);
create index agent_person_links_expired on agent_person_links (expires_at);
create index agent_person_links_of_person on agent_person_links (person_id) where (person_id is not null);
grant select, insert, update (token_hash, expires_at, used_at), delete on agent_person_links to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table agent_tokens (
  token_hash text collate "C" not null,
  agent_id   text collate "C" not null,
  purpose    text not null,
  email      text collate "C" not null, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  constraint agent_tokens_pkey primary key (token_hash),
  constraint agent_tokens_email_check check (email = lower(email)),
  constraint agent_tokens_purpose_check check (purpose in ('verify', 'recover'))
);
create index agent_tokens_by_end on agent_tokens (expires_at);
create index agent_tokens_of_agent on agent_tokens (agent_id, purpose);
grant select, insert, update (used_at), delete on agent_tokens to legwork_app;

-- rows: kept: the contracting party of the books
create table agents (
  id                       text collate "C" not null,
  mode                     agent_mode not null,
  twin_id                  text collate "C" not null,
  name                     text not null, -- personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API
  email                    text, -- personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API
  status                   text not null default 'active',
  webhook_url              text, -- personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API
  webhook_secret           text not null,
  events                   text[] not null default '{}'::text[],
  created_at               timestamptz not null,
  registered_from          text, -- personal: agent; keep: payouts between accounts of one person are held; row; export: no: used against fraud only
  restricted_for           text,
  webhook_secret_old       text,
  webhook_secret_old_until timestamptz,
  expires_at               timestamptz,
  low_balance_cents        bigint,
  low_balance_look_at      timestamptz,
  low_balance_told_at      timestamptz,
  email_verified_at        timestamptz,
  restricted_at            timestamptz,
  review_at                timestamptz,
  identified_at            timestamptz,
  constraint agents_pkey primary key (id),
  constraint agents_check check (twin_id <> id),
  constraint agents_id_check check (id ~ '^agent_[0-9a-z]{26}$'),
  constraint agents_low_balance check (low_balance_cents > 0),
  constraint agents_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint agents_reachable check (email is not null or mode = 'test'::agent_mode and expires_at is not null) not valid,
  constraint agents_restricted_for_check check (restricted_for in ('chargeback', 'fraud_warning', 'operator')),
  constraint agents_status_check check (status in ('active', 'restricted', 'closed'))
) with (fillfactor=80);
create index agents_by_name on agents (lower(name) collate "C");
create index agents_ended on agents (expires_at) where ((mode = 'test'::agent_mode) and (status = 'closed'));
create index agents_ending on agents (expires_at) where ((expires_at is not null) and (status <> 'closed'));
create index agents_low_balance_due on agents (low_balance_look_at) where (low_balance_cents is not null);
create index agents_registered_from on agents (registered_from) where (registered_from is not null);
create index agents_to_review on agents (coalesce(review_at, created_at), id) where (status = 'restricted');
create trigger agents_review before update of status on agents for each row when (old.status is distinct from new.status) execute function date_review();
grant select, insert, update (name, email, status, webhook_url, webhook_secret, events, restricted_for, webhook_secret_old, webhook_secret_old_until, expires_at, low_balance_cents, low_balance_look_at, low_balance_told_at, email_verified_at, restricted_at, review_at, identified_at) on agents to legwork_app;

-- rows: until the worker turns alerts off or closes the account; by: workers_close
create table alerts (
  worker_id     text collate "C" not null,
  lat           double precision, -- personal: worker; erase; row; export: yes
  lng           double precision, -- personal: worker; erase; row; export: yes
  radius_km     double precision, -- personal: worker; erase; row; export: yes
  types         text[], -- personal: worker; erase; row; export: yes
  min_pay_cents bigint,
  seen_at       timestamptz not null, -- personal: worker; erase; row; export: no: when our clock looked for tasks
  look_at       timestamptz not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint alerts_pkey primary key (worker_id),
  constraint alerts_check check ((lat is null) = (lng is null)),
  constraint alerts_types_check check (types <@ enum_range(null::task_type)::text[])
) with (fillfactor=70);
create index alerts_due on alerts (look_at);
alter table alerts enable row level security;
create policy alerts_of_tenant on alerts to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert, update, delete on alerts to legwork_app;

-- rows: kept: tasks name the key that created them
create table api_keys (
  key_hash         text collate "C" not null,
  id               text collate "C" not null,
  agent_id         text collate "C" not null,
  mode             agent_mode not null,
  name             text not null, -- personal: agent; keep: the agent names its keys; row; export: no: the agent has the API
  prefix           text not null,
  created_at       timestamptz not null,
  last_used_at     timestamptz, -- personal: agent; keep: shows whether a key is in use; row; export: no: the agent has the API
  expires_at       timestamptz,
  scopes           text[] not null default '{create,review,read,manage}'::text[],
  types            text[],
  is_limited       boolean not null default false,
  ancestors        text[] collate "C" not null default '{}'::text[],
  sees             text collate "C",
  token_expires_at timestamptz,
  constraint api_keys_pkey primary key (key_hash),
  constraint api_keys_id_key unique (id),
  constraint api_keys_depth check (cardinality(ancestors) <= 4) not valid,
  constraint api_keys_id_check check (id ~ '^key_[0-9a-z]{26}$'),
  constraint api_keys_limited check (is_limited or cardinality(ancestors) = 0 and types is null and sees is null and cardinality(scopes) = 4) not valid,
  constraint api_keys_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint api_keys_scopes check (cardinality(scopes) > 0 and scopes <@ array['create', 'review', 'read', 'manage']) not valid,
  constraint api_keys_types check (cardinality(types) > 0) not valid
);
create index api_keys_of_agent on api_keys (agent_id, id);
grant select, insert, update (key_hash, name, prefix, last_used_at, expires_at, is_limited, token_expires_at) on api_keys to legwork_app;

-- rows: kept: decisions about money
create table appeals (
  id            text collate "C" not null,
  dispute_id    text collate "C" not null,
  task_id       text collate "C" not null,
  agent_id      text collate "C" not null,
  assignment_id text collate "C" not null,
  worker_id     text collate "C" not null,
  statement     text not null, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  created_at    timestamptz not null,
  agent_until   timestamptz not null,
  agent_answer  text, -- personal: agent; keep: the reason of a decision about money; task texts; export: no: the agent has the API
  answered_at   timestamptz,
  ruling        text,
  ruled_by      text, -- personal: operator; keep: who decided; row; export: no: operators are not named to workers
  ruling_note   text, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  ruled_at      timestamptz,
  constraint appeals_pkey primary key (id),
  constraint appeals_agent_answer_check check (length(agent_answer) >= 1 and length(agent_answer) <= 2000),
  constraint appeals_answered check ((agent_answer is null) = (answered_at is null) and answered_at < agent_until),
  constraint appeals_id_check check (id ~ '^apl_[0-9a-z]{26}$'),
  constraint appeals_ruled check ((num_nulls(ruling, ruled_by, ruling_note, ruled_at) = any (array[0, 4])) and (ruling is null or ruling = 'overturned' or agent_answer is not null)),
  constraint appeals_ruling_check check (ruling in ('upheld', 'overturned', 'split')),
  constraint appeals_ruling_note_check check (length(ruling_note) >= 1 and length(ruling_note) <= 2000),
  constraint appeals_statement_check check (length(statement) >= 1 and length(statement) <= 2000)
);
create index appeals_of_task on appeals (task_id, id);
create unique index appeals_one_per_worker on appeals (dispute_id, worker_id);
create index appeals_to_rule on appeals (answered_at) where ((ruling is null) and (agent_answer is not null));
create index appeals_unanswered on appeals (agent_until) where ((ruling is null) and (agent_answer is null));
alter table appeals enable row level security;
create policy appeals_of_tenant on appeals to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));
create trigger appeals_once before update on appeals for each row execute function refuse_appeal_change();
create trigger appeals_two_persons before update of ruling on appeals for each row when (old.ruling is null and (new.ruling in ('overturned', 'split')) and new.ruled_by ~~ 'operator %') execute function guard_appeal();
grant select, insert, update (agent_answer, answered_at, ruling, ruled_by, ruling_note, ruled_at) on appeals to legwork_app;

-- rows: kept: work that was paid for
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
  reason          text, -- personal: worker; keep: why the worker gave the task back, for the agent; task texts; export: yes
  revision_note   text, -- personal: worker; keep: what the agent asked for; task texts; export: yes
  revisions       smallint not null default 0,
  half_told_at    timestamptz,
  worker_accuracy double precision, -- personal: worker; keep: how the votes of a task were weighed; row; export: no: a figure of ours
  constraint assignments_pkey primary key (id),
  constraint assignments_one_revision check (revisions >= 0 and revisions <= 1),
  constraint assignments_paid_when_ended check (net_cents is null or (status = any (array['approved'::assignment_status, 'disputed'::assignment_status, 'cancelled'::assignment_status])))
) with (fillfactor=80);
create index assignments_approved on assignments (ended_at) where (status = 'approved'::assignment_status);
create index assignments_due on assignments (expires_at) where (status = 'accepted'::assignment_status);
create index assignments_half on assignments ((((accepted_at at time zone 'UTC') + (((expires_at at time zone 'UTC') - (accepted_at at time zone 'UTC')) / (2)::double precision)))) where ((status = 'accepted'::assignment_status) and (revisions = 0) and (half_told_at is null));
create index assignments_of_partner on assignments (agent_id, worker_id) where (status = 'approved'::assignment_status);
create index assignments_of_task on assignments (task_id, id);
create index assignments_of_worker on assignments (worker_id, id);
create unique index assignments_one_per_worker on assignments (task_id, worker_id) where (status = any (array['accepted'::assignment_status, 'submitted'::assignment_status, 'approved'::assignment_status, 'disputed'::assignment_status]));
create index assignments_open_of_worker on assignments (worker_id, deadline);
create trigger assignments_count_approval after update on assignments for each row when ((old.status = 'approved'::assignment_status) <> (new.status = 'approved'::assignment_status)) execute function count_approval();
create trigger assignments_count_new after insert on assignments for each row when (new.status = 'approved'::assignment_status) execute function count_approval();
grant select, insert, update (expires_at, upload_begun_at, half_told_at) on assignments to legwork_app;

-- rows: kept: decisions about money and people must be explained for years
create table audit_log (
  seq         bigint not null default 0,
  at          timestamptz not null,
  operator_id text collate "C" not null,
  role        text not null,
  action      text not null,
  subject     text collate "C" not null,
  detail      text not null,
  words_hash  text collate "C",
  previous    text collate "C" not null default '',
  hash        text collate "C" not null default '',
  constraint audit_log_pkey primary key (seq),
  constraint audit_log_hash unique (hash),
  constraint audit_log_one_line check (concat(operator_id, role, action, subject, detail) !~ '[\n\r]')
);
create index audit_log_of_operator on audit_log (operator_id, seq);
create index audit_log_of_subject on audit_log (subject, seq);
create trigger audit_log_append_only before delete or update or truncate on audit_log for each statement execute function refuse_audit_change();
create trigger audit_log_chain before insert on audit_log for each row execute function chain_audit();
grant select, insert (at, operator_id, role, action, subject, detail, words_hash) on audit_log to legwork_app;

-- rows: 1825 days after created_at; by: runner.remove-expired
create table audit_words (
  words_hash text collate "C" not null,
  salt       text collate "C" not null,
  words      text, -- personal: worker; keep: why it was decided; row; export: no: the person has the decision itself
  created_at timestamptz not null,
  constraint audit_words_pkey primary key (words_hash)
);
create index audit_words_by_age on audit_words (created_at);
grant select, insert, update (words) on audit_words to legwork_app;

-- rows: kept: as long as the tasks that workers had
create table away_agents (
  id              text collate "C" not null,
  name            text not null, -- personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API
  judged          integer not null,
  approved        integer not null,
  disputes        integer not null,
  overturned      integer not null,
  median_review_s double precision,
  constraint away_agents_pkey primary key (id)
);
grant select on away_agents to legwork_app;

-- rows: kept: decisions about money
create table away_appeals (
  id            text collate "C" not null,
  dispute_id    text collate "C" not null,
  task_id       text collate "C" not null,
  assignment_id text collate "C" not null,
  worker_id     text collate "C" not null,
  statement     text not null, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  created_at    timestamptz not null,
  agent_until   timestamptz not null,
  agent_answer  text, -- personal: agent; keep: the reason of a decision about money; task texts; export: no: the agent has the API
  answered_at   timestamptz,
  ruling        text,
  ruling_note   text, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  ruled_at      timestamptz,
  constraint away_appeals_pkey primary key (task_id, worker_id, id)
);
grant select on away_appeals to legwork_app;

-- rows: kept: work that was paid for
create table away_assignments (
  id            text collate "C" not null,
  task_id       text collate "C" not null,
  agent_id      text collate "C" not null,
  worker_id     text collate "C" not null,
  status        assignment_status not null,
  pay_cents     bigint not null,
  net_cents     bigint,
  deadline      timestamptz not null,
  accepted_at   timestamptz not null,
  expires_at    timestamptz not null,
  submitted_at  timestamptz,
  ended_at      timestamptz,
  outcome       proof_outcome,
  reason        text, -- personal: worker; keep: why the worker gave the task back, for the agent; task texts; export: yes
  revision_note text, -- personal: worker; keep: what the agent asked for; task texts; export: yes
  revisions     smallint not null,
  constraint away_assignments_pkey primary key (worker_id, id)
);
create index away_assignments_approved on away_assignments (ended_at) where (status = 'approved'::assignment_status);
create index away_assignments_of_task on away_assignments (task_id, worker_id);
create index away_assignments_open_of_worker on away_assignments (worker_id, deadline);
grant select on away_assignments to legwork_app;

-- rows: kept: the books
create table away_commissions (
  worker_id        text collate "C" not null,
  key              text collate "C" not null,
  commission_cents bigint not null,
  constraint away_commissions_pkey primary key (worker_id, key)
);
grant select on away_commissions to legwork_app;

-- rows: kept: decisions about money
create table away_disputes (
  id                  text collate "C" not null,
  task_id             text collate "C" not null,
  worker_id           text collate "C" not null,
  assignment_ids      text[] not null,
  reason              text not null, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  category            text,
  criteria            text[] not null,
  status              text not null,
  touches_trust       boolean not null,
  created_at          timestamptz not null,
  resolved_at         timestamptz,
  decides_by          timestamptz,
  decided_at          timestamptz,
  is_decided_by_agent boolean not null,
  decision_note       text, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  constraint away_disputes_pkey primary key (task_id, worker_id, id)
);
grant select on away_disputes to legwork_app;

-- rows: kept: ends with its task
create table away_reporters (
  task_id   text collate "C" not null,
  worker_id text collate "C" not null,
  weight    integer not null,
  address   text collate "C", -- personal: worker; keep: two reports of one person count once; row; export: no: a hash
  inbox     text collate "C" not null, -- personal: worker; keep: two reports of one person count once; row; export: no: a hash
  constraint away_reporters_pkey primary key (task_id, worker_id)
);
grant select, insert on away_reporters to legwork_app;

-- rows: kept: ends with its task
create table away_reports (
  task_id    text collate "C" not null,
  worker_id  text collate "C" not null,
  kind       text not null,
  note       text, -- personal: worker; keep: the reason of a decision about a task; task texts; export: yes
  created_at timestamptz not null,
  verdict    text,
  decided_at timestamptz,
  weight     smallint not null,
  constraint away_reports_pkey primary key (worker_id, task_id)
);
create index away_reports_of_task on away_reports (task_id);
grant select on away_reports to legwork_app;

-- rows: kept: work that was paid for
create table away_tasks (
  id                 text collate "C" not null,
  agent_id           text collate "C" not null,
  mode               agent_mode not null,
  type               task_type not null,
  status             task_status not null,
  title              text, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  description        text not null, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  budget_cents       bigint not null,
  funding            task_funding not null,
  urgency            task_urgency not null,
  proof_required     task_proof not null,
  consensus_count    integer not null,
  deadline           timestamptz not null,
  scheduled_at       timestamptz,
  window_minutes     integer,
  auto_approve_after integer not null,
  location           json, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  context            json not null, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  answer_schema      json,
  criteria           json, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  review_due_at      timestamptz,
  decides_by         timestamptz,
  ended_at           timestamptz,
  version            integer not null,
  constraint away_tasks_pkey primary key (id)
);
create index away_tasks_with_texts on away_tasks (ended_at) where ((ended_at is not null) and (description <> 'Removed: the retention period of this text has ended.'));
grant select on away_tasks to legwork_app;

-- rows: kept: the books
create table balance_transactions (
  id                 text collate "C" not null,
  type               text not null,
  reporting_category text not null,
  amount_cents       bigint not null,
  fee_cents          bigint not null,
  net_cents          bigint not null,
  currency           text not null,
  source_id          text collate "C",
  created_at         timestamptz not null,
  available_on       timestamptz not null,
  mirrored_at        timestamptz not null,
  matched_at         timestamptz,
  cancelled_by       text collate "C",
  posted_xid         bigint default ((pg_current_xact_id())::text)::bigint,
  constraint balance_transactions_pkey primary key (id)
);
create index balance_transactions_created on balance_transactions (created_at);
create index balance_transactions_of_source on balance_transactions (source_id);
create index balance_transactions_posted on balance_transactions using brin (posted_xid) with (autosummarize='on');
create index balance_transactions_unmatched on balance_transactions (created_at) where (matched_at is null);
grant select, insert, update (available_on, matched_at, cancelled_by) on balance_transactions to legwork_app;

-- rows: until the case is released; by: desk/release-case.ts
create table case_assignments (
  subject     text collate "C" not null,
  operator_id text collate "C" not null,
  since       timestamptz not null,
  handed_by   text collate "C",
  words       text, -- personal: worker; keep: ends with the case; row; export: no: about the work of operators
  constraint case_assignments_pkey primary key (subject)
);
create index case_assignments_of_operator on case_assignments (operator_id);
grant select, insert, update (operator_id, since, handed_by, words), delete on case_assignments to legwork_app;

-- rows: 730 days after created_at; by: runner.remove-expired
create table case_notes (
  id          text collate "C" not null,
  subject     text collate "C" not null,
  operator_id text collate "C" not null,
  text        text not null, -- personal: worker; keep: why a case went as it did; row; export: no: notes of operators
  created_at  timestamptz not null,
  constraint case_notes_pkey primary key (id),
  constraint case_notes_text check (length(text) >= 1 and length(text) <= 2000)
);
create index case_notes_by_age on case_notes (created_at);
create index case_notes_of_subject on case_notes (subject, id);
grant select, insert on case_notes to legwork_app;

-- rows: kept: the books
create table chargebacks (
  id           text collate "C" not null,
  deposit_id   text collate "C" not null,
  agent_id     text collate "C" not null,
  amount_cents bigint not null,
  reason       text not null,
  status       text not null,
  due_by       timestamptz,
  check_at     timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  constraint chargebacks_pkey primary key (id),
  constraint chargebacks_amount_cents_check check (amount_cents > 0)
);
create index chargebacks_due on chargebacks (check_at) where (check_at is not null);
create index chargebacks_need_evidence on chargebacks (coalesce(due_by, created_at), id) where (status in ('needs_response', 'warning_needs_response', 'appeal_needs_response'));
create index chargebacks_of_agent on chargebacks (agent_id, id);
create index chargebacks_of_deposit on chargebacks (deposit_id, id);
grant select, insert, update (amount_cents, status, due_by, check_at, updated_at) on chargebacks to legwork_app;

-- rows: until the worker answers or ends the task, or an operator closes it; by: safety.check-ins
create table check_ins (
  worker_id  text collate "C" not null,
  task_id    text collate "C" not null,
  at         timestamptz not null,
  contact    text, -- personal: worker; erase; row; export: yes
  created_at timestamptz not null,
  asked_at   timestamptz,
  missed_at  timestamptz,
  check_at   timestamptz not null,
  constraint check_ins_pkey primary key (worker_id),
  constraint check_ins_contact check (char_length(contact) >= 1 and char_length(contact) <= 200),
  constraint check_ins_missed check (missed_at is null or asked_at is not null)
);
create index check_ins_due on check_ins (check_at);
create index check_ins_missed_first on check_ins (missed_at, worker_id) where (missed_at is not null);
alter table check_ins enable row level security;
create policy check_ins_of_tenant on check_ins to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert, update (task_id, at, contact, created_at, asked_at, missed_at, check_at), delete on check_ins to legwork_app;

-- rows: 0 days after expires_at; by: runner.remove-expired
create table console_sessions (
  token_hash   text collate "C" not null,
  key_hash     text collate "C" not null,
  agent_id     text collate "C" not null,
  created_at   timestamptz not null,
  last_used_at timestamptz not null, -- personal: agent; keep: ends with the row; row; export: no: ends within days
  expires_at   timestamptz not null,
  person_id    text collate "C",
  constraint console_sessions_pkey primary key (token_hash),
  constraint console_sessions_check check (expires_at > created_at),
  constraint console_sessions_of_key_or_person check ((key_hash = '') = (person_id is not null)) not valid
);
create index console_sessions_by_end on console_sessions (expires_at);
create index console_sessions_of_agent on console_sessions (agent_id, created_at);
grant select, insert, update (agent_id, last_used_at), delete on console_sessions to legwork_app;

-- rows: kept: one row per agent
create table counted_agents (
  agent_id   text collate "C" not null,
  counted_at timestamptz not null,
  checked_at timestamptz not null,
  constraint counted_agents_pkey primary key (agent_id)
);
grant select, insert, update (checked_at), delete on counted_agents to legwork_app;

-- rows: until it is applied in the other schema; by: shards
create table crossings (
  id         bigint not null generated always as identity,
  home       text collate "C" not null,
  call       text not null,
  arguments  jsonb not null, -- personal: worker; keep: on its way to the worker’s schema; row; export: no: it is there within seconds
  created_at timestamptz not null default clock_timestamp(),
  constraint crossings_pkey primary key (id)
);
create index crossings_of_home on crossings (home, id);
grant select on crossings to legwork_app;

-- rows: 7 days after applied_at; by: runner.remove-expired
create table crossings_applied (
  source     text collate "C" not null,
  id         bigint not null,
  applied_at timestamptz not null default clock_timestamp(),
  constraint crossings_applied_pkey primary key (source, id)
);
create index crossings_applied_old on crossings_applied (applied_at);
grant select on crossings_applied to legwork_app;

-- rows: until the event is delivered or given up, after three days; by: webhooks_log_attempts
create table deliveries (
  event_id     text collate "C" not null,
  lane         text collate "C" not null,
  agent_id     text collate "C" not null,
  url          text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  event_at     timestamptz not null,
  attempts     smallint not null default 0,
  attempts_max smallint not null,
  next_try_at  timestamptz not null,
  created_at   timestamptz not null,
  traceparent  text,
  constraint deliveries_pkey primary key (event_id),
  constraint deliveries_attempts_max_check check (attempts_max > 0),
  constraint deliveries_check check (attempts < attempts_max),
  constraint deliveries_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=2000);
create index deliveries_of_lane on deliveries (lane, next_try_at);
grant select, insert, update, delete on deliveries to legwork_app;

-- rows: 30 days after created_at; by: runner.maintain
create table delivery_attempts (
  id          text collate "C" not null,
  event_id    text collate "C" not null,
  agent_id    text collate "C" not null,
  task_id     text collate "C",
  type        text not null,
  url         text not null, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  number      smallint not null,
  outcome     attempt_outcome not null,
  status      smallint,
  error       text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  answer      text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  ms          integer not null,
  next_try_at timestamptz,
  created_at  timestamptz not null,
  constraint delivery_attempts_pkey primary key (agent_id, id, created_at),
  constraint delivery_attempts_check check ((next_try_at is not null) = (outcome = 'failed'::attempt_outcome))
) partition by range (created_at);
create index delivery_attempts_failed on delivery_attempts (agent_id, id) where (outcome <> 'delivered'::attempt_outcome);
create index delivery_attempts_of_event on delivery_attempts (event_id);
grant select, insert on delivery_attempts to legwork_app;

-- rows: kept: the books
create table deposits (
  id                     text collate "C" not null,
  agent_id               text collate "C" not null,
  mode                   agent_mode not null,
  amount_cents           bigint not null,
  status                 deposit_status not null default 'creating'::deposit_status,
  request_key            text collate "C",
  session_id             text collate "C",
  payment_intent_id      text collate "C",
  charge_id              text collate "C",
  balance_transaction_id text collate "C",
  fee_cents              bigint,
  refunded_cents         bigint not null default 0,
  expires_at             timestamptz not null,
  check_at               timestamptz,
  succeeded_at           timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  decided_at             timestamptz,
  card_fingerprint       text, -- personal: agent; keep: payouts between accounts of one person are held; row; export: no: used against fraud only
  constraint deposits_pkey primary key (id),
  constraint deposits_balance_transaction_id_key unique (balance_transaction_id),
  constraint deposits_charge_id_key unique (charge_id),
  constraint deposits_payment_intent_id_key unique (payment_intent_id),
  constraint deposits_request_key_key unique (request_key),
  constraint deposits_session_id_key unique (session_id),
  constraint deposits_amount_cents_check check (amount_cents > 0),
  constraint deposits_fee_cents_check check (fee_cents >= 0),
  constraint deposits_id_check check (id ~ '^txn_[0-9a-z]{26}$'),
  constraint deposits_paid check (succeeded_at is null or charge_id is not null or mode = 'test'::agent_mode),
  constraint deposits_refunded check (refunded_cents >= 0 and refunded_cents <= amount_cents)
) with (fillfactor=80);
create index deposits_due on deposits (check_at) where (check_at is not null);
create index deposits_in_suspense on deposits (updated_at, id) where ((status = 'mismatched'::deposit_status) and (decided_at is null));
create index deposits_of_agent on deposits (agent_id, id);
create index deposits_of_card on deposits (card_fingerprint, agent_id) where (card_fingerprint is not null);
create index deposits_open on deposits (status) where (status = any (array['creating'::deposit_status, 'open'::deposit_status, 'processing'::deposit_status, 'mismatched'::deposit_status]));
create index deposits_succeeded on deposits (agent_id, succeeded_at) where (succeeded_at is not null);
alter table deposits enable row level security;
create policy deposits_of_tenant on deposits to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));
create trigger deposits_moves before update of status on deposits for each row execute function refuse_deposit_move();
grant select, insert, update (status, request_key, session_id, payment_intent_id, charge_id, balance_transaction_id, fee_cents, refunded_cents, check_at, succeeded_at, updated_at, decided_at, card_fingerprint) on deposits to legwork_app;

-- rows: kept: decisions about money
create table disputes (
  id             text collate "C" not null,
  task_id        text collate "C" not null,
  agent_id       text collate "C" not null,
  assignment_ids text[] not null,
  reason         text not null, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  category       text,
  criteria       text[] not null default '{}'::text[],
  status         text not null,
  touches_trust  boolean not null,
  refunded_cents bigint not null,
  created_at     timestamptz not null,
  resolved_at    timestamptz,
  debited_cents  bigint not null default 0,
  decides_by     timestamptz,
  decided_at     timestamptz,
  decided_by     text, -- personal: operator; keep: who decided; row; export: no: operators are not named to workers
  decision_note  text, -- personal: worker; keep: the reason of a decision about money; task texts; export: yes
  constraint disputes_pkey primary key (id),
  constraint disputes_debited check (debited_cents >= 0) not valid,
  constraint disputes_decided check ((num_nulls(decided_at, decided_by) = any (array[0, 2])) and (decided_at is null or decides_by is not null) and (decision_note is null or decided_at is not null) and (status <> 'held' or decided_at is null) and ((status <> all (array['rejected', 'lapsed'])) or decided_at is not null)) not valid,
  constraint disputes_decision_note check (length(decision_note) >= 1 and length(decision_note) <= 2000) not valid,
  constraint disputes_held_clock check (status <> 'held' or decides_by is not null) not valid,
  constraint disputes_reason_check check (length(reason) >= 1 and length(reason) <= 2000),
  constraint disputes_status_check check (status in ('open', 'held', 'rejected', 'lapsed', 'withdrawn', 'upheld', 'overturned', 'split')) not valid
);
create index disputes_held_due on disputes (decides_by) where (status = 'held');
create index disputes_of_agent on disputes (agent_id, created_at);
create index disputes_of_task on disputes (task_id, id);
create unique index disputes_one_held on disputes (task_id) where (status = 'held');
alter table disputes enable row level security;
create policy disputes_of_tenant on disputes to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));
create trigger disputes_count_moved after update on disputes for each row when (old.status <> new.status) execute function count_dispute();
create trigger disputes_count_new after insert on disputes for each row execute function count_dispute();
create trigger disputes_keep_held_clock before insert on disputes for each row when (new.status = 'held' and new.decides_by is null) execute function keep_held_clock();
create trigger disputes_two_persons before update of decided_by on disputes for each row when (old.decided_by is null and new.decided_by ~~ 'operator %') execute function guard_dispute();
grant select, update (status, resolved_at, debited_cents) on disputes to legwork_app;

-- rows: 30 days after ended_at; by: runner.remove-expired
create table do_not_contact (
  id         text collate "C" not null,
  kind       target_kind not null,
  target     text collate "C" not null, -- personal: third person; keep: protects this person; row; export: no: a keyed hash, and nobody has an account for it
  state      do_not_contact_state not null default 'requested'::do_not_contact_state,
  value      text, -- personal: third person; keep: erased with the decision; row; export: no: nobody has an account for it
  reason     text, -- personal: third person; keep: erased with the decision; row; export: no: nobody has an account for it
  email      text, -- personal: third person; keep: answers go there; row; export: no: nobody has an account for it
  created_at timestamptz not null,
  due_at     timestamptz,
  decided_at timestamptz,
  note       text, -- personal: third person; keep: what we answered; row; export: no: nobody has an account for it
  ended_at   timestamptz,
  constraint do_not_contact_pkey primary key (id),
  constraint do_not_contact_clock check ((due_at is not null) = (state = any (array['requested'::do_not_contact_state, 'confirmed'::do_not_contact_state]))),
  constraint do_not_contact_end check ((ended_at is null) = (state = any (array['requested'::do_not_contact_state, 'confirmed'::do_not_contact_state]))),
  constraint do_not_contact_forgotten check (state = 'requested'::do_not_contact_state or value is null and reason is null)
);
create index do_not_contact_confirmed on do_not_contact (target) where (state = 'confirmed'::do_not_contact_state);
create index do_not_contact_due on do_not_contact (due_at) where (due_at is not null);
create index do_not_contact_ended on do_not_contact (ended_at) where (ended_at is not null);
create index do_not_contact_waiting on do_not_contact (created_at, id) where (state = 'requested'::do_not_contact_state);
grant select, insert, update (state, value, reason, due_at, decided_at, note, ended_at) on do_not_contact to legwork_app;

-- rows: kept: one row per agent
create table event_counters (
  agent_id    text collate "C" not null,
  last_number bigint not null,
  constraint event_counters_pkey primary key (agent_id)
) with (fillfactor=50);
grant select, insert, update on event_counters to legwork_app;

-- rows: 30 days after created_at; by: runner.maintain
create table events (
  id         text collate "C" not null,
  type       text not null,
  agent_id   text collate "C" not null,
  task_id    text collate "C",
  data       json not null, -- personal: worker; keep: what the agent was told; row; export: no: a copy of the proof
  created_at timestamptz not null,
  sequence   integer,
  number     bigint,
  constraint events_pkey primary key (created_at, id)
) partition by range (created_at);
create index events_of_agent_by_number on events (agent_id, number);
create index events_of_task on events (task_id, id);
grant select, insert on events to legwork_app;

-- rows: 0 days after expires_at; by: files.remove-proof-files, files.sweep-unused
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
  sha256         text collate "C" not null, -- personal: worker; replace; row; export: no: made from the photo
  stored_sha256  text collate "C", -- personal: worker; erase; row; export: no: made from the photo
  store_key      text collate "C",
  width          integer,
  height         integer,
  dhash          text collate "C", -- personal: worker; erase; row; export: no: made from the photo
  evidence       json, -- personal: worker; erase; LOCATION_KEEP_DAYS days after created_at, by files.forget-evidence; export: yes
  checks         json not null default '[]'::json, -- personal: worker; keep: what the agent's verdict was based on; row; export: yes
  refusal        text,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  constraint files_pkey primary key (id),
  constraint files_bytes_check check (bytes > 0),
  constraint files_kind_check check (kind in ('photo', 'video', 'audio')),
  constraint files_status_check check (status in ('begun', 'received', 'ready', 'refused'))
);
create index files_by_end on files (expires_at);
create index files_of_assignment on files (assignment_id);
create index files_of_proof on files (proof_id) where (proof_id is not null);
create index files_of_worker on files (worker_id, created_at);
create index files_unused on files (expires_at) where (proof_id is null);
create index files_with_evidence on files (created_at) where (evidence is not null);
grant select, insert, update (proof_id, status, content_type, bytes, received_bytes, sha256, stored_sha256, store_key, width, height, dhash, evidence, checks, refusal, expires_at), delete on files to legwork_app;

-- rows: 30 days after gone_at; by: webhooks.tidy
create table gone_callbacks (
  agent_id text collate "C" not null,
  url      text collate "C" not null, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  gone_at  timestamptz not null,
  constraint gone_callbacks_pkey primary key (agent_id, url)
);
create index gone_callbacks_by_age on gone_callbacks (gone_at);
grant select, insert, update, delete on gone_callbacks to legwork_app;

-- rows: 14 days after created_at; by: runner.maintain
create table idempotency_keys (
  week        date not null,
  principal   text collate "C" not null,
  key_hash    text collate "C" not null,
  fingerprint text collate "C" not null,
  status      smallint,
  answer      text, -- personal: worker; erase; row; export: no: a response that the caller has had
  created_at  timestamptz not null,
  constraint idempotency_keys_pkey primary key (principal, key_hash, week)
) partition by range (week);
grant select, insert, update (status, answer) on idempotency_keys to legwork_app;

-- rows: until the process ends or is found dead; by: runner
create table job_processes (
  id         text collate "C" not null,
  runner_ids text[] not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  constraint job_processes_pkey primary key (id)
);
grant select, insert, update, delete on job_processes to legwork_app;

-- rows: kept: ends with its key
create table key_limits (
  key_id          text collate "C" not null,
  agent_id        text collate "C" not null,
  since           timestamptz not null,
  task_max_cents  bigint,
  day_max_cents   bigint,
  month_max_cents bigint,
  budget_cents    bigint,
  day             date not null default '-infinity'::date,
  day_cents       bigint not null default 0,
  month           date not null default '-infinity'::date,
  month_cents     bigint not null default 0,
  total_cents     bigint not null default 0,
  constraint key_limits_pkey primary key (key_id),
  constraint key_limits_budget_cents_check check (budget_cents > 0),
  constraint key_limits_day_cents_check check (day_cents >= 0),
  constraint key_limits_day_max_cents_check check (day_max_cents > 0),
  constraint key_limits_month_cents_check check (month_cents >= 0),
  constraint key_limits_month_max_cents_check check (month_max_cents > 0),
  constraint key_limits_task_max_cents_check check (task_max_cents > 0),
  constraint key_limits_total_cents_check check (total_cents >= 0)
) with (fillfactor=70);
grant select, insert (key_id, agent_id, since, task_max_cents, day_max_cents, month_max_cents, budget_cents), update (task_max_cents, day_max_cents, month_max_cents, budget_cents) on key_limits to legwork_app;

-- rows: kept: sums of the books, one row per account
create table ledger_account_sums (
  account    text collate "C" not null,
  sealed_xid bigint not null,
  cents      bigint not null,
  constraint ledger_account_sums_pkey primary key (account)
);
grant select, insert, update (sealed_xid, cents) on ledger_account_sums to legwork_app;

-- rows: kept: the books
create table ledger_agents (
  agent_id             text collate "C" not null,
  mode                 agent_mode not null,
  wallet_cents         bigint not null default 0,
  receivable_cents     bigint not null default 0,
  statement_no         bigint not null default 0,
  free_tasks_granted   integer not null default 0,
  free_tasks_remaining integer not null default 0,
  owes_since           timestamptz,
  constraint ledger_agents_pkey primary key (agent_id),
  constraint agent_free_tasks_left check (free_tasks_remaining >= 0 and free_tasks_remaining <= free_tasks_granted),
  constraint agent_owes_or_owns check (wallet_cents = 0 or receivable_cents = 0),
  constraint agent_receivable_not_negative check (receivable_cents >= 0),
  constraint agent_wallet_not_negative check (wallet_cents >= 0)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
create index ledger_agents_in_debt on ledger_agents (coalesce(owes_since, '1970-01-01 00:00:00+00'::timestamptz), agent_id) where ((mode = 'live'::agent_mode) and (receivable_cents > 0));
grant select on ledger_agents to legwork_app;

-- rows: kept: when which part of the books was proven
create table ledger_audits (
  id         bigint not null generated always as identity,
  kind       text not null,
  started_at timestamptz not null,
  sealed_xid bigint not null,
  pass       text,
  position   text collate "C",
  carry      json,
  rows_done  bigint not null default 0,
  rows_total bigint not null default 0,
  busy_ms    bigint not null default 0,
  breaks     bigint not null default 0,
  ended_at   timestamptz,
  constraint ledger_audits_pkey primary key (id),
  constraint ledger_audits_check check (kind <> 'round' or pass is not null),
  constraint ledger_audits_kind_check check (kind in ('increment', 'round'))
);
create unique index ledger_audits_open on ledger_audits (kind) where (ended_at is null);
grant select, insert, update (sealed_xid, pass, position, carry, rows_done, busy_ms, breaks, ended_at), delete on ledger_audits to legwork_app;

-- rows: kept: faults of the books
create table ledger_breaks (
  invariant text not null,
  subject   text collate "C" not null,
  found_at  timestamptz not null,
  seen_at   timestamptz not null,
  ended_at  timestamptz,
  constraint ledger_breaks_pkey primary key (invariant, subject, found_at)
);
create unique index ledger_breaks_open on ledger_breaks (invariant, subject) where (ended_at is null);
grant select, insert, update (seen_at, ended_at) on ledger_breaks to legwork_app;

-- rows: kept: until the next round replaces them
create table ledger_checksums (
  audit_id        bigint not null,
  day             date not null,
  lines           bigint not null,
  checksum        numeric not null,
  lines_before    bigint not null,
  checksum_before numeric not null,
  constraint ledger_checksums_pkey primary key (audit_id, day)
);
grant select, insert, update (lines, checksum, lines_before, checksum_before), delete on ledger_checksums to legwork_app;

-- rows: kept: as long as the balance that it proves
create table ledger_proofs (
  owner_id        text collate "C" not null,
  mode            agent_mode not null,
  statement_no    bigint not null,
  balance_cents   bigint not null,
  own_cents       bigint not null,
  owed_cents      bigint not null,
  free_tasks_used bigint not null default 0,
  proven_at       timestamptz not null,
  constraint ledger_proofs_pkey primary key (owner_id)
);
grant select, insert, update, delete on ledger_proofs to legwork_app;

-- rows: kept: three rows
create table ledger_sums (
  name       text not null,
  sealed_xid bigint not null,
  cents      bigint not null,
  constraint ledger_sums_pkey primary key (name),
  constraint ledger_sums_name_check check (name in ('processor', 'clearing', 'mirror'))
);
grant select, insert, update (sealed_xid, cents) on ledger_sums to legwork_app;

-- rows: kept: sums of the books
create table ledger_totals (
  agent_id text collate "C" not null,
  kind     text not null,
  credit   text collate "C" not null,
  cents    bigint not null,
  lines    bigint not null,
  constraint ledger_totals_pkey primary key (agent_id, kind, credit)
);
grant select, insert, update, delete on ledger_totals to legwork_app;

-- rows: kept: the books
create table ledger_transits (
  ref_id           text collate "C" not null,
  mode             agent_mode not null,
  in_transit_cents bigint not null default 0,
  constraint ledger_transits_pkey primary key (ref_id),
  constraint transit_not_negative check (in_transit_cents >= 0)
) with (fillfactor=50);
create index ledger_transits_open on ledger_transits (ref_id) where (in_transit_cents <> 0);
grant select on ledger_transits to legwork_app;

-- rows: kept: the books
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

-- rows: kept: the books
create table money_breaks (
  id           bigint not null generated always as identity,
  kind         text not null,
  subject      text collate "C" not null,
  amount_cents bigint not null,
  detail       text not null,
  opened_at    timestamptz not null,
  seen_at      timestamptz not null,
  explained_by text, -- personal: operator; keep: who explained a difference in the books; row; export: no: about an operator
  explanation  text,
  closed_at    timestamptz,
  constraint money_breaks_pkey primary key (id)
);
create unique index money_breaks_open on money_breaks (kind, subject) where (closed_at is null);
create index money_breaks_unexplained on money_breaks (opened_at, id) where ((closed_at is null) and (explanation is null));
grant select, insert, update (amount_cents, detail, seen_at, explained_by, explanation, closed_at) on money_breaks to legwork_app;

-- rows: 90 days after created_at; by: notices.tidy
create table notices (
  id            text collate "C" not null,
  worker_id     text collate "C" not null,
  kind          notice_kind not null,
  cause         text collate "C" not null,
  task_id       text collate "C",
  title         text, -- personal: worker; erase; row; export: yes
  agent_name    text, -- personal: worker; erase; row; export: yes
  amount_cents  bigint,
  distance_km   double precision, -- personal: worker; erase; row; export: yes
  reason        text, -- personal: worker; erase; row; export: yes
  until         timestamptz,
  created_at    timestamptz not null,
  read_at       timestamptz, -- personal: worker; erase; row; export: yes
  is_pressing   boolean not null default false,
  push_at       timestamptz,
  push_attempts smallint not null default 0,
  pushed_to     text[] not null default '{}'::text[],
  mailed_at     timestamptz,
  tip_cents     bigint,
  question_id   text collate "C",
  constraint notices_pkey primary key (id),
  constraint notices_told_once unique (worker_id, kind, cause),
  constraint notices_tip check (tip_cents > 0) not valid
) with (fillfactor=80);
create index notices_by_age on notices (created_at);
create index notices_of_worker on notices (worker_id, id);
create index notices_to_push on notices (push_at) where (push_at is not null);
create index notices_unread on notices (worker_id) where (read_at is null);
alter table notices enable row level security;
create policy notices_of_tenant on notices to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert, update (until, read_at, push_at, push_attempts, pushed_to, mailed_at), delete on notices to legwork_app;

-- rows: 0 days after expires_at; by: runner.remove-expired
create table oauth_clients (
  id            text collate "C" not null,
  name          text not null,
  redirect_uris text[] not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  constraint oauth_clients_pkey primary key (id),
  constraint oauth_clients_name check (char_length(name) >= 1 and char_length(name) <= 100),
  constraint oauth_clients_redirects check (cardinality(redirect_uris) >= 1 and cardinality(redirect_uris) <= 5)
);
create index oauth_clients_by_end on oauth_clients (expires_at);
grant select, insert, update (expires_at) on oauth_clients to legwork_app;

-- rows: 30 days after ends_at; by: runner.remove-expired
create table oauth_grants (
  id              text collate "C" not null,
  agent_id        text collate "C" not null,
  key_id          text collate "C" not null,
  client_id       text collate "C" not null,
  client_name     text not null,
  redirect_uri    text not null,
  code_hash       text collate "C" not null,
  code_challenge  text collate "C" not null,
  code_expires_at timestamptz not null,
  code_used_at    timestamptz,
  family_hash     text collate "C",
  refresh_hash    text collate "C",
  created_at      timestamptz not null,
  allowed_until   timestamptz not null,
  ends_at         timestamptz not null,
  constraint oauth_grants_pkey primary key (id),
  constraint oauth_grants_code unique (code_hash),
  constraint oauth_grants_family unique (family_hash),
  constraint oauth_grants_key unique (key_id),
  constraint oauth_grants_used check ((code_used_at is null) = (refresh_hash is null))
);
create index oauth_grants_by_end on oauth_grants (ends_at);
create index oauth_grants_of_agent on oauth_grants (agent_id, id);
grant select, insert, update (code_used_at, family_hash, refresh_hash, ends_at) on oauth_grants to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table objection_links (
  token_hash  text collate "C" not null,
  decision_id text collate "C" not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  constraint objection_links_pkey primary key (token_hash),
  constraint objection_links_check check (expires_at > created_at)
);
create index objection_links_by_end on objection_links (expires_at);
create index objection_links_of_decision on objection_links (decision_id, expires_at);
grant select, insert, delete on objection_links to legwork_app;

-- rows: until the agent has no open task; by: tasks.project-open
create table open_agents (
  agent_id        text collate "C" not null,
  name            text not null, -- personal: agent; keep: a copy of an agent with open tasks; row; export: no: the agent has the API
  judged          integer not null,
  approved        integer not null,
  disputes        integer not null,
  overturned      integer not null,
  median_review_s double precision,
  is_stale        boolean not null default true,
  constraint open_agents_pkey primary key (agent_id)
) with (fillfactor=70);
create index open_agents_stale on open_agents (agent_id) where is_stale;
grant select, insert, update, delete on open_agents to legwork_app;

-- rows: until the task is taken, hidden or over; by: tasks.project-open
create table open_cards (
  task_id            text collate "C" not null,
  status             task_status not null,
  title              text, -- personal: third person; keep: a copy of an open task; row; export: no: the agent has the API
  description        text not null, -- personal: third person; keep: a copy of an open task; row; export: no: the agent has the API
  urgency            task_urgency not null,
  proof_required     task_proof not null,
  budget_cents       bigint not null,
  auto_approve_after integer not null,
  slots_needed       integer not null,
  slots_taken        integer not null,
  skills             text[] not null,
  languages          text[] not null,
  created_at         timestamptz not null,
  risks              text[] not null default '{}'::text[],
  constraint open_cards_pkey primary key (task_id),
  constraint open_cards_task_id_fkey foreign key (task_id) references open_tasks(task_id) on delete cascade
) with (fillfactor=90);
grant select, insert, update, delete on open_cards to legwork_app;

-- rows: until the task is taken, hidden or over; by: tasks.project-open
create table open_tasks (
  task_id      text collate "C" not null,
  agent_id     text collate "C" not null,
  type         task_type not null,
  pay_cents    bigint not null,
  level_needed smallint not null,
  skill_keys   integer[] not null,
  deadline     timestamptz not null,
  lat          double precision, -- personal: third person; keep: a copy of an open task; row; export: no: the agent has the API
  lng          double precision, -- personal: third person; keep: a copy of an open task; row; export: no: the agent has the API
  cell5        bigint not null,
  cell6        bigint not null,
  cell7        bigint not null,
  area         text, -- personal: third person; keep: a copy of an open task; row; export: no: the agent has the API
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

-- rows: 730 days after at; by: runner.remove-expired
create table operator_actions (
  id       bigint not null generated always as identity,
  at       timestamptz not null,
  operator text not null, -- personal: operator; keep: the audit log; row; export: no: about an operator
  command  text not null,
  words    text[] not null, -- personal: worker; replace; row; export: no: the operators' audit log
  outcome  text,
  answer   text, -- personal: worker; replace; row; export: no: the operators' audit log
  constraint operator_actions_pkey primary key (id),
  constraint operator_actions_outcome_check check (outcome in ('done', 'refused', 'failed'))
);
create index operator_actions_by_age on operator_actions (at);
grant select, insert, update (outcome, answer) on operator_actions to legwork_app;

-- rows: 1 days after expires_at; by: runner.remove-expired
create table operator_challenges (
  id_hash     text collate "C" not null,
  purpose     text not null,
  operator_id text collate "C",
  challenge   text not null,
  verifier    text,
  expires_at  timestamptz not null,
  constraint operator_challenges_pkey primary key (id_hash),
  constraint operator_challenges_purpose_check check (purpose in ('register', 'sign_in', 'oidc'))
);
create index operator_challenges_expired on operator_challenges (expires_at);
grant select, insert, delete on operator_challenges to legwork_app;

-- rows: kept: decisions about money and people must be explained for years
create table operator_decisions (
  id           text collate "C" not null,
  kind         text not null,
  subject      text collate "C" not null,
  amount_cents bigint,
  input        jsonb not null, -- personal: worker; keep: what was decided, and the words sent to the person; row; export: no: the person has the decision itself
  reason       text not null, -- personal: worker; keep: why it was decided; row; export: no: the person has the decision itself
  state        text not null,
  needs_second boolean not null default false,
  proposed_by  text collate "C" not null,
  proposed_at  timestamptz not null,
  expires_at   timestamptz not null,
  second_by    text collate "C",
  second_at    timestamptz,
  spent_cents  bigint not null default 0,
  ended_at     timestamptz,
  result       jsonb, -- personal: worker; keep: what came of it; row; export: no: the person has the decision itself
  request_key  text collate "C" not null,
  resume_at    timestamptz,
  constraint operator_decisions_pkey primary key (id),
  constraint operator_decisions_request unique (request_key),
  constraint operator_decisions_amount check (amount_cents >= 0),
  constraint operator_decisions_ended check ((state in ('waiting', 'agreed')) = (ended_at is null)),
  constraint operator_decisions_second check ((second_by is null) = (second_at is null)),
  constraint operator_decisions_spent check (spent_cents >= 0 and spent_cents <= coalesce(amount_cents, 0::bigint)),
  constraint operator_decisions_state_check check (state in ('waiting', 'agreed', 'done', 'failed', 'declined', 'withdrawn', 'lapsed')),
  constraint operator_decisions_two_persons check (not needs_second or (state <> all (array['agreed', 'done', 'failed'])) or second_by is not null and second_by <> proposed_by)
);
create index operator_decisions_of_subject on operator_decisions (subject, proposed_at);
create index operator_decisions_to_lapse on operator_decisions (expires_at) where (state = 'waiting');
create index operator_decisions_unfinished on operator_decisions (proposed_at) where (state = 'agreed');
create unique index operator_decisions_waiting on operator_decisions (kind, subject) where (state = 'waiting');
create trigger operator_decisions_forward before update on operator_decisions for each row execute function keep_decision();
create trigger operator_decisions_second before insert on operator_decisions for each row execute function decide_second_person();
grant select, insert (id, kind, subject, amount_cents, input, reason, state, proposed_by, proposed_at, expires_at, request_key), update (state, second_by, second_at, ended_at, result, resume_at) on operator_decisions to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table operator_links (
  token_hash  text collate "C" not null,
  operator_id text collate "C" not null,
  purpose     text not null,
  created_by  text collate "C" not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  ended_at    timestamptz,
  constraint operator_links_pkey primary key (token_hash),
  constraint operator_links_purpose_check check (purpose in ('invitation', 'passkey', 'sign_in'))
);
create index operator_links_expired on operator_links (expires_at);
create index operator_links_of_operator on operator_links (operator_id);
grant select, insert, update (ended_at) on operator_links to legwork_app;

-- rows: until the operator or an administrator removes the passkey; by: operators/remove-passkey.ts
create table operator_passkeys (
  credential_id text collate "C" not null,
  operator_id   text collate "C" not null,
  name          text not null, -- personal: operator; keep: to recognize the device; row; export: no: about an operator
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null default '{}'::text[],
  created_at    timestamptz not null,
  used_at       timestamptz, -- personal: operator; keep: to see an unused key; row; export: no: about an operator
  constraint operator_passkeys_pkey primary key (credential_id)
);
create index operator_passkeys_of_operator on operator_passkeys (operator_id);
grant select, insert, update (name, counter, used_at), delete on operator_passkeys to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table operator_sessions (
  token_hash  text collate "C" not null,
  operator_id text collate "C" not null,
  how         text not null,
  device      text not null, -- personal: operator; keep: to recognize the device; row; export: no: about an operator
  created_at  timestamptz not null,
  seen_at     timestamptz not null, -- personal: operator; keep: ends idle sessions; row; export: no: about an operator
  expires_at  timestamptz not null,
  constraint operator_sessions_pkey primary key (token_hash),
  constraint operator_sessions_how_check check (how in ('passkey', 'oidc', 'link'))
);
create index operator_sessions_expired on operator_sessions (expires_at);
create index operator_sessions_of_operator on operator_sessions (operator_id);
grant select, insert, update (seen_at), delete on operator_sessions to legwork_app;

-- rows: kept: whoever decided must be known as long as the audit log
create table operators (
  id           text collate "C" not null,
  email        text not null, -- personal: operator; keep: the audit log; row; export: no: about an operator
  name         text not null, -- personal: operator; keep: the audit log; row; export: no: about an operator
  role         text not null default 'viewer',
  status       text not null default 'invited',
  oidc_subject text, -- personal: operator; keep: how the operator signs in; row; export: no: about an operator
  invited_by   text collate "C",
  created_at   timestamptz not null,
  disabled_at  timestamptz,
  disabled_by  text collate "C",
  constraint operators_pkey primary key (id),
  constraint operators_email unique (email),
  constraint operators_oidc_subject unique (oidc_subject),
  constraint operators_disabled check ((status = 'disabled') = (disabled_at is not null)),
  constraint operators_email_lower check (email = lower(email)),
  constraint operators_name_length check (length(name) >= 1 and length(name) <= 100),
  constraint operators_role_check check (role in ('viewer', 'support', 'trust', 'finance', 'admin')),
  constraint operators_status_check check (status in ('invited', 'active', 'disabled'))
);
grant select, insert, update (name, role, status, oidc_subject, disabled_at, disabled_by) on operators to legwork_app;

-- rows: until relayed, within seconds; by: webhooks/take-events.ts
create table outbox (
  position    bigint not null generated always as identity,
  id          text collate "C" not null,
  type        text not null,
  agent_id    text collate "C",
  task_id     text collate "C",
  data        json not null, -- personal: worker; keep: becomes a row of events; row; export: no: a copy of the proof
  created_at  timestamptz not null,
  sequence    integer,
  traceparent text,
  constraint outbox_pkey primary key ("position"),
  constraint outbox_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=2000);
grant select, insert, update, delete on outbox to legwork_app;

-- rows: kept: payouts name the account that they went to
create table payout_accounts (
  worker_id         text collate "C" not null,
  account_id        text collate "C", -- personal: worker; keep: payments went to this account; row; export: yes
  country           text not null, -- personal: worker; keep: payments went to this account; row; export: yes
  email             text not null, -- personal: worker; replace; row; export: yes
  name              text not null, -- personal: worker; replace; row; export: yes
  status            payout_account_status not null default 'onboarding'::payout_account_status,
  requirements_due  text[] not null default '{}'::text[], -- personal: worker; keep: payments went to this account; row; export: yes
  details_submitted boolean not null default false,
  schedule_set_at   timestamptz,
  refreshed_at      timestamptz,
  check_at          timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  replaced_count    smallint not null default 0,
  bank_last4        text, -- personal: worker; erase; row; export: yes
  bank_fingerprint  text, -- personal: worker; keep: payouts between accounts of one person are held; row; export: no: used against fraud only
  constraint payout_accounts_pkey primary key (worker_id),
  constraint payout_accounts_taken unique (account_id),
  constraint payout_accounts_bank_last4 check (bank_last4 ~ '^[0-9A-Za-z]{1,4}$') not valid
) with (fillfactor=80);
create index payout_accounts_due on payout_accounts (check_at) where (check_at is not null);
create index payout_accounts_of_bank on payout_accounts (bank_last4, country) where (bank_last4 is not null);
create index payout_accounts_of_fingerprint on payout_accounts (bank_fingerprint) where (bank_fingerprint is not null);
create index payout_accounts_refused on payout_accounts (updated_at, worker_id) where (status = any (array['closed'::payout_account_status, 'rejected'::payout_account_status]));
alter table payout_accounts enable row level security;
create policy payout_accounts_of_tenant on payout_accounts to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert, update (account_id, country, email, name, status, requirements_due, details_submitted, schedule_set_at, refreshed_at, check_at, updated_at, replaced_count, bank_last4, bank_fingerprint) on payout_accounts to legwork_app;

-- rows: kept: why a payout was held
create table payout_signals (
  payout_id  text collate "C" not null,
  sign       text not null,
  score      smallint not null,
  detail     text not null,
  created_at timestamptz not null,
  constraint payout_signals_pkey primary key (payout_id, sign),
  constraint payout_signals_score_check check (score >= 0)
);
grant select, insert, update (score, detail) on payout_signals to legwork_app;

-- rows: kept: the books
create table payouts (
  id              text collate "C" not null,
  worker_id       text collate "C" not null,
  agent_id        text collate "C" not null,
  task_id         text collate "C" not null,
  mode            agent_mode not null,
  funding         task_funding not null,
  amount_cents    bigint not null,
  status          payout_status not null,
  hold_reason     text, -- personal: worker; keep: the books; row; export: yes
  available_at    timestamptz not null,
  account_id      text collate "C", -- personal: worker; keep: the books; row; export: yes
  transfer_id     text collate "C", -- personal: worker; keep: the books; row; export: yes
  reversed_cents  bigint not null default 0,
  failure_code    text, -- personal: worker; keep: the books; row; export: yes
  failure_message text, -- personal: worker; keep: the books; row; export: yes
  previous_id     text collate "C",
  note            text, -- personal: worker; keep: why an operator released or reversed it; row; export: no: a note of an operator
  check_at        timestamptz,
  paid_at         timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  cleared_at      timestamptz,
  constraint payouts_pkey primary key (id),
  constraint payouts_previous_id_key unique (previous_id),
  constraint payouts_transfer_id_key unique (transfer_id),
  constraint payouts_amount_cents_check check (amount_cents > 0),
  constraint payouts_hold_reason_check check (hold_reason in ('new_funds', 'free_task', 'self_dealing', 'promo_budget', 'review')),
  constraint payouts_id_check check (id ~ '^po_[0-9a-z]{26}$'),
  constraint payouts_paid check ((status = any (array['paid'::payout_status, 'partially_reversed'::payout_status, 'reversed'::payout_status])) = (paid_at is not null) and (paid_at is null or transfer_id is not null or mode = 'test'::agent_mode)),
  constraint payouts_reversed check (reversed_cents >= 0 and reversed_cents <= amount_cents)
) with (fillfactor=80);
create index payouts_due on payouts (check_at) where (check_at is not null);
create index payouts_given_up on payouts (updated_at, id) where ((status = 'failed'::payout_status) and (check_at is null));
create index payouts_of_task on payouts (task_id, worker_id);
create index payouts_of_worker on payouts (worker_id, id);
create unique index payouts_one_live on payouts (task_id, worker_id) where (status <> all (array['failed'::payout_status, 'reversed'::payout_status]));
create index payouts_open on payouts (status) where (status = any (array['held'::payout_status, 'awaiting_account'::payout_status, 'requested'::payout_status, 'submitting'::payout_status, 'awaiting_funds'::payout_status]));
create index payouts_reversed on payouts (updated_at, id) where (status = 'reversed'::payout_status);
create index payouts_to_review on payouts (created_at, id) where ((status = 'held'::payout_status) and (hold_reason in ('self_dealing', 'review')));
create index payouts_waiting on payouts (worker_id) where (status = 'awaiting_account'::payout_status);
create trigger payouts_moves before update of status on payouts for each row execute function refuse_payout_move();
create trigger payouts_two_persons before update of hold_reason on payouts for each row when (old.mode = 'live'::agent_mode and (old.hold_reason in ('self_dealing', 'review')) and new.hold_reason is null) execute function guard_payout();
grant select, insert, update (status, hold_reason, available_at, account_id, transfer_id, reversed_cents, failure_code, failure_message, note, check_at, paid_at, updated_at, cleared_at) on payouts to legwork_app;

-- rows: until the file or the account goes; by: files.remove-proof-files, files.forget-worker
create table photo_hashes (
  file_id    text collate "C" not null,
  worker_id  text collate "C" not null,
  task_id    text collate "C" not null,
  sha256     text collate "C" not null, -- personal: worker; erase; row; export: no: made from the photo
  dhash      bigint, -- personal: worker; erase; row; export: no: made from the photo
  created_at timestamptz not null,
  constraint photo_hashes_pkey primary key (file_id)
);
create index photo_hashes_quarter0 on photo_hashes (((dhash & (65535)::bigint)));
create index photo_hashes_quarter1 on photo_hashes ((((dhash >> 16) & (65535)::bigint)));
create index photo_hashes_quarter2 on photo_hashes ((((dhash >> 32) & (65535)::bigint)));
create index photo_hashes_quarter3 on photo_hashes ((((dhash >> 48) & (65535)::bigint)));
create index photo_hashes_sha256 on photo_hashes (sha256);
grant select, insert, delete on photo_hashes to legwork_app;

-- rows: kept: one row per switch
create table platform_switches (
  name       text not null,
  is_on      boolean not null default true,
  reason     text,
  set_by     text not null default 'reconciliation', -- personal: operator; keep: who changed the switch; row; export: no: about an operator
  changed_at timestamptz not null default now(),
  constraint platform_switches_pkey primary key (name),
  constraint platform_switches_name_check check (name in ('free_tasks', 'payouts', 'refunds', 'withdrawals', 'registrations', 'tasks_verification', 'tasks_voice_proxy', 'tasks_gut_check', 'tasks_field_mission', 'tasks_empathy_escalation', 'tasks_vibe_reader', 'tasks_custom', 'read_only'))
);
create trigger platform_switches_doors before update of is_on on platform_switches for each row execute function refuse_open_door();
grant select, update on platform_switches to legwork_app;

-- rows: kept: the books
create table processor_attempts (
  subject_id text collate "C" not null,
  attempt    integer not null,
  key        text collate "C" not null,
  begun_at   timestamptz not null,
  sent_at    timestamptz,
  tries      integer not null default 0,
  repeats    integer not null default 0,
  last_cause text,
  outcome    text,
  code       text,
  message    text,
  ended_at   timestamptz,
  constraint processor_attempts_pkey primary key (subject_id, attempt),
  constraint processor_attempts_key_key unique (key),
  constraint processor_attempts_outcome_check check (outcome in ('ok', 'refused', 'not_found'))
);
create unique index processor_attempts_one_open on processor_attempts (subject_id) where (outcome is null);
create trigger processor_attempts_two_persons before insert on processor_attempts for each row when (new.key ~~ 'suspense\_%' or new.key ~~ 'reversal\_%') execute function guard_attempt();
grant select, insert, update (sent_at, tries, repeats, last_cause, outcome, code, message, ended_at) on processor_attempts to legwork_app;

-- rows: 90 days after handled_at; by: runner.remove-expired
create table processor_events (
  event_id    text collate "C" not null,
  source      text not null,
  type        text not null,
  object_id   text collate "C" not null,
  account_id  text collate "C",
  payload     json not null,
  status      text not null default 'pending',
  attempts    integer not null default 0,
  error       text,
  check_at    timestamptz,
  created_at  timestamptz not null,
  received_at timestamptz not null,
  handled_at  timestamptz,
  constraint processor_events_pkey primary key (event_id),
  constraint processor_events_source_check check (source in ('account', 'connect', 'v2', 'list')),
  constraint processor_events_status_check check (status in ('pending', 'handled', 'ignored', 'dead'))
);
create index processor_events_due on processor_events (check_at) where (check_at is not null);
create index processor_events_handled on processor_events (handled_at) where (handled_at is not null);
create index processor_events_open on processor_events (received_at) where (status in ('pending', 'dead'));
grant select, insert, update (status, attempts, error, check_at, handled_at) on processor_events to legwork_app;

-- rows: kept: the books
create table processor_matches (
  key                    text collate "C" not null,
  balance_transaction_id text collate "C" not null,
  constraint processor_matches_pkey primary key (key)
);
create index processor_matches_of on processor_matches (balance_transaction_id);
grant select, insert on processor_matches to legwork_app;

-- rows: kept: one row per day
create table promo_days (
  day         date not null,
  spent_cents bigint not null default 0,
  constraint promo_days_pkey primary key (day),
  constraint promo_days_spent_cents_check check (spent_cents >= 0)
);
grant select, insert, update (spent_cents) on promo_days to legwork_app;

-- rows: 90 days after day; by: runner.remove-expired
create table promo_workers (
  day         date not null,
  worker_id   text collate "C" not null,
  spent_cents bigint not null,
  constraint promo_workers_pkey primary key (day, worker_id),
  constraint promo_workers_spent_cents_check check (spent_cents >= 0)
);
grant select on promo_workers to legwork_app;

-- rows: kept: work that was paid for
create table proofs (
  id               text collate "C" not null,
  assignment_id    text collate "C" not null,
  task_id          text collate "C" not null,
  agent_id         text collate "C" not null,
  worker_id        text collate "C" not null,
  text             text, -- personal: worker; keep: the agent paid for it; task texts; export: yes
  answer           json, -- personal: worker; keep: the agent paid for it; task texts; export: yes
  outcome          proof_outcome not null,
  location         json, -- personal: worker; erase; LOCATION_KEEP_DAYS days after submitted_at, by places.coarsen-locations; export: yes
  captured_at      timestamptz,
  checks           json not null default '[]'::json, -- personal: worker; keep: what the agent's verdict was based on; row; export: yes
  submitted_at     timestamptz not null,
  area             json, -- personal: worker; keep: about 150 km wide; row; export: yes
  files_removed_at timestamptz,
  constraint proofs_pkey primary key (id)
);
create index proofs_located on proofs (submitted_at) where (location is not null);
create index proofs_of_assignment on proofs (assignment_id, id);
create index proofs_of_task on proofs (task_id, id);
grant select, insert, update (location, area, files_removed_at) on proofs to legwork_app;

-- rows: until logout, push is off or the account is closed; by: notices.tidy, workers_close
create table push_subscriptions (
  id              text collate "C" not null,
  worker_id       text collate "C" not null,
  endpoint        text collate "C" not null, -- personal: worker; erase; row; export: no: keys of the device
  p256dh          text not null, -- personal: worker; erase; row; export: no: keys of the device
  auth            text not null, -- personal: worker; erase; row; export: no: keys of the device
  label           text, -- personal: worker; erase; row; export: yes
  session_version integer not null default 1,
  created_at      timestamptz not null,
  session_id      text collate "C",
  server_key      text collate "C",
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint unique (endpoint),
  constraint push_subscriptions_endpoint_check check (length(endpoint) <= 2048),
  constraint push_subscriptions_server_key check (length(server_key) <= 100)
);
create index push_subscriptions_of_worker on push_subscriptions (worker_id, id);
grant select, insert, update, delete on push_subscriptions to legwork_app;

-- rows: until its question is removed; by: questions.remove-old
create table question_messages (
  id             text collate "C" not null,
  question_id    text collate "C" not null,
  worker_id      text collate "C" not null default '',
  number         smallint not null,
  author         text not null,
  operator       text, -- personal: operator; erase; row; export: no: operators are not named to workers
  text           text not null, -- personal: worker; erase; row; export: yes
  created_at     timestamptz not null,
  agent_id       text collate "C" not null default '',
  waited_seconds integer,
  constraint question_messages_pkey primary key (id),
  constraint question_messages_number unique (question_id, number),
  constraint question_messages_asker check ((worker_id = '') <> (agent_id = '')),
  constraint question_messages_author check (author in ('worker', 'agent', 'operator')),
  constraint question_messages_bound check (number >= 1 and number <= case author when 'operator' then 20 else 19 end),
  constraint question_messages_operator check ((author = 'operator') = (operator is not null)),
  constraint question_messages_text check (length(text) >= 1 and length(text) <= 2000)
);
create index question_messages_waited on question_messages (created_at) where (waited_seconds is not null);
alter table question_messages enable row level security;
create policy question_messages_of_tenant on question_messages to legwork_app
  using ((worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)) and (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id)));
grant select, insert, delete on question_messages to legwork_app;

-- rows: until its question is removed or its account is closed; by: questions.sweep-photos
create table question_photos (
  id             text collate "C" not null,
  worker_id      text collate "C" not null default '',
  agent_id       text collate "C" not null default '',
  question_id    text collate "C",
  message_number smallint,
  number         smallint,
  content_type   text,
  bytes          bigint,
  width          integer,
  height         integer,
  created_at     timestamptz not null,
  expires_at     timestamptz,
  constraint question_photos_pkey primary key (id),
  constraint question_photos_number unique (question_id, number),
  constraint question_photos_asker check ((worker_id = '') <> (agent_id = '')),
  constraint question_photos_sent check ((question_id is null) = (expires_at is not null) and (question_id is null) = (message_number is null) and (question_id is null) = (number is null)),
  constraint question_photos_stored check (question_id is null or content_type is not null and bytes > 0)
);
create index question_photos_of_agent on question_photos (agent_id, created_at);
create index question_photos_of_worker on question_photos (worker_id, created_at);
create index question_photos_unused on question_photos (expires_at) where (expires_at is not null);
alter table question_photos enable row level security;
create policy question_photos_of_tenant on question_photos to legwork_app
  using ((worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)) and (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id)));
grant select, insert, update (question_id, message_number, number, content_type, bytes, width, height, expires_at), delete on question_photos to legwork_app;

-- rows: kept: one row for workers and one for agents
create table question_times (
  asker          text not null,
  answers        integer not null,
  median_seconds integer,
  measured_at    timestamptz not null,
  constraint question_times_pkey primary key (asker),
  constraint question_times_asker check (asker in ('worker', 'agent')),
  constraint question_times_median check ((answers = 0) = (median_seconds is null))
);
grant select, insert, update (answers, median_seconds, measured_at) on question_times to legwork_app;

-- rows: 730 days after closed_at; by: questions.remove-old
create table questions (
  id            text collate "C" not null,
  worker_id     text collate "C" not null default '',
  subject       text not null,
  task_id       text collate "C",
  task_title    text, -- personal: worker; erase; row; export: yes
  status        text not null default 'open',
  message_count smallint not null default 1,
  created_at    timestamptz not null,
  waits_since   timestamptz,
  due_at        timestamptz,
  closes_at     timestamptz,
  closed_at     timestamptz,
  ended_for     text,
  agent_id      text collate "C" not null default '',
  constraint questions_pkey primary key (id),
  constraint questions_answered check ((status = 'answered') = (closes_at is not null)),
  constraint questions_asker check ((worker_id = '') <> (agent_id = '')),
  constraint questions_closed check ((status = 'closed') = (closed_at is not null) and (closed_at is null) = (ended_for is null)),
  constraint questions_ended_for check (ended_for in ('worker', 'agent', 'operator', 'time_passed')),
  constraint questions_message_count check (message_count >= 1 and message_count <= 20),
  constraint questions_open check ((status = 'open') = (due_at is not null) and (due_at is null) = (waits_since is null)),
  constraint questions_status check (status in ('open', 'answered', 'closed')),
  constraint questions_subject check (subject in ('payment', 'task', 'dispute', 'account', 'safety', 'other', 'billing', 'webhook')),
  constraint questions_task check ((task_id is null) = (task_title is null))
) with (fillfactor=80);
create index questions_closed on questions (closed_at) where (closed_at is not null);
create index questions_of_agent on questions (agent_id, id);
create index questions_of_worker on questions (worker_id, id);
create index questions_to_close on questions (closes_at) where (status = 'answered');
create index questions_waiting on questions (due_at) where (status = 'open');
alter table questions enable row level security;
create policy questions_of_tenant on questions to legwork_app
  using ((worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)) and (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id)));
grant select, insert, update (status, message_count, waits_since, due_at, closes_at, closed_at, ended_for), delete on questions to legwork_app;

-- rows: 730 days after at; by: runner.remove-expired
create table reconciliations (
  at                     timestamptz not null,
  processor_cents        bigint not null,
  mirrored_cents         bigint not null,
  ledger_cents           bigint not null,
  own_funds_cents        bigint not null,
  unexplained_new_cents  bigint not null,
  unexplained_hour_cents bigint not null,
  unexplained_day_cents  bigint not null,
  constraint reconciliations_pkey primary key (at)
);
grant select, insert on reconciliations to legwork_app;

-- rows: kept: the books
create table refunds (
  id                  text collate "C" not null,
  deposit_id          text collate "C" not null,
  agent_id            text collate "C" not null,
  amount_cents        bigint not null,
  status              refund_status not null default 'requested'::refund_status,
  processor_refund_id text collate "C",
  requested_by        text not null, -- personal: operator; keep: who asked for the refund; row; export: no: about an operator
  reason              text not null,
  failure_code        text,
  failure_message     text,
  check_at            timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint refunds_pkey primary key (id),
  constraint refunds_processor_refund_id_key unique (processor_refund_id),
  constraint refunds_amount_cents_check check (amount_cents > 0),
  constraint refunds_id_check check (id ~ '^rfd_[0-9a-z]{26}$'),
  constraint refunds_sent check ((status <> all (array['pending'::refund_status, 'succeeded'::refund_status, 'failed'::refund_status])) or processor_refund_id is not null)
) with (fillfactor=80);
create index refunds_due on refunds (check_at) where (check_at is not null);
create index refunds_in_progress on refunds (created_at, id) where (status = any (array['requested'::refund_status, 'submitting'::refund_status, 'pending'::refund_status]));
create index refunds_of_agent on refunds (agent_id, id);
create index refunds_of_deposit on refunds (deposit_id, id);
create index refunds_open on refunds (status) where (status = any (array['requested'::refund_status, 'submitting'::refund_status, 'pending'::refund_status]));
alter table refunds enable row level security;
create policy refunds_of_tenant on refunds to legwork_app
  using (agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));
create trigger refunds_moves before update of status on refunds for each row execute function refuse_refund_move();
create trigger refunds_two_persons before insert on refunds for each row execute function guard_refund();
grant select, insert, update (status, processor_refund_id, failure_code, failure_message, check_at, updated_at) on refunds to legwork_app;

-- rows: 7 days after created_at; by: runner.maintain
create table refused_requests (
  id            text collate "C" not null,
  agent_id      text collate "C" not null,
  key_id        text collate "C" not null,
  method        text not null,
  path          text not null,
  status        smallint not null,
  code          text not null,
  ms            integer not null,
  user_agent    text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  request_body  text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  response_body text, -- personal: agent; keep: ends with the row; row; export: no: the agent has the API
  created_at    timestamptz not null,
  constraint refused_requests_pkey primary key (agent_id, id, created_at),
  constraint refused_requests_path_check check (length(path) <= 2048),
  constraint refused_requests_request_body_check check (octet_length(request_body) <= 16384),
  constraint refused_requests_response_body_check check (octet_length(response_body) <= 16384),
  constraint refused_requests_user_agent_check check (length(user_agent) <= 512)
) partition by range (created_at);
grant select, insert on refused_requests to legwork_app;

-- rows: 2 days after minute; by: runner.remove-expired
create table request_minutes (
  minute      timestamptz not null,
  process_id  text collate "C" not null,
  route_group text not null,
  requests    integer not null,
  refused     integer not null,
  failed      integer not null,
  slow        integer not null,
  constraint request_minutes_pkey primary key (minute, process_id, route_group),
  constraint request_minutes_parts check (refused >= 0 and failed >= 0 and slow >= 0 and (refused + failed) <= requests)
);
grant select, insert on request_minutes to legwork_app;

-- rows: kept: which time was lost
create table restores (
  restored_to timestamptz not null,
  declared_at timestamptz not null,
  declared_by text not null, -- personal: operator; keep: who answers for the restore; row; export: no: an operator has no account
  checked_at  timestamptz,
  opened_at   timestamptz,
  opened_by   text, -- personal: operator; keep: who answers for the restore; row; export: no: an operator has no account
  constraint restores_pkey primary key (restored_to),
  constraint restores_opened check ((opened_at is null) = (opened_by is null) and (opened_at is null or checked_at is not null)),
  constraint restores_order check (restored_to < declared_at)
);
grant select, insert, update (checked_at, opened_at, opened_by) on restores to legwork_app;

-- rows: 0 days after expires_at; by: runner.remove-expired
create table rotated_keys (
  key_hash   text collate "C" not null,
  key_id     text collate "C" not null,
  expires_at timestamptz not null,
  constraint rotated_keys_pkey primary key (key_hash)
);
create index rotated_keys_by_end on rotated_keys (expires_at);
create index rotated_keys_of_key on rotated_keys (key_id, expires_at);
grant select, insert, delete on rotated_keys to legwork_app;

-- rows: kept: ends with its task
create table screenings (
  task_id        text collate "C" not null,
  rules          text[] not null,
  policy         text not null,
  created_at     timestamptz not null,
  decides_by     timestamptz not null,
  decision       text,
  decided_at     timestamptz,
  opinion        text,
  classify_at    timestamptz not null default '1970-01-01 00:00:00+00'::timestamptz,
  classify_tries smallint not null default 0,
  constraint screenings_pkey primary key (task_id),
  constraint screenings_decided check ((decision is null) = (decided_at is null)),
  constraint screenings_decision check (decision in ('cleared', 'refused', 'lapsed', 'ended')),
  constraint screenings_opinion check (opinion in ('allowed', 'not_allowed', 'unsure')) not valid
);
create index screenings_waiting on screenings (decides_by, task_id) where (decision is null);
grant select, update (decision, decided_at, opinion, classify_at, classify_tries) on screenings to legwork_app;

-- rows: kept: they say where everything is
create table shards (
  schema      text collate "C" not null,
  first_shard integer not null,
  last_shard  integer not null,
  database    text collate "C" not null default 'main',
  is_here     boolean not null default true,
  constraint shards_pkey primary key (schema),
  constraint shards_once exclude using gist (int4range(first_shard, last_shard, '[]') with &&),
  constraint shards_check check (first_shard <= last_shard)
);

-- rows: kept: one row, without which no target is recognized again
create table target_keys (
  id  smallint not null,
  key bytea not null,
  constraint target_keys_pkey primary key (id),
  constraint target_keys_length check (length(key) = 32),
  constraint target_keys_one check (id = 1)
);
grant select, insert on target_keys to legwork_app;

-- rows: 30 days after reserved_at; by: runner.remove-expired
create table target_uses (
  target      text collate "C" not null, -- personal: third person; keep: protects this person; row; export: no: a keyed hash, and nobody has an account for it
  task_id     text collate "C" not null,
  kind        target_kind not null,
  reserved_at timestamptz not null,
  check_at    timestamptz,
  constraint target_uses_pkey primary key (target, task_id)
);
create index target_uses_check_at on target_uses (check_at) where (check_at is not null);
create index target_uses_in_order on target_uses (target, reserved_at);
create index target_uses_of_task on target_uses (task_id);
create index target_uses_reserved_at on target_uses (reserved_at);
grant select, insert, update (check_at), delete on target_uses to legwork_app;

-- rows: kept: ends with its task
create table task_reports (
  task_id    text collate "C" not null,
  worker_id  text collate "C" not null,
  kind       text not null,
  note       text, -- personal: worker; keep: the reason of a decision about a task; task texts; export: yes
  created_at timestamptz not null,
  verdict    text,
  decided_at timestamptz,
  weight     smallint not null default 0,
  constraint task_reports_pkey primary key (task_id, worker_id),
  constraint task_reports_decided check ((verdict is null) = (decided_at is null)),
  constraint task_reports_kind_check check (kind in ('illegal', 'abusive', 'dangerous', 'scam', 'other')),
  constraint task_reports_note_check check (length(note) >= 1 and length(note) <= 2000),
  constraint task_reports_verdict_check check (verdict in ('cleared', 'upheld')),
  constraint task_reports_weight_check check (weight >= 0 and weight <= 4)
);
create index task_reports_of_worker on task_reports (worker_id);
create index task_reports_waiting on task_reports (created_at) where (verdict is null);
create index task_reports_waiting_of_worker on task_reports (worker_id) where (verdict is null);
create trigger weigh_report before insert on task_reports for each row execute function weigh_report();
grant select, insert, update (verdict, decided_at) on task_reports to legwork_app;

-- rows: kept: work that was paid for
create table tasks (
  id                      text collate "C" not null,
  agent_id                text collate "C" not null,
  mode                    agent_mode not null,
  type                    task_type not null,
  status                  task_status not null default 'pending'::task_status,
  status_reason           text,
  title                   text, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  description             text not null, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  budget_cents            bigint not null,
  budget_basis            task_budget_basis not null,
  locked_cents            bigint not null,
  escrow_cents            bigint not null,
  funding                 task_funding not null,
  urgency                 task_urgency not null,
  proof_required          task_proof not null,
  consensus_count         integer not null,
  deadline                timestamptz not null,
  scheduled_at            timestamptz,
  window_minutes          integer,
  auto_approve_after      integer not null,
  min_worker_level        integer not null,
  skills                  text[] not null,
  location                json, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  context                 json not null, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  metadata                json, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  answer_schema           json,
  criteria                json, -- personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API
  callback_url            text,
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  ended_at                timestamptz,
  version                 integer not null default 1,
  slots_extra             integer not null default 0,
  slots_taken             integer not null default 0,
  proofs_received         integer not null default 0,
  consensus_max           integer,
  min_confidence          double precision,
  proof_at                timestamptz,
  review_due_at           timestamptz,
  consensus               json, -- personal: worker; keep: the result that the agent paid for; task texts; export: no: made from several answers
  approved_by             text,
  settlement              json,
  event_sequence          integer not null default 0,
  reported_at             timestamptz,
  rehearsal               json,
  rehearse_at             timestamptz,
  key_path                text[] collate "C",
  languages               text[] not null default '{}'::text[],
  decides_by              timestamptz,
  share_level             smallint,
  is_schema_default       boolean,
  commission_basis_points integer not null default 1800,
  constraint tasks_pkey primary key (id),
  constraint tasks_approved_by_check check (approved_by in ('agent', 'auto', 'operator')),
  constraint tasks_budget_cents_check check (budget_cents >= 1 and budget_cents <= 100000000) not valid,
  constraint tasks_commission_basis_points check (commission_basis_points >= 0 and commission_basis_points <= 10000) not valid,
  constraint tasks_consensus_count_check check (consensus_count >= 1 and consensus_count <= 25),
  constraint tasks_consensus_max check (consensus_max >= consensus_count and consensus_max <= 25) not valid,
  constraint tasks_description_check check (length(description) >= 1 and length(description) <= 5000),
  constraint tasks_escrow_follows_status check (case when ended_at is null then escrow_cents = locked_cents and locked_cents > 0 and (status = any (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) else escrow_cents = 0 and (status <> all (array['pending'::task_status, 'in_progress'::task_status, 'proof_submitted'::task_status])) end),
  constraint tasks_held_clock check ((decides_by is not null) = (not status_reason is distinct from 'dispute_held' and status = 'proof_submitted'::task_status)) not valid,
  constraint tasks_proofs check (proofs_received >= 0 and proofs_received <= slots_taken) not valid,
  constraint tasks_share_level check (share_level >= 1 and share_level <= 5) not valid,
  constraint tasks_slots check (slots_taken >= 0 and slots_taken <= (consensus_count + slots_extra)) not valid
) with (fillfactor=85);
create index tasks_by_number on tasks (((context ->> 'number'))) where (type = 'voice_proxy'::task_type);
create index tasks_due on tasks (deadline) where (status = any (array['pending'::task_status, 'in_progress'::task_status]));
create index tasks_in_review on tasks (id) where (status = 'proof_submitted'::task_status);
create index tasks_judged on tasks (agent_id, ended_at) where (status = any (array['completed'::task_status, 'disputed'::task_status]));
create index tasks_of_agent on tasks (agent_id, id);
create index tasks_of_clock on tasks (agent_id) where ((rehearsal is not null) and ((ended_at is null) or (status = 'disputed'::task_status)));
create index tasks_of_keys on tasks using gin (key_path) where (key_path is not null);
create index tasks_open_of_agent on tasks (agent_id) where (ended_at is null);
create index tasks_quoted on tasks (id) where ((mode = 'live'::agent_mode) and (status = 'completed'::task_status));
create index tasks_rehearse on tasks (rehearse_at) where (rehearse_at is not null);
create index tasks_review_due on tasks (review_due_at) where ((status = 'proof_submitted'::task_status) and (review_due_at is not null));
create index tasks_with_texts on tasks (ended_at) where ((ended_at is not null) and (description <> 'Removed: the retention period of this text has ended.'));
create trigger hide_by_weight before update of reported_at on tasks for each row when (old.reported_at is null and new.reported_at is not null) execute function hide_by_weight();
create trigger tasks_count_moved after update on tasks referencing old table as unmoved new table as moved for each statement execute function count_moved_tasks();
create trigger tasks_count_new after insert on tasks referencing new table as created for each statement execute function count_new_tasks();
create trigger tasks_count_version before update on tasks for each row execute function count_version();
create constraint trigger tasks_held_dispute after update on tasks deferrable initially deferred for each row when (old.decides_by is not null and new.decides_by is null) execute function refuse_held_dispute_left_behind();
create trigger tasks_keep_held_clock before update on tasks for each row when ((new.decides_by is not null) <> (not new.status_reason is distinct from 'dispute_held' and new.status = 'proof_submitted'::task_status)) execute function keep_held_clock();
create trigger tasks_wake_rehearsal before update on tasks for each row when (new.rehearsal is not null and not new.rehearse_at is distinct from old.rehearse_at) execute function wake_rehearsal();
grant select, update (status, status_reason, escrow_cents, updated_at, ended_at, slots_extra, slots_taken, proofs_received, proof_at, review_due_at, consensus, approved_by, settlement, event_sequence, reported_at, rehearse_at) on tasks to legwork_app;

-- rows: until the test agent is erased; by: rehearsal.erase-agents
create table test_advances (
  agent_id   text collate "C" not null,
  key        text collate "C" not null,
  by_ms      bigint not null,
  moved_ms   bigint not null default 0,
  fired      json not null default '[]'::json,
  created_at timestamptz not null,
  constraint test_advances_pkey primary key (agent_id, key),
  constraint test_advances_by_ms_check check (by_ms >= 0 and by_ms <= '7776000000'::bigint),
  constraint test_advances_moved check (moved_ms >= 0 and moved_ms <= by_ms)
);
grant select, insert, update, delete on test_advances to legwork_app;

-- rows: until the test agent is erased; by: rehearsal.erase-agents
create table test_clocks (
  agent_id   text collate "C" not null,
  moved_ms   bigint not null default 0,
  held_by    text,
  held_until timestamptz,
  constraint test_clocks_pkey primary key (agent_id)
);
create index test_clocks_held on test_clocks (held_until) where (held_by is not null);
grant select, insert, update on test_clocks to legwork_app;

-- rows: 2 days after day; by: runner.remove-expired
create table test_usage (
  day     date not null,
  subject text collate "C" not null, -- personal: agent; keep: ends with the row; row; export: no: a quota per network address, ends within days
  tasks   bigint not null default 0,
  bytes   bigint not null default 0,
  constraint test_usage_pkey primary key (subject, day),
  constraint test_usage_bytes_check check (bytes >= 0),
  constraint test_usage_tasks_check check (tasks >= 0)
);
create index test_usage_by_day on test_usage (day);
grant select, insert, update, delete on test_usage to legwork_app;

-- rows: kept: the books
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
  posted_xid           bigint default ((pg_current_xact_id())::text)::bigint,
  constraint transfers_pkey primary key (key, line),
  constraint transfers_amount_cents_check check (amount_cents > 0),
  constraint transfers_check check (debit <> credit),
  constraint transfers_escrow_of_its_task check (not (debit = 'liab:escrow' or credit = 'liab:escrow') or starts_with(key, ('task:' || task_id) || ':') is true),
  constraint transfers_transit_of_its_key check (not ((debit in ('liab:payout_in_transit', 'liab:refund_in_transit')) or (credit in ('liab:payout_in_transit', 'liab:refund_in_transit'))) or starts_with(key, ('payout:' || ref_id) || ':') is true or starts_with(key, ('refund:' || ref_id) || ':') is true) not valid
);
create unique index transfers_agent_statement on transfers (agent_id, agent_statement_no) where (agent_statement_no is not null);
create index transfers_clearing on transfers (created_at) where ((mode = 'live'::agent_mode) and ((debit = 'liab:clearing') or (credit = 'liab:clearing')));
create index transfers_created on transfers using brin (created_at) with (autosummarize='on');
create index transfers_posted on transfers using brin (posted_xid) with (autosummarize='on');
create index transfers_processor on transfers (created_at) where ((mode = 'live'::agent_mode) and ((debit = 'asset:processor_balance') or (credit = 'asset:processor_balance')));
create index transfers_suspense on transfers (created_at) where ((mode = 'live'::agent_mode) and ((debit = 'liab:suspense') or (credit = 'liab:suspense')));
create unique index transfers_worker_statement on transfers (worker_id, worker_statement_no) where (worker_statement_no is not null);
create trigger transfers_append_only before delete or update on transfers for each row execute function refuse_change();
create trigger transfers_no_truncate before truncate on transfers for each statement execute function refuse_change();
create trigger transfers_two_persons before insert on transfers for each row when ((new.kind in ('bad_debt', 'suspense_to_agent', 'suspense_to_operator')) and new.mode = 'live'::agent_mode) execute function guard_own_lines();
grant select on transfers to legwork_app;

-- rows: kept: the trust score is their sum
create table trust_events (
  worker_id     text collate "C" not null,
  key           text collate "C" not null,
  cause         text not null,
  good          double precision not null, -- personal: worker; keep: the trust score is their sum; row; export: yes
  bad           double precision not null, -- personal: worker; keep: the trust score is their sum; row; export: yes
  weight        double precision not null, -- personal: worker; keep: the trust score is their sum; row; export: yes
  task_id       text collate "C",
  created_at    timestamptz not null,
  pending_since timestamptz,
  is_appealed   boolean not null default false,
  constraint trust_events_pkey primary key (worker_id, key),
  constraint trust_events_appealed check (not is_appealed or pending_since is not null) not valid,
  constraint trust_events_pending check (pending_since is null or cause = 'disputed') not valid
);
create index trust_events_of_worker on trust_events (worker_id, created_at);
create index trust_events_pending_of_worker on trust_events (worker_id) where (pending_since is not null);
create index trust_events_window_due on trust_events (pending_since) where ((pending_since is not null) and (not is_appealed));
alter table trust_events enable row level security;
create policy trust_events_of_tenant on trust_events to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert on trust_events to legwork_app;

-- rows: kept: one row per kind of decision
create table two_person_limits (
  kind       text not null,
  over_cents bigint,
  changed_by text collate "C",
  changed_at timestamptz not null default now(),
  constraint two_person_limits_pkey primary key (kind),
  constraint two_person_limits_over check (over_cents >= 0)
);
create trigger two_person_limits_two_persons before update of over_cents on two_person_limits for each row when (old.over_cents is distinct from new.over_cents) execute function guard_limit();
grant select, insert, update (over_cents, changed_by, changed_at) on two_person_limits to legwork_app;

-- rows: 180 days after created_at; by: runner.remove-expired
create table unsafe_exits (
  assignment_id   text collate "C" not null,
  worker_id       text collate "C" not null,
  is_paid_at_once boolean not null,
  created_at      timestamptz not null,
  constraint unsafe_exits_pkey primary key (assignment_id)
);
create index unsafe_exits_created on unsafe_exits (created_at);
create index unsafe_exits_of_worker on unsafe_exits (worker_id, created_at);
alter table unsafe_exits enable row level security;
create policy unsafe_exits_of_tenant on unsafe_exits to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert on unsafe_exits to legwork_app;

-- rows: until a callback host was unused for 30 days; by: webhooks.tidy
create table webhook_lanes (
  id                   text collate "C" not null,
  agent_id             text collate "C" not null,
  due_at               timestamptz,
  paused_until         timestamptz,
  failures             integer not null default 0,
  held_by              text,
  held_until           timestamptz,
  failing_since        timestamptz,
  warned_at            timestamptz,
  disabled_at          timestamptz,
  mailed_at            timestamptz,
  disabled_for         text,
  signature_checked_at timestamptz,
  constraint webhook_lanes_pkey primary key (id),
  constraint webhook_lanes_check check ((disabled_at is null) = (disabled_for is null)),
  constraint webhook_lanes_check1 check ((held_by is null) = (held_until is null)),
  constraint webhook_lanes_check2 check (due_at >= paused_until),
  constraint webhook_lanes_check3 check (due_at >= held_until),
  constraint webhook_lanes_disabled_for_check check (disabled_for in ('gone', 'failing'))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);
create index webhook_lanes_due on webhook_lanes (due_at) where (due_at is not null);
create index webhook_lanes_failing on webhook_lanes (failing_since, id) where ((failing_since is not null) and (disabled_at is null));
grant select, insert, update, delete on webhook_lanes to legwork_app;

-- rows: kept: the books
create table withdrawals (
  id                  text collate "C" not null,
  amount_cents        bigint not null,
  status              text not null default 'requested',
  processor_payout_id text collate "C",
  requested_by        text not null, -- personal: operator; keep: who asked for the withdrawal; row; export: no: about an operator
  failure_message     text,
  check_at            timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint withdrawals_pkey primary key (id),
  constraint withdrawals_processor_payout_id_key unique (processor_payout_id),
  constraint withdrawals_amount_cents_check check (amount_cents > 0),
  constraint withdrawals_id_check check (id ~ '^wd_[0-9a-z]{26}$'),
  constraint withdrawals_status_check check (status in ('requested', 'sent', 'failed'))
);
create index withdrawals_due on withdrawals (check_at) where (check_at is not null);
create trigger withdrawals_two_persons before insert on withdrawals for each row execute function guard_withdrawal();
grant select, insert, update (status, processor_payout_id, failure_message, check_at, updated_at) on withdrawals to legwork_app;

-- rows: until the last mail of a closed account; by: workers.close-accounts
create table worker_closings (
  worker_id   text collate "C" not null,
  look_at     timestamptz not null,
  reminded_at timestamptz,
  constraint worker_closings_pkey primary key (worker_id)
);
create index worker_closings_due on worker_closings (look_at);
grant select, insert, update (look_at, reminded_at), delete on worker_closings to legwork_app;

-- rows: kept: decisions about a worker, and their objections
create table worker_decisions (
  id           text collate "C" not null,
  worker_id    text collate "C" not null,
  kind         text not null,
  reason       text not null, -- personal: worker; keep: the reason of a decision about the worker; row; export: yes
  task_ids     text[] not null default '{}'::text[],
  decided_by   text not null, -- personal: operator; keep: who decided; row; export: no: operators are not named to workers
  decided_at   timestamptz not null,
  ends_at      timestamptz,
  hand_back_at timestamptz,
  due_at       timestamptz,
  objection    text, -- personal: worker; keep: the reason of a decision about the worker; row; export: yes
  objected_at  timestamptz,
  reply_due_at timestamptz,
  reply        text,
  reply_note   text, -- personal: worker; keep: the reason of a decision about the worker; row; export: yes
  replied_by   text, -- personal: operator; keep: who decided; row; export: no: operators are not named to workers
  replied_at   timestamptz,
  ended_at     timestamptz,
  ended_for    text,
  ended_by     text, -- personal: operator; keep: who decided; row; export: no: operators are not named to workers
  end_note     text, -- personal: worker; keep: the reason of a decision about the worker; row; export: yes
  constraint worker_decisions_pkey primary key (id),
  constraint worker_decisions_check check (ends_at > decided_at),
  constraint worker_decisions_clock check ((kind = 'suspended') = (ends_at is not null)),
  constraint worker_decisions_due check (case when ended_at is not null or kind = 'closed' and (objection is null or reply is not null) then due_at is null else due_at is not null end),
  constraint worker_decisions_end_note_check check (length(end_note) >= 1 and length(end_note) <= 500),
  constraint worker_decisions_ended check ((ended_at is null) = (ended_for is null)),
  constraint worker_decisions_ended_for_check check (ended_for in ('time_passed', 'operator', 'objection', 'no_reply', 'closed_instead')),
  constraint worker_decisions_id_check check (id ~ '^wdn_[0-9a-z]{26}$'),
  constraint worker_decisions_kind_check check (kind in ('suspended', 'closed')),
  constraint worker_decisions_objected check (num_nulls(objection, objected_at, reply_due_at) = any (array[0, 3])),
  constraint worker_decisions_objection_check check (length(objection) >= 1 and length(objection) <= 4000),
  constraint worker_decisions_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint worker_decisions_replied check ((num_nulls(reply, reply_note, replied_by, replied_at) = any (array[0, 4])) and (reply is null or objection is not null)),
  constraint worker_decisions_reply_check check (reply in ('upheld', 'reinstated')),
  constraint worker_decisions_reply_note_check check (length(reply_note) >= 1 and length(reply_note) <= 500),
  constraint worker_decisions_task_ids_check check (cardinality(task_ids) <= 20)
);
create index worker_decisions_clocks on worker_decisions (due_at) where (due_at is not null);
create index worker_decisions_hand_back on worker_decisions (hand_back_at) where (hand_back_at is not null);
create unique index worker_decisions_in_force on worker_decisions (worker_id) where (ended_at is null);
create index worker_decisions_objections on worker_decisions (reply_due_at) where ((objection is not null) and (reply is null) and (ended_at is null));
create index worker_decisions_of_worker on worker_decisions (worker_id, id);
create index worker_decisions_suspended on worker_decisions (ends_at, worker_id) where ((kind = 'suspended') and (objection is null) and (ended_at is null));
alter table worker_decisions enable row level security;
create policy worker_decisions_of_tenant on worker_decisions to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
create trigger worker_decisions_once before update on worker_decisions for each row execute function refuse_decision_change();
create trigger worker_decisions_two_persons before insert on worker_decisions for each row when (new.kind = 'closed') execute function guard_closing();
grant select, insert, update (hand_back_at, due_at, objection, objected_at, reply_due_at, reply, reply_note, replied_by, replied_at, ended_at, ended_for, ended_by, end_note) on worker_decisions to legwork_app;

-- rows: 90 days after ended_at; by: runner.remove-expired
create table worker_email_changes (
  id           text collate "C" not null,
  worker_id    text collate "C" not null,
  old_email    text not null, -- personal: worker; erase; row; export: yes
  new_email    text not null, -- personal: worker; erase; row; export: yes
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  confirmed_at timestamptz,
  undo_until   timestamptz,
  ended_at     timestamptz,
  ended_for    text,
  constraint worker_email_changes_pkey primary key (id),
  constraint worker_email_changes_end check ((ended_at is null) = (ended_for is null)),
  constraint worker_email_changes_ended_for check (ended_for in ('final', 'cancelled', 'replaced', 'undone', 'expired')),
  constraint worker_email_changes_undo check ((confirmed_at is null) = (undo_until is null))
);
create index worker_email_changes_due on worker_email_changes (coalesce(undo_until, expires_at)) where (ended_at is null);
create index worker_email_changes_ended on worker_email_changes (ended_at) where (ended_at is not null);
create index worker_email_changes_of_worker on worker_email_changes (worker_id, created_at);
create unique index worker_email_changes_pending on worker_email_changes (worker_id) where ((confirmed_at is null) and (ended_at is null));
grant select, insert, update (confirmed_at, undo_until, ended_at, ended_for), delete on worker_email_changes to legwork_app;

-- rows: until the change ends; by: workers.end-email-changes
create table worker_email_links (
  token_hash text not null,
  change_id  text collate "C" not null,
  purpose    text not null,
  created_at timestamptz not null,
  constraint worker_email_links_pkey primary key (token_hash),
  constraint worker_email_links_purpose check (purpose in ('confirm', 'undo'))
);
create index worker_email_links_of_change on worker_email_links (change_id);
grant select, insert, delete on worker_email_links to legwork_app;

-- rows: until the account is closed; by: workers_close
create table worker_emails (
  email     text collate "C" not null, -- personal: worker; erase; row; export: no: the same address is in workers
  worker_id text collate "C" not null,
  constraint worker_emails_taken primary key (email),
  constraint worker_emails_email_check check (email = lower(email))
);
create index worker_emails_by_inbox on worker_emails ((case when (split_part(email, '@', 2) = any (array['gmail.com', 'googlemail.com'])) then (replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com') else ((split_part(split_part(email, '@', 1), '+', 1) || '@') || split_part(email, '@', 2)) end));
grant select, insert, delete on worker_emails to legwork_app;

-- rows: 0 days after expires_at; by: workers.tidy-sessions
create table worker_sessions (
  id              text collate "C" not null,
  worker_id       text collate "C" not null,
  session_version integer not null,
  browser         text, -- personal: worker; erase; row; export: yes
  system          text, -- personal: worker; erase; row; export: yes
  created_at      timestamptz not null,
  used_at         timestamptz not null, -- personal: worker; erase; row; export: yes
  expires_at      timestamptz not null,
  constraint worker_sessions_pkey primary key (id),
  constraint worker_sessions_words check (length(browser) <= 30 and length(system) <= 30)
);
create index worker_sessions_expiry on worker_sessions (expires_at);
create index worker_sessions_of_worker on worker_sessions (worker_id, used_at);
grant select, insert, update (session_version, used_at), delete on worker_sessions to legwork_app;

-- rows: 30 days after expires_at; by: runner.remove-expired
create table worker_tokens (
  token_hash text collate "C" not null,
  worker_id  text collate "C" not null,
  purpose    text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz, -- personal: worker; erase; row; export: no: hashes of links
  constraint worker_tokens_pkey primary key (token_hash),
  constraint worker_tokens_purpose_check check (purpose in ('verify', 'reset'))
);
create index worker_tokens_by_end on worker_tokens (expires_at);
create index worker_tokens_of_worker on worker_tokens (worker_id, purpose);
grant select, insert, update (expires_at, used_at), delete on worker_tokens to legwork_app;

-- rows: kept: the ledger names the id, the person is erased
create table workers (
  id                 text collate "C" not null,
  mode               agent_mode not null,
  name               text not null, -- personal: worker; replace; row; export: yes
  email              text not null, -- personal: worker; replace; row; export: yes
  password_hash      text not null, -- personal: worker; replace; row; export: no: of no use to the worker
  status             worker_status not null default 'unverified'::worker_status,
  session_version    integer not null default 1,
  skills             text[] not null default '{}'::text[], -- personal: worker; erase; row; export: yes
  languages          text[] not null default '{}'::text[], -- personal: worker; erase; row; export: yes
  location           json, -- personal: worker; erase; row; export: yes
  preferences        json not null default '{}'::json, -- personal: worker; erase; row; export: yes
  trust_good         double precision not null default 0, -- personal: worker; keep: a number without a name; row; export: yes
  trust_bad          double precision not null default 0, -- personal: worker; keep: a number without a name; row; export: yes
  approved_count     integer not null default 0,
  disputed_count     integer not null default 0,
  accuracy           double precision not null default 0.8, -- personal: worker; keep: a number without a name; row; export: yes
  identity_done_at   timestamptz,
  payouts_ready_at   timestamptz,
  verified_at        timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  registered_from    text, -- personal: worker; erase; row; export: yes
  agent_id           text collate "C",
  trust_pending      double precision not null default 0, -- personal: worker; keep: a number without a name; row; export: yes
  app_language       text not null default 'en', -- personal: worker; replace; row; export: yes
  closing_at         timestamptz,
  closes_at          timestamptz,
  closed_at          timestamptz,
  adult_confirmed_at timestamptz,
  terms_version      text collate "C",
  constraint workers_pkey primary key (id),
  constraint worker_accuracy check (accuracy >= 0.5::double precision and accuracy <= 0.99::double precision),
  constraint workers_app_language check (app_language in ('en', 'es', 'ar', 'pt-BR', 'fr', 'de')) not valid,
  constraint workers_closed check (closed_at is null or status = 'closed'::worker_status and closing_at is null and password_hash = 'none') not valid,
  constraint workers_closing check ((closing_at is null) = (closes_at is null)) not valid,
  constraint workers_id_check check (id ~ '^worker_[0-9a-z]{26}$'),
  constraint workers_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint workers_of_test_agent check ((mode = 'test'::agent_mode) = (agent_id is not null)) not valid,
  constraint workers_trust_pending check (trust_pending >= 0::double precision) not valid
) with (fillfactor=70);
create index workers_by_name on workers (lower(name) collate "C");
create index workers_closed_at on workers (closed_at, id) where (closed_at is not null);
create index workers_of_agent on workers (agent_id, created_at) where (agent_id is not null);
create index workers_registered_from on workers (registered_from) where (registered_from is not null);
create index workers_unverified on workers (created_at) where (status = 'unverified'::worker_status);
grant select, insert, update (name, email, password_hash, status, session_version, skills, languages, location, preferences, accuracy, identity_done_at, payouts_ready_at, verified_at, updated_at, app_language, closing_at, closes_at, closed_at, adult_confirmed_at, terms_version) on workers to legwork_app;

create view worker_agents with (security_invoker=true) as
  select agents.id, agents.name
    from agents
  union all
  select away_agents.id, away_agents.name
    from away_agents;
grant select on worker_agents to legwork_app;

create view worker_appeals with (security_invoker=true) as
  select appeals.id, appeals.dispute_id, appeals.task_id, appeals.assignment_id, appeals.worker_id, appeals.statement, appeals.created_at, appeals.agent_until, appeals.agent_answer, appeals.answered_at, appeals.ruling, appeals.ruling_note, appeals.ruled_at
    from appeals
  union all
  select away_appeals.id, away_appeals.dispute_id, away_appeals.task_id, away_appeals.assignment_id, away_appeals.worker_id, away_appeals.statement, away_appeals.created_at, away_appeals.agent_until, away_appeals.agent_answer, away_appeals.answered_at, away_appeals.ruling, away_appeals.ruling_note, away_appeals.ruled_at
    from away_appeals;
grant select on worker_appeals to legwork_app;

create view worker_assignments with (security_invoker=true) as
  select assignments.id, assignments.task_id, assignments.agent_id, assignments.worker_id, assignments.status, assignments.pay_cents, assignments.net_cents, assignments.deadline, assignments.accepted_at, assignments.expires_at, assignments.submitted_at, assignments.ended_at, assignments.outcome, assignments.reason, assignments.revision_note, assignments.revisions
    from assignments
  union all
  select away_assignments.id, away_assignments.task_id, away_assignments.agent_id, away_assignments.worker_id, away_assignments.status, away_assignments.pay_cents, away_assignments.net_cents, away_assignments.deadline, away_assignments.accepted_at, away_assignments.expires_at, away_assignments.submitted_at, away_assignments.ended_at, away_assignments.outcome, away_assignments.reason, away_assignments.revision_note, away_assignments.revisions
    from away_assignments;
grant select on worker_assignments to legwork_app;

create view worker_disputes with (security_invoker=true) as
  select disputes.id, disputes.task_id, disputes.assignment_ids, disputes.reason, disputes.category, disputes.criteria, disputes.status, disputes.touches_trust, disputes.created_at, disputes.resolved_at, disputes.decides_by, disputes.decided_at, not disputes.decided_by is distinct
    from 'agent' as is_decided_by_agent, disputes.decision_note
    from disputes
  union all
  select away_disputes.id, away_disputes.task_id, away_disputes.assignment_ids, away_disputes.reason, away_disputes.category, away_disputes.criteria, away_disputes.status, away_disputes.touches_trust, away_disputes.created_at, away_disputes.resolved_at, away_disputes.decides_by, away_disputes.decided_at, away_disputes.is_decided_by_agent, away_disputes.decision_note
    from away_disputes;
grant select on worker_disputes to legwork_app;

create view worker_reports with (security_invoker=true) as
  select task_reports.task_id, task_reports.worker_id, task_reports.kind, task_reports.note, task_reports.created_at, task_reports.verdict, task_reports.decided_at, task_reports.weight
    from task_reports
  union all
  select away_reports.task_id, away_reports.worker_id, away_reports.kind, away_reports.note, away_reports.created_at, away_reports.verdict, away_reports.decided_at, away_reports.weight
    from away_reports;
grant select on worker_reports to legwork_app;

create view worker_tasks with (security_invoker=true) as
  select tasks.id, tasks.agent_id, tasks.mode, tasks.type, tasks.status, tasks.title, tasks.description, tasks.budget_cents, tasks.funding, tasks.urgency, tasks.proof_required, tasks.consensus_count, tasks.deadline, tasks.scheduled_at, tasks.window_minutes, tasks.auto_approve_after, tasks.location, tasks.context, tasks.answer_schema, tasks.criteria, tasks.review_due_at, tasks.decides_by, tasks.ended_at
    from tasks
  union all
  select away_tasks.id, away_tasks.agent_id, away_tasks.mode, away_tasks.type, away_tasks.status, away_tasks.title, away_tasks.description, away_tasks.budget_cents, away_tasks.funding, away_tasks.urgency, away_tasks.proof_required, away_tasks.consensus_count, away_tasks.deadline, away_tasks.scheduled_at, away_tasks.window_minutes, away_tasks.auto_approve_after, away_tasks.location, away_tasks.context, away_tasks.answer_schema, away_tasks.criteria, away_tasks.review_due_at, away_tasks.decides_by, away_tasks.ended_at
    from away_tasks;
grant select on worker_tasks to legwork_app;

-- Functions

-- server/migrations/0101_agent_people.sql; legwork_app may call it
create function agent_people_keep_owner()
  returns trigger language plpgsql;

-- server/functions/agents_charge_key.sql
create function agents_charge_key(p_path text[], p_at timestamptz, p_cents bigint)
  returns key_cap language plpgsql security definer;

-- server/functions/agents_return_to_key.sql
create function agents_return_to_key(p_path text[], p_at timestamptz, p_cents bigint)
  returns void language sql security definer;

-- server/functions/agents_room.sql
create function agents_room(p_agents text[], p_caps bigint[])
  returns table(n integer, tasks_left bigint, cents_left bigint) language sql security definer;

-- server/migrations/0071_operators.sql
create function chain_audit()
  returns trigger language plpgsql security definer;

-- server/migrations/0058_partner_counts.sql; legwork_app may call it
create function count_approval()
  returns trigger language plpgsql;

-- server/migrations/0059_dispute_counts.sql; legwork_app may call it
create function count_dispute()
  returns trigger language plpgsql;

-- server/migrations/0057_agent_counts.sql; legwork_app may call it
create function count_moved_tasks()
  returns trigger language plpgsql;

-- server/migrations/0057_agent_counts.sql; legwork_app may call it
create function count_new_tasks()
  returns trigger language plpgsql;

-- server/migrations/0009_assignments.sql; legwork_app may call it
create function count_version()
  returns trigger language plpgsql;

-- server/functions/create_tasks.sql; legwork_app may call it
create function create_tasks(
  p_now timestamptz,
  p_creations task_creation[],
  p_locks ledger_line[],
  p_caps bigint[]
)
  returns table(item integer, outcome creation_outcome, funding task_funding, balance_cents bigint, free_tasks_remaining integer, cap spending_cap, limit_cents bigint, spent_cents bigint, status smallint, answer text) language plpgsql security definer;

-- server/migrations/0074_review_dates.sql; legwork_app may call it
create function date_review()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function decide_second_person()
  returns trigger language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function feed_best_paid(
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
  p_hidden text[],
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/feed_cards.sql; legwork_app may call it
create function feed_cards(p_ids text[], p_skills text[], p_languages text[], p_now timestamptz)
  returns table(id text, status task_status, title text, description text, urgency task_urgency, proof_required task_proof, budget_cents bigint, auto_approve_after integer, slots_needed integer, slots_taken integer, skills text[], languages text[], created_at timestamptz, area text, lat double precision, lng double precision, agent_name text, judged integer, approved integer, disputes integer, overturned integer, median_review_s double precision) language plpgsql;

-- server/functions/feed_send.sql; legwork_app may call it
create function feed_leave(p_ids text[])
  returns void language plpgsql security definer;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function feed_nearest(
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
  p_hidden text[],
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function feed_newest(
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
  p_hidden text[],
  p_muted text[]
)
  returns table(task_id text, agent_id text, type task_type, pay_cents bigint, level_needed smallint, skill_count integer, deadline_ms double precision, paid_chance real, distance_km double precision) language plpgsql;

-- server/functions/feed_take_slot.sql; legwork_app may call it
create function feed_take_slot(p_task text, p_status task_status, p_slots_taken integer)
  returns void language plpgsql security definer;

-- server/functions/files_send.sql; legwork_app may call it
create function files_remember_photo(
  p_file text,
  p_worker text,
  p_task text,
  p_sha256 text,
  p_dhash bigint,
  p_at timestamptz
)
  returns void language plpgsql security definer;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function guard_appeal()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_attempt()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_closing()
  returns trigger language plpgsql;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function guard_dispute()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_limit()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_own_lines()
  returns trigger language plpgsql;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function guard_payout()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_refund()
  returns trigger language plpgsql;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function guard_withdrawal()
  returns trigger language plpgsql;

-- server/migrations/0034_report_weight.sql; legwork_app may call it
create function hide_by_weight()
  returns trigger language plpgsql;

-- server/functions/idempotency_find.sql; legwork_app may call it
create function idempotency_find(p_now timestamptz, p_claims idempotency_claim[])
  returns table(item integer, outcome claim_outcome, status smallint, answer text) language sql;

-- server/functions/idempotency_store.sql; legwork_app may call it
create function idempotency_store(p_now timestamptz, p_claims idempotency_claim[])
  returns integer language sql;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function keep_decision()
  returns trigger language plpgsql;

-- server/migrations/0025_held_disputes.sql; legwork_app may call it
create function keep_held_clock()
  returns trigger language plpgsql;

-- server/functions/ledger_commission_parts.sql; legwork_app may call it
create function ledger_commission_parts(p_task text)
  returns table(key text, worker_id text, part bigint) language sql;

-- server/functions/ledger_forget_seals.sql
create function ledger_forget_seals()
  returns void language plpgsql;

-- server/functions/ledger_forget_workers.sql
create function ledger_forget_workers(p_workers text[])
  returns void language plpgsql;

-- server/functions/ledger_free_tasks.sql; legwork_app may call it
create function ledger_free_tasks(p_agents text[], p_changes integer[])
  returns void language sql security definer;

-- server/functions/ledger_open.sql; legwork_app may call it
create function ledger_open(p_owner text, p_mode agent_mode, p_free_tasks integer default 0)
  returns void language plpgsql security definer;

-- server/functions/ledger_post.sql; legwork_app may call it
create function ledger_post(p_now timestamptz, p_lines ledger_line[])
  returns table(entry integer, outcome posting_outcome, balance_cents bigint) language plpgsql security definer;

-- server/functions/maintain_partitions.sql; legwork_app may call it
create function maintain_partitions()
  returns void language plpgsql security definer;

-- server/functions/move_tasks.sql; legwork_app may call it
create function move_tasks(
  p_now timestamptz,
  p_moves task_move[],
  p_lines ledger_line[],
  p_assignments assignment_change[],
  p_trust trust_change[],
  p_disputes dispute_change[],
  p_events new_event[]
)
  returns table(item integer, outcome move_outcome, cap spending_cap, limit_cents bigint, spent_cents bigint, status smallint, answer text) language plpgsql security definer;

-- server/functions/move_workers.sql
create function move_workers(p_now timestamptz, p_away ledger_line[], p_trust trust_change[], p_tasks text[])
  returns void language plpgsql security definer;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_box(p_lat double precision, p_lng double precision, p_km double precision)
  returns box language sql;

-- server/functions/open_tasks_hidden_from.sql; legwork_app may call it
create function open_tasks_hidden_from(p_worker text, p_now timestamptz)
  returns text[] language plpgsql;

-- server/functions/open_tasks_feed.sql; legwork_app may call it
create function open_tasks_km(
  lat1 double precision,
  lng1 double precision,
  lat2 double precision,
  lng2 double precision
)
  returns double precision language sql;

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

-- server/functions/payouts_spend_promo.sql; legwork_app may call it
create function payouts_spend_promo(
  p_day date,
  p_cents bigint,
  p_max_cents bigint,
  p_is_decided boolean,
  p_worker text,
  p_ring text[],
  p_ring_max_cents bigint
)
  returns boolean language plpgsql security definer;

-- server/functions/places_region_of.sql; legwork_app may call it
create function places_region_of(p_location json)
  returns json language sql;

-- server/migrations/0053_retention.sql; legwork_app may call it
create function refuse_appeal_change()
  returns trigger language plpgsql;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function refuse_audit_change()
  returns trigger language plpgsql;

-- server/migrations/0037_test_agent_erasure.sql; legwork_app may call it
create function refuse_change()
  returns trigger language plpgsql;

-- server/migrations/0026_worker_decisions.sql; legwork_app may call it
create function refuse_decision_change()
  returns trigger language plpgsql;

-- server/migrations/0012_money.sql; legwork_app may call it
create function refuse_deposit_move()
  returns trigger language plpgsql;

-- server/migrations/0025_held_disputes.sql; legwork_app may call it
create function refuse_held_dispute_left_behind()
  returns trigger language plpgsql;

-- server/migrations/0051_restores.sql; legwork_app may call it
create function refuse_open_door()
  returns trigger language plpgsql;

-- server/migrations/0012_money.sql; legwork_app may call it
create function refuse_payout_move()
  returns trigger language plpgsql;

-- server/migrations/0012_money.sql; legwork_app may call it
create function refuse_refund_move()
  returns trigger language plpgsql;

-- server/functions/rehearsal_erase_agent.sql; legwork_app may call it
create function rehearsal_erase_agent(p_agent text, p_limit integer)
  returns table(relation text, deleted bigint) language plpgsql security definer;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function require_two_persons(p_kind text, p_subject text, p_input jsonb)
  returns void language plpgsql security definer;

-- server/functions/runner_overdue.sql; legwork_app may call it
create function runner_overdue(p_now timestamptz, p_location_days integer, p_text_days integer)
  returns table(relation text, seconds double precision) language plpgsql security definer;

-- server/functions/runner_overdue_rows.sql; legwork_app may call it
create function runner_overdue_rows(p_now timestamptz)
  returns table(relation text, seconds double precision) language plpgsql security definer;

-- server/functions/runner_remove_expired.sql; legwork_app may call it
create function runner_remove_expired(p_now timestamptz, p_limit integer)
  returns table(relation text, deleted bigint) language plpgsql security definer;

-- server/functions/runner_seconds_past.sql; legwork_app may call it
create function runner_seconds_past(p_oldest timestamptz, p_days integer, p_now timestamptz)
  returns double precision language sql;

-- server/functions/shards_crossed.sql; legwork_app may call it
create function shards_crossed(p_ids bigint[])
  returns void language plpgsql security definer;

-- server/functions/shards_is_here.sql; legwork_app may call it
create function shards_is_here(p_id text)
  returns boolean language sql;

-- server/functions/shards_is_near.sql; legwork_app may call it
create function shards_is_near(p_home text)
  returns boolean language sql;

-- server/functions/shards_number_of.sql; legwork_app may call it
create function shards_number_of(p_id text)
  returns integer language sql;

-- server/functions/shards_receive.sql; legwork_app may call it
create function shards_receive(p_source text, p_id bigint, p_call text, p_arguments jsonb)
  returns boolean language plpgsql security definer;

-- server/functions/shards_schema_of.sql; legwork_app may call it
create function shards_schema_of(p_id text)
  returns text language sql;

-- server/functions/shards_send.sql
create function shards_send(p_home text, p_call text, p_arguments jsonb)
  returns void language plpgsql security definer;

-- server/migrations/0071_operators.sql; legwork_app may call it
create function spend_decision(p_kind text, p_subject text, p_cents bigint)
  returns void language plpgsql security definer;

-- server/migrations/0079_two_persons_in_races.sql; legwork_app may call it
create function spend_part(p_kind text, p_subject text, p_cents bigint, p_at timestamptz)
  returns void language plpgsql security definer;

-- server/functions/targets_reserve.sql; legwork_app may call it
create function targets_reserve(
  p_now timestamptz,
  p_task_id text,
  p_targets text[],
  p_kinds target_kind[],
  p_day_max integer[],
  p_month_max integer[],
  p_check_at timestamptz
)
  returns table(item integer, cap integer, window_hours integer, free_at timestamptz) language plpgsql security definer;

-- server/functions/tasks_age.sql; legwork_app may call it
create function tasks_age(p_agent text, p_ms bigint, p_now timestamptz)
  returns void language plpgsql security definer;

-- server/functions/tasks_away.sql; legwork_app may call it
create function tasks_away(p_task text, p_home text)
  returns jsonb language sql;

-- server/functions/tasks_forget_texts.sql; legwork_app may call it
create function tasks_forget_texts(p_tasks text[], p_before timestamptz, p_now timestamptz)
  returns integer language plpgsql security definer;

-- server/functions/tasks_receive_away.sql
create function tasks_receive_away(p_news jsonb)
  returns void language plpgsql security definer;

-- server/functions/tasks_report_inbox.sql; legwork_app may call it
create function tasks_report_inbox(p_email text)
  returns text language sql;

-- server/functions/tasks_report_weight.sql; legwork_app may call it
create function tasks_report_weight(p_task text, p_worker text, p_kind text, p_now timestamptz)
  returns smallint language plpgsql security definer;

-- server/functions/tasks_reporter.sql; legwork_app may call it
create function tasks_reporter(p_worker text, p_agent text, p_now timestamptz)
  returns table(weight integer, address text, inbox text) language sql;

-- server/functions/tasks_reporter_of.sql
create function tasks_reporter_of(
  p_task text,
  p_worker text,
  p_agent text,
  p_now timestamptz,
  out weight integer,
  out address text,
  out inbox text
)
  returns record language plpgsql security definer;

-- server/functions/tasks_reports_hide.sql; legwork_app may call it
create function tasks_reports_hide(p_task text)
  returns boolean language sql;

-- server/functions/tasks_reputations.sql; legwork_app may call it
create function tasks_reputations(p_agents text[])
  returns table(agent_id text, judged integer, approved integer, disputes integer, overturned integer, median_review_s double precision) language plpgsql;

-- server/migrations/0017_rehearsal.sql; legwork_app may call it
create function wake_rehearsal()
  returns trigger language plpgsql;

-- server/functions/webhooks_age.sql; legwork_app may call it
create function webhooks_age(p_agent text, p_ms bigint)
  returns void language plpgsql;

-- server/functions/webhooks_lanes.sql; legwork_app may call it
create function webhooks_claim_lanes(p_holder text, p_now timestamptz, p_until timestamptz, p_limit integer)
  returns table(id text, agent_id text, webhook_url text, failures integer, is_failing boolean, is_disabled boolean) language plpgsql;

-- server/functions/webhooks_lanes.sql; legwork_app may call it
create function webhooks_claim_lanes_of(
  p_holder text,
  p_now timestamptz,
  p_until timestamptz,
  p_limit integer,
  p_mode agent_mode
)
  returns table(id text, agent_id text, webhook_url text, failures integer, is_failing boolean, is_disabled boolean) language plpgsql;

-- server/functions/webhooks_find_due.sql; legwork_app may call it
create function webhooks_find_due(p_now timestamptz, p_lanes lane_page[], p_known text[])
  returns table(lane text, webhook_url text, webhook_secret text, webhook_secret_old text, webhook_secret_old_until timestamptz, event_id text, url text, attempts smallint, attempts_max smallint, is_void boolean, is_missing boolean, type text, task_id text, sequence integer, created_at timestamptz, data json) language plpgsql;

-- server/functions/webhooks_lanes.sql; legwork_app may call it
create function webhooks_free_lanes(p_holder text, p_now timestamptz, p_lanes lane_release[])
  returns table(id text) language plpgsql;

-- server/functions/webhooks_lanes.sql; legwork_app may call it
create function webhooks_hurry(p_lane text, p_now timestamptz)
  returns void language plpgsql;

-- server/functions/webhooks_log_attempts.sql; legwork_app may call it
create function webhooks_log_attempts(
  p_holder text,
  p_now timestamptz,
  p_is_repeated boolean,
  p_attempts ended_attempt[],
  p_lanes lane_report[]
)
  returns table(id text, is_disabled boolean) language plpgsql;

-- server/functions/webhooks_lanes.sql; legwork_app may call it
create function webhooks_renew_lanes(p_holder text, p_until timestamptz, p_ids text[])
  returns table(id text, is_renewed boolean) language plpgsql;

-- server/migrations/0034_report_weight.sql; legwork_app may call it
create function weigh_report()
  returns trigger language plpgsql;

-- server/functions/workers_accuracies.sql; legwork_app may call it
create function workers_accuracies(p_ids text[])
  returns table(id text, accuracy double precision) language plpgsql security definer;

-- server/functions/workers_age.sql; legwork_app may call it
create function workers_age(p_agent text, p_ms bigint)
  returns void language sql security definer;

-- server/functions/workers_close.sql; legwork_app may call it
create function workers_close(p_worker text, p_now timestamptz, p_mail_until timestamptz)
  returns void language plpgsql security definer;

-- server/functions/workers_forget_emails.sql; legwork_app may call it
create function workers_forget_emails(p_worker text)
  returns void language plpgsql security definer;

-- server/functions/workers_receive_moves.sql
create function workers_receive_moves(
  p_now timestamptz,
  p_lines ledger_line[],
  p_trust trust_change[],
  p_tasks text[]
)
  returns void language plpgsql security definer;

-- server/functions/workers_remove_unverified.sql; legwork_app may call it
create function workers_remove_unverified(p_workers text[])
  returns table(worker_id text) language plpgsql security definer;

-- server/functions/workers_settle_disputes.sql; legwork_app may call it
create function workers_settle_disputes(p_workers text[], p_opened timestamptz)
  returns table(worker_id text, key text, task_id text, bad double precision) language plpgsql security definer;
