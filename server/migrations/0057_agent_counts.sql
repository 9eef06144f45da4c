-- Adds the counts of an agent's tasks, so that its figures are read without reading its history (docs/capacity.md).
-- Triggers write every change of a figure; the job counts.fold adds the changes to the counts. A change is a row of
-- its own rather than an update of a counter, so that the tasks of one agent never wait for each other.
-- lock: tasks, share row exclusive, for an instant (two triggers)
-- backfill: by counts.fold, an agent at a time; until then, an agent's rows are counted as before

-- Agents whose counts are complete. Whoever deletes this row deletes the counts; the agent is counted anew.
create table counted_agents (
  agent_id   text collate "C" primary key,
  counted_at timestamptz not null,
  checked_at timestamptz not null
);
grant select, insert, update (checked_at), delete on counted_agents to legwork_app;

-- Three kinds of rows: of tasks by type and status; of one worker's approved assignments; of disputes, with neither.
create table agent_counts (
  agent_id      text collate "C" not null references counted_agents on delete cascade,
  worker_id     text collate "C",
  -- The limited keys that see these tasks, as in tasks; none is an empty list.
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
  constraint agent_counts_kind check ((type is null) = (status is null) and (worker_id is null or type is null))
) with (fillfactor = 70);
create unique index agent_counts_group on agent_counts (agent_id, worker_id, key_path, type, status)
  nulls not distinct;
grant select, insert,
      update (tasks, spent_cents, auto_approved, answered, conflicts, approved, disputes, overturned)
   on agent_counts to legwork_app;

-- Changes of figures that counts.fold has not yet added to the counts.
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
  overturned    integer not null default 0
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
create index agent_count_changes_of_agent on agent_count_changes (agent_id);
-- Insert, because triggers run with the rights of whoever changes a task.
grant select, insert, delete on agent_count_changes to legwork_app;

comment on table counted_agents is 'rows: kept: one row per agent';
comment on column counted_agents.agent_id is 'not personal';
comment on table agent_counts is 'rows: kept: sums of tasks, as long as the agent';
comment on column agent_counts.agent_id is 'not personal';
comment on column agent_counts.worker_id is 'not personal';
comment on column agent_counts.key_path is 'not personal';
comment on table agent_count_changes is 'rows: until they are added to the counts; by: counts.fold';
comment on column agent_count_changes.agent_id is 'not personal';
comment on column agent_count_changes.worker_id is 'not personal';
comment on column agent_count_changes.key_path is 'not personal';

-- For a whole statement: tasks of one agent are created and moved together, and become one row.
create function count_new_tasks() returns trigger language plpgsql as $$
begin
  insert into agent_count_changes (agent_id, key_path, type, status, tasks, spent_cents, auto_approved, answered,
                                   conflicts)
    select t.agent_id, t.key_path, t.type, t.status, count(*),
           coalesce(sum(t.escrow_cents + coalesce((t.settlement ->> 'gross_cents')::bigint, 0))
                      filter (where t.funding = 'wallet'), 0),
           count(*) filter (where t.approved_by = 'auto'),
           count(t.consensus) filter (where coalesce(t.consensus_max, t.consensus_count) > 1),
           count(*) filter (where coalesce(t.consensus_max, t.consensus_count) > 1
                              and t.consensus ->> 'conflict' = 'true')
      from created t group by t.agent_id, t.key_path, t.type, t.status;
  return null;
end
$$;
create trigger tasks_count_new after insert on tasks referencing new table as created
  for each statement execute function count_new_tasks();

-- Takes tasks out of their old groups, and adds them to their new ones. An update that changes no figure leaves no row.
create function count_moved_tasks() returns trigger language plpgsql as $$
begin
  insert into agent_count_changes (agent_id, key_path, type, status, tasks, spent_cents, auto_approved, answered,
                                   conflicts)
    select t.agent_id, t.key_path, t.type, t.status, sum(t.times),
           sum(t.times * case t.funding when 'wallet'
                           then t.escrow_cents + coalesce((t.settlement ->> 'gross_cents')::bigint, 0) else 0 end),
           sum(case t.approved_by when 'auto' then t.times else 0 end),
           sum(case when t.slots > 1 and t.consensus is not null then t.times else 0 end),
           sum(case when t.slots > 1 and t.consensus ->> 'conflict' = 'true' then t.times else 0 end)
      from (select 1 as times, n.agent_id, n.key_path, n.type, n.status, n.funding, n.escrow_cents, n.settlement,
                   n.approved_by, n.consensus, coalesce(n.consensus_max, n.consensus_count) as slots from moved n
             union all
            select -1, o.agent_id, o.key_path, o.type, o.status, o.funding, o.escrow_cents, o.settlement,
                   o.approved_by, o.consensus, coalesce(o.consensus_max, o.consensus_count) from unmoved o) t
     group by t.agent_id, t.key_path, t.type, t.status
    having sum(t.times) <> 0
        or sum(t.times * case t.funding when 'wallet'
                           then t.escrow_cents + coalesce((t.settlement ->> 'gross_cents')::bigint, 0) else 0 end) <> 0
        or sum(case t.approved_by when 'auto' then t.times else 0 end) <> 0
        or sum(case when t.slots > 1 and t.consensus is not null then t.times else 0 end) <> 0
        or sum(case when t.slots > 1 and t.consensus ->> 'conflict' = 'true' then t.times else 0 end) <> 0;
  return null;
end
$$;
create trigger tasks_count_moved after update on tasks referencing old table as unmoved new table as moved
  for each statement execute function count_moved_tasks();
