-- A worker's side of agents' rows: the rows of this shard and the copies of other shards' rows, under the same names.
-- A worker's pages, and jobs about one worker, read only these views.
-- lock: agents, tasks, assignments, disputes, appeals, task_reports, access share, for an instant
-- backfill: none

create view worker_agents with (security_invoker = true) as
  select id, name from agents
  union all
  select id, name from away_agents;
grant select on worker_agents to legwork_app;

create view worker_tasks with (security_invoker = true) as
  select id, agent_id, mode, type, status, title, description, budget_cents, funding, urgency, proof_required,
         consensus_count, deadline, scheduled_at, window_minutes, auto_approve_after, location, context,
         answer_schema, criteria, review_due_at, decides_by, ended_at
    from tasks
  union all
  select id, agent_id, mode, type, status, title, description, budget_cents, funding, urgency, proof_required,
         consensus_count, deadline, scheduled_at, window_minutes, auto_approve_after, location, context,
         answer_schema, criteria, review_due_at, decides_by, ended_at
    from away_tasks;
grant select on worker_tasks to legwork_app;

create view worker_assignments with (security_invoker = true) as
  select id, task_id, agent_id, worker_id, status, pay_cents, net_cents, deadline, accepted_at, expires_at,
         submitted_at, ended_at, outcome, reason, revision_note, revisions
    from assignments
  union all
  select id, task_id, agent_id, worker_id, status, pay_cents, net_cents, deadline, accepted_at, expires_at,
         submitted_at, ended_at, outcome, reason, revision_note, revisions
    from away_assignments;
grant select on worker_assignments to legwork_app;

create view worker_disputes with (security_invoker = true) as
  select id, task_id, assignment_ids, reason, category, criteria, status, touches_trust, created_at, resolved_at,
         decides_by, decided_at, decided_by is not distinct from 'agent' as is_decided_by_agent, decision_note
    from disputes
  union all
  select id, task_id, assignment_ids, reason, category, criteria, status, touches_trust, created_at, resolved_at,
         decides_by, decided_at, is_decided_by_agent, decision_note
    from away_disputes;
grant select on worker_disputes to legwork_app;

create view worker_appeals with (security_invoker = true) as
  select id, dispute_id, task_id, assignment_id, worker_id, statement, created_at, agent_until, agent_answer,
         answered_at, ruling, ruling_note, ruled_at
    from appeals
  union all
  select id, dispute_id, task_id, assignment_id, worker_id, statement, created_at, agent_until, agent_answer,
         answered_at, ruling, ruling_note, ruled_at
    from away_appeals;
grant select on worker_appeals to legwork_app;

create view worker_reports with (security_invoker = true) as
  select task_id, worker_id, kind, note, created_at, verdict, decided_at, weight from task_reports
  union all
  select task_id, worker_id, kind, note, created_at, verdict, decided_at, weight from away_reports;
grant select on worker_reports to legwork_app;
