-- Tasks: an agent's orders, with the budget each one holds in escrow.
-- lock: none (new tables)
-- backfill: none

-- Enums rather than checks: a check is prepared anew by every INSERT, and this table has the hottest one.
create type task_type as enum ('verification', 'voice_proxy', 'gut_check', 'field_mission', 'empathy_escalation',
  'vibe_reader', 'custom');
create type task_status as enum ('pending', 'in_progress', 'proof_submitted', 'completed', 'disputed', 'expired',
  'cancelled');
create type task_urgency as enum ('instant', 'urgent', 'standard', 'flex', 'scheduled');
create type task_proof as enum ('text', 'photo', 'video', 'audio');
create type task_funding as enum ('wallet', 'free');
create type task_budget_basis as enum ('total', 'per_worker');

create table tasks (
  id                   text collate "C" primary key,
  agent_id             text collate "C" not null,
  -- Its agent's: create_tasks copies it.
  mode                 agent_mode not null,
  type                 task_type not null,
  status               task_status not null default 'pending',
  status_reason        text,
  title                text,
  description          text not null check (length(description) between 1 and 5000),
  budget_cents         bigint not null check (budget_cents between 1 and 1000000),
  budget_basis         task_budget_basis not null,
  -- What was locked at creation, and what of it is still held.
  locked_cents         bigint not null,
  escrow_cents         bigint not null,
  funding              task_funding not null,
  urgency              task_urgency not null,
  proof_required       task_proof not null,
  consensus_count      integer not null check (consensus_count between 1 and 25),
  deadline             timestamptz not null,
  scheduled_at         timestamptz,
  window_minutes       integer,
  auto_approve_after   integer not null,
  min_worker_level     integer not null,
  skills               text[] not null,
  location             json,
  context              json not null,
  metadata             json,
  answer_schema        json,
  criteria             json,
  callback_url         text,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  ended_at             timestamptz,
  -- An open task holds its whole budget, an ended one holds nothing.
  constraint tasks_escrow_follows_status check (
    case when ended_at is null then escrow_cents = locked_cents and locked_cents > 0
           and status in ('pending', 'in_progress', 'proof_submitted')
         else escrow_cents = 0 and status not in ('pending', 'in_progress', 'proof_submitted') end)
) with (fillfactor = 85);

create index tasks_of_agent on tasks (agent_id, id);
-- The deadline timer: the sweep reads the head of this index.
create index tasks_due on tasks (deadline) where status in ('pending', 'in_progress');

-- A task is made by the function create_tasks alone, which also locks its budget; what was agreed at creation
-- can't be changed afterwards.
grant select on tasks to legwork_app;
grant update (status, status_reason, escrow_cents, updated_at, ended_at) on tasks to legwork_app;
