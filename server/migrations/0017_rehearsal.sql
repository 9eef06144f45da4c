-- Test mode: scripted workers, an agent's own clock, and test agents without an account.
-- lock: tasks, workers, agents, access exclusive, for an instant (columns without a default)
-- backfill: none

-- Indexes over these columns are a migration of their own (0020): in this one a scan would keep everybody out.
-- Who plays the worker of a test task, and how; and when the script is looked at next. Null in live mode: create_tasks
-- sees to that, since a check would be prepared anew by every insert.
alter table tasks
  add column if not exists rehearsal json,
  add column if not exists rehearse_at timestamptz;

-- Whatever happens to a test task, its script looks at it again. Not when it only grows older, nor when the script itself
-- has said when to look next.
create function wake_rehearsal() returns trigger language plpgsql as $$
begin
  if current_setting('legwork.ageing', true) is distinct from 'on' then
    new.rehearse_at := new.updated_at;
  end if;
  return new;
end
$$;
create trigger tasks_wake_rehearsal before update on tasks for each row
  when (new.rehearsal is not null and new.rehearse_at is not distinct from old.rehearse_at)
  execute function wake_rehearsal();
grant update (rehearse_at) on tasks to legwork_app;

-- The test agent whose tasks a worker of test mode does, and no other's. People have none.
alter table workers
  add column if not exists agent_id text collate "C",
  add constraint workers_of_test_agent check ((mode = 'test') = (agent_id is not null)) not valid;

-- A test agent that nobody has registered: until here its key works. Its twin does not exist yet and has nothing but
-- an id, so that whoever registers with the key gets that one.
alter table agents
  add column if not exists expires_at timestamptz;
-- squawk-ignore ban-drop-not-null
alter table agents alter column email drop not null;
alter table agents add constraint agents_reachable check (email is not null or mode = 'test' and expires_at is not null)
  not valid;
grant update (email, expires_at) on agents to legwork_app;

-- How far a test agent has moved its own time.
create table test_clocks (
  agent_id             text collate "C" primary key,
  moved_ms             bigint not null default 0
);
-- One call that moves it, a step at a time: sent again after a crash, it goes on where it was.
create table test_advances (
  agent_id             text collate "C" not null,
  key                  text collate "C" not null,
  by_ms                bigint not null check (by_ms between 0 and 7776000000),
  moved_ms             bigint not null default 0,
  -- [{at_s, what, task_id}]
  fired                json not null default '[]',
  created_at           timestamptz not null,
  primary key (agent_id, key),
  constraint test_advances_moved check (moved_ms between 0 and by_ms)
);
grant select, insert, update on test_clocks to legwork_app;
grant select, insert, update, delete on test_advances to legwork_app;
