-- The life of a task after its creation: slots, assignments, proofs, verdicts.
-- The checks hold for every row there is, since nothing but the defaults can be in the new columns.
-- lock: tasks, access exclusive, for an instant (columns with constant defaults)
-- backfill: none

alter table tasks
  -- Counted up by every change of the row: whoever decided on an older one is told to look again.
  add column version             integer not null default 1,
  -- Slots beyond consensus_count, added while the workers do not agree clearly enough.
  add column slots_extra         integer not null default 0,
  -- Held by a worker, or with a proof that stands.
  add column slots_taken         integer not null default 0,
  add column proofs_received     integer not null default 0,
  add column consensus_max       integer,
  add column min_confidence      double precision,
  -- When the last needed proof came, and when silence becomes approval; null while an operator has the word.
  add column proof_at            timestamptz,
  add column review_due_at       timestamptz,
  -- The agreement between the proofs as it was when all were in, or as it was overridden.
  add column consensus           json,
  add column approved_by         text check (approved_by in ('agent', 'auto', 'operator')),
  -- What the verdict paid, as the answer to it said.
  add column settlement          json,
  add constraint tasks_slots check (slots_taken between 0 and consensus_count + slots_extra) not valid,
  add constraint tasks_proofs check (proofs_received between 0 and slots_taken) not valid,
  add constraint tasks_consensus_max check (consensus_max between consensus_count and 25) not valid;

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
create trigger tasks_count_version before update on tasks for each row execute function count_version();

-- The auto-approve timer, and what an agent's last verdicts were. On a large table they are built by hand first,
-- concurrently (README.md).
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_review_due on tasks (review_due_at)
  where status = 'proof_submitted' and review_due_at is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists tasks_judged on tasks (agent_id, ended_at) where status in ('completed', 'disputed');

grant update (slots_extra, slots_taken, proofs_received, proof_at, review_due_at, consensus, approved_by, settlement)
  on tasks to legwork_app;

create type assignment_status as enum ('accepted', 'submitted', 'approved', 'disputed', 'released', 'expired',
  'cancelled');
create type proof_outcome as enum ('done', 'not_possible');

-- One worker's slot in a task. It lives on the agent's shard, with its task.
create table assignments (
  id                   text collate "C" primary key,
  task_id              text collate "C" not null,
  agent_id             text collate "C" not null,
  worker_id            text collate "C" not null,
  status               assignment_status not null default 'accepted',
  -- What the worker was promised when it accepted, after the commission, and what it got.
  pay_cents            bigint not null,
  net_cents            bigint,
  -- The task's, so that a worker's own open tasks are found without it.
  deadline             timestamptz not null,
  accepted_at          timestamptz not null,
  expires_at           timestamptz not null,
  upload_begun_at      timestamptz,
  submitted_at         timestamptz,
  ended_at             timestamptz,
  outcome              proof_outcome,
  -- Why it was handed back or disputed, in the words of whoever did it.
  reason               text,
  revision_note        text,
  revisions            smallint not null default 0 constraint assignments_one_revision check (revisions between 0 and 1),
  constraint assignments_paid_when_ended check (net_cents is null or status in ('approved', 'disputed', 'cancelled'))
) with (fillfactor = 80);
-- One slot per person: the last line of defence behind accept.
create unique index assignments_one_per_worker on assignments (task_id, worker_id)
  where status in ('accepted', 'submitted', 'approved', 'disputed');
create index assignments_of_task on assignments (task_id, id);
create index assignments_of_worker on assignments (worker_id, id);
create index assignments_open_of_worker on assignments (worker_id, deadline);
create index assignments_due on assignments (expires_at) where status = 'accepted';
create index assignments_of_partner on assignments (agent_id, worker_id) where status = 'approved';
create index assignments_approved on assignments (ended_at) where status = 'approved';

grant select, insert on assignments to legwork_app;
grant update (upload_begun_at, expires_at) on assignments to legwork_app;

-- What a worker sent. A revision is a second proof of the same assignment; the last one counts.
create table proofs (
  id                   text collate "C" primary key,
  assignment_id        text collate "C" not null,
  task_id              text collate "C" not null,
  agent_id             text collate "C" not null,
  worker_id            text collate "C" not null,
  text                 text,
  answer               json,
  outcome              proof_outcome not null,
  -- Where the worker's device said it was: {lat, lng, accuracy_m?}
  location             json,
  captured_at          timestamptz,
  -- [{name, result: pass|warn|fail, note}]
  checks               json not null default '[]',
  submitted_at         timestamptz not null
);
create index proofs_of_task on proofs (task_id, id);
create index proofs_of_assignment on proofs (assignment_id, id);

create table disputes (
  id                   text collate "C" primary key,
  task_id              text collate "C" not null,
  agent_id             text collate "C" not null,
  assignment_ids       text[] not null,
  reason               text not null check (length(reason) between 1 and 2000),
  category             text,
  criteria             text[] not null default '{}',
  -- `held`: the breaker has tripped and an operator looks before anything happens.
  status               text not null check (status in ('open', 'held', 'withdrawn', 'upheld', 'overturned', 'split')),
  touches_trust        boolean not null,
  refunded_cents       bigint not null,
  created_at           timestamptz not null,
  resolved_at          timestamptz
);
create index disputes_of_task on disputes (task_id, id);
create index disputes_of_agent on disputes (agent_id, created_at);
-- A task waits for one operator at a time.
create unique index disputes_one_held on disputes (task_id) where status = 'held';

grant select, insert on proofs to legwork_app;
grant select on disputes to legwork_app;
