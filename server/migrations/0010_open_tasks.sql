-- The feed's projection: the open tasks with a free slot, slim, by place. Fed from the outbox, emptied at once.
-- lock: none (new tables)
-- backfill: none (no task can have been accepted before this release: tasks/project-open.ts fills it from the tasks)

create table open_tasks (
  task_id              text collate "C" primary key,
  agent_id             text collate "C" not null,
  type                 task_type not null,
  -- What one worker gets, after the commission.
  pay_cents            bigint not null,
  level_needed         smallint not null,
  -- The skills asked for, each as a number: short enough to stand in every index (tasks/matching.ts).
  skill_keys           integer[] not null,
  deadline             timestamptz not null,
  -- Blurred by a hundred metres (places/cells.ts); null for a task without a place, or with one that nobody knows.
  lat                  double precision,
  lng                  double precision,
  -- H3 cells, as bigint; 0 for a task without a place.
  cell5                bigint not null,
  cell6                bigint not null,
  cell7                bigint not null,
  -- Where it is, coarsely: what may be shown before acceptance.
  area                 text,
  -- How likely its agent pays, as it was when the task came in: a score made of it is the same on every page.
  paid_chance          real not null,
  -- The latitude in Mercator's projection, in degrees: near a point, equal distances are equal there in all directions.
  northing             double precision generated always as
                         (degrees(ln(tan(radians(45 + greatest(least(lat, 89.9), -89.9) / 2))))) stored
)
-- Vacuumed often, so that most is read from the indexes alone.
with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.05);

-- For each order of the feed, by each size of cell and for those who are nowhere; the newest come by the primary key.
-- Those by cell bring along all that the feed filters and ranks by: the tasks of a cell are neighbours in the index,
-- and strewn over the table.
create index open_tasks_new5 on open_tasks (cell5, task_id desc)
  include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_new6 on open_tasks (cell6, task_id desc)
  include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_new7 on open_tasks (cell7, task_id desc)
  include (agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay on open_tasks (pay_cents desc, task_id desc);
create index open_tasks_pay5 on open_tasks (cell5, pay_cents desc, task_id desc)
  include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay6 on open_tasks (cell6, pay_cents desc, task_id desc)
  include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_pay7 on open_tasks (cell7, pay_cents desc, task_id desc)
  include (agent_id, type, level_needed, skill_keys, deadline, lat, lng, paid_chance);
create index open_tasks_near on open_tasks using gist (point(lng, northing)) where lat is not null;

grant select, insert, update, delete on open_tasks to legwork_app;
