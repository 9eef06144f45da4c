-- Tasks that wait for an operator, because a screening rule finds them doubtful.
-- lock: none of a table in use: a new table, and two attributes of a type
-- backfill: none

-- It lives on the agent's shard, with its task. Until it is decided the task is hidden, as a reported one.
create table screenings (
  task_id    text collate "C" not null constraint screenings_pkey primary key,
  -- The names of the rules that the task matches, and the version of the policy that they belong to.
  rules      text[] not null,
  policy     text not null,
  created_at timestamptz not null,
  -- What nobody has decided by then is cancelled and refunded.
  decides_by timestamptz not null,
  -- ended: the task was cancelled or has expired before. lapsed: nobody decided in time.
  decision   text constraint screenings_decision check (decision in ('cleared', 'refused', 'lapsed', 'ended')),
  decided_at timestamptz,
  constraint screenings_decided check ((decision is null) = (decided_at is null))
);
create index screenings_waiting on screenings (decides_by, task_id) where decision is null;

grant select on screenings to legwork_app;
grant update (decision, decided_at) on screenings to legwork_app;

alter type task_creation add attribute screened_for text[];
alter type task_creation add attribute screening_policy text;
alter type task_creation add attribute decides_by timestamptz;

comment on table screenings is 'rows: kept: ends with its task';
comment on column screenings.task_id is 'not personal';
comment on column screenings.rules is 'not personal';
comment on column screenings.policy is 'not personal';
comment on column screenings.decision is 'not personal';
