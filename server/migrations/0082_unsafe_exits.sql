-- Add the exits of workers from unsafe places: which of them were paid without waiting for the agent.
-- lock: none; a new table
-- backfill: none

create table unsafe_exits (
  assignment_id   text collate "C" not null constraint unsafe_exits_pkey primary key,
  worker_id       text collate "C" not null,
  -- Paid at once. Otherwise the agent, or its silence, decides.
  is_paid_at_once boolean not null,
  created_at      timestamptz not null
);
create index unsafe_exits_of_worker on unsafe_exits (worker_id, created_at);
create index unsafe_exits_created on unsafe_exits (created_at);
alter table unsafe_exits enable row level security;
create policy unsafe_exits_of_tenant on unsafe_exits to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert on unsafe_exits to legwork_app;
comment on table unsafe_exits is 'rows: 180 days after created_at; by: runner.remove-expired';
comment on column unsafe_exits.assignment_id is 'not personal';
comment on column unsafe_exits.worker_id is 'not personal';
