-- Copies of agents' rows for the workers of this shard, where the agent is on another shard. A worker's pages read
-- local rows and copies through the views of 0064, so they need no other shard. With one shard, these tables are empty.
-- Proofs and files are not copied: they hold places and photos, which must end everywhere at once.
-- lock: none
-- backfill: none

create table away_agents (
  id              text collate "C" primary key,
  name            text not null,
  -- As returned by tasks_reputations on the agent's shard.
  judged          integer not null,
  approved        integer not null,
  disputes        integer not null,
  overturned      integer not null,
  median_review_s double precision
);
comment on table away_agents is 'rows: kept: as long as the tasks that workers had';
comment on column away_agents.id is 'not personal';
comment on column away_agents.name is
  'personal: agent; keep: the contracting party of the books; row; export: no: the agent has the API';
comment on column away_agents.median_review_s is 'not personal';
grant select on away_agents to legwork_app;

create table away_tasks (
  id                 text collate "C" primary key,
  agent_id           text collate "C" not null,
  mode               agent_mode not null,
  type               task_type not null,
  status             task_status not null,
  title              text,
  description        text not null,
  budget_cents       bigint not null,
  funding            task_funding not null,
  urgency            task_urgency not null,
  proof_required     task_proof not null,
  consensus_count    integer not null,
  deadline           timestamptz not null,
  scheduled_at       timestamptz,
  window_minutes     integer,
  auto_approve_after integer not null,
  location           json,
  context            json not null,
  answer_schema      json,
  criteria           json,
  review_due_at      timestamptz,
  decides_by         timestamptz,
  ended_at           timestamptz,
  -- The task's version when it was copied. A copy with an older version is ignored.
  version            integer not null
);
create index away_tasks_with_texts on away_tasks (ended_at)
  where ended_at is not null and description <> 'Removed: the retention period of this text has ended.';
comment on table away_tasks is 'rows: kept: work that was paid for';
comment on column away_tasks.id is 'not personal';
comment on column away_tasks.agent_id is 'not personal';
comment on column away_tasks.title is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column away_tasks.description is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column away_tasks.location is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column away_tasks.context is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
comment on column away_tasks.answer_schema is 'not personal';
comment on column away_tasks.criteria is
  'personal: third person; keep: the order that was paid for; task texts; export: no: the agent has the API';
grant select on away_tasks to legwork_app;

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
  reason        text,
  revision_note text,
  revisions     smallint not null,
  primary key (worker_id, id)
);
create index away_assignments_of_task on away_assignments (task_id, worker_id);
create index away_assignments_open_of_worker on away_assignments (worker_id, deadline);
comment on table away_assignments is 'rows: kept: work that was paid for';
comment on column away_assignments.id is 'not personal';
comment on column away_assignments.task_id is 'not personal';
comment on column away_assignments.agent_id is 'not personal';
comment on column away_assignments.worker_id is 'not personal';
comment on column away_assignments.reason is
  'personal: worker; keep: why the worker gave the task back, for the agent; task texts; export: yes';
comment on column away_assignments.revision_note is
  'personal: worker; keep: what the agent asked for; task texts; export: yes';
grant select on away_assignments to legwork_app;

create table away_disputes (
  id                  text collate "C" not null,
  task_id             text collate "C" not null,
  worker_id           text collate "C" not null,
  -- Only those of this worker: a dispute of several workers has a copy for each.
  assignment_ids      text[] not null,
  reason              text not null,
  category            text,
  criteria            text[] not null,
  status              text not null,
  touches_trust       boolean not null,
  created_at          timestamptz not null,
  resolved_at         timestamptz,
  decides_by          timestamptz,
  decided_at          timestamptz,
  is_decided_by_agent boolean not null,
  decision_note       text,
  primary key (task_id, worker_id, id)
);
comment on table away_disputes is 'rows: kept: decisions about money';
comment on column away_disputes.id is 'not personal';
comment on column away_disputes.task_id is 'not personal';
comment on column away_disputes.worker_id is 'not personal';
comment on column away_disputes.assignment_ids is 'not personal';
comment on column away_disputes.reason is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
comment on column away_disputes.category is 'not personal';
comment on column away_disputes.criteria is 'not personal';
comment on column away_disputes.status is 'not personal';
comment on column away_disputes.decision_note is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
grant select on away_disputes to legwork_app;

create table away_appeals (
  id            text collate "C" not null,
  dispute_id    text collate "C" not null,
  task_id       text collate "C" not null,
  assignment_id text collate "C" not null,
  worker_id     text collate "C" not null,
  statement     text not null,
  created_at    timestamptz not null,
  agent_until   timestamptz not null,
  agent_answer  text,
  answered_at   timestamptz,
  ruling        text,
  ruling_note   text,
  ruled_at      timestamptz,
  primary key (task_id, worker_id, id)
);
comment on table away_appeals is 'rows: kept: decisions about money';
comment on column away_appeals.id is 'not personal';
comment on column away_appeals.dispute_id is 'not personal';
comment on column away_appeals.task_id is 'not personal';
comment on column away_appeals.assignment_id is 'not personal';
comment on column away_appeals.worker_id is 'not personal';
comment on column away_appeals.statement is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
comment on column away_appeals.agent_answer is
  'personal: agent; keep: the reason of a decision about money; task texts; export: no: the agent has the API';
comment on column away_appeals.ruling is 'not personal';
comment on column away_appeals.ruling_note is
  'personal: worker; keep: the reason of a decision about money; task texts; export: yes';
grant select on away_appeals to legwork_app;

create table away_reports (
  task_id    text collate "C" not null,
  worker_id  text collate "C" not null,
  kind       text not null,
  note       text,
  created_at timestamptz not null,
  verdict    text,
  decided_at timestamptz,
  weight     smallint not null,
  primary key (worker_id, task_id)
);
create index away_reports_of_task on away_reports (task_id);
comment on table away_reports is 'rows: kept: ends with its task';
comment on column away_reports.task_id is 'not personal';
comment on column away_reports.worker_id is 'not personal';
comment on column away_reports.kind is 'not personal';
comment on column away_reports.note is
  'personal: worker; keep: the reason of a decision about a task; task texts; export: yes';
comment on column away_reports.verdict is 'not personal';
grant select on away_reports to legwork_app;

-- The commission and the other workers' pay are lines of the agent's shard, from which earning-lines.ts computes a
-- worker's part of the commission. For a line from another shard, that part comes with the line.
create table away_commissions (
  worker_id        text collate "C" not null,
  key              text collate "C" not null,
  commission_cents bigint not null,
  primary key (worker_id, key)
);
comment on table away_commissions is 'rows: kept: the books';
comment on column away_commissions.worker_id is 'not personal';
comment on column away_commissions.key is 'not personal';
grant select on away_commissions to legwork_app;
