-- Adds what the cards of the feed show to the feed's own tables, so that no statement reads the feed and tasks together.
-- lock: open_tasks, share row exclusive, for an instant (a foreign key from an empty table)
-- backfill: open_cards and open_agents, by tasks.project-open; until then, cards without a row are read from tasks

-- The texts and the slots of an open task. They are wide, and a page reads only those of the tasks that it shows.
create table open_cards (
  -- A delete of the task's row in open_tasks also deletes this one, whichever release does it.
  task_id              text collate "C" primary key references open_tasks on delete cascade,
  status               task_status not null,
  title                text,
  description          text not null,
  urgency              task_urgency not null,
  proof_required       task_proof not null,
  budget_cents         bigint not null,
  auto_approve_after   integer not null,
  slots_needed         integer not null,
  slots_taken          integer not null,
  skills               text[] not null,
  languages            text[] not null,
  created_at           timestamptz not null
) with (fillfactor = 90);

comment on table open_cards is 'rows: until the task is taken, hidden or over; by: tasks.project-open';
comment on column open_cards.task_id is 'not personal';
comment on column open_cards.skills is 'not personal';
comment on column open_cards.languages is 'not personal';
comment on column open_cards.title is
  'personal: third person; keep: a copy of an open task; row; export: no: the agent has the API';
comment on column open_cards.description is
  'personal: third person; keep: a copy of an open task; row; export: no: the agent has the API';

grant select, insert, update, delete on open_cards to legwork_app;

-- Agents with open tasks: their names, and their last verdicts as tasks_reputations counts them. Not part of open_cards,
-- because an agent can have thousands of open tasks, and each verdict changes its figures.
create table open_agents (
  agent_id             text collate "C" primary key,
  name                 text not null,
  judged               integer not null,
  approved             integer not null,
  disputes             integer not null,
  overturned           integer not null,
  median_review_s      double precision,
  -- Its figures may have changed since; feed.refresh-agents reads them again.
  is_stale             boolean not null default true
) with (fillfactor = 70);
create index open_agents_stale on open_agents (agent_id) where is_stale;

comment on table open_agents is 'rows: until the agent has no open task; by: tasks.project-open';
comment on column open_agents.agent_id is 'not personal';
comment on column open_agents.median_review_s is 'not personal';
comment on column open_agents.name is
  'personal: agent; keep: a copy of an agent with open tasks; row; export: no: the agent has the API';

grant select, insert, update, delete on open_agents to legwork_app;
