-- Workers can ask to be checked on while they do a task.
-- lock: none; a new table
-- backfill: none

-- On the worker's shard, one at a time: nobody is at two places.
create table check_ins (
  worker_id  text collate "C" not null constraint check_ins_pkey primary key,
  task_id    text collate "C" not null,
  -- When to ask the worker.
  at         timestamptz not null,
  -- Whom to call if the worker doesn't answer, in the worker's words.
  contact    text constraint check_ins_contact check (char_length(contact) between 1 and 200),
  created_at timestamptz not null,
  -- When the worker was asked, and since when the answer is missing.
  asked_at   timestamptz,
  missed_at  timestamptz constraint check_ins_missed check (missed_at is null or asked_at is not null),
  -- When the clock looks at it next.
  check_at   timestamptz not null
);
create index check_ins_due on check_ins (check_at);
create index check_ins_missed_first on check_ins (missed_at, worker_id) where missed_at is not null;
alter table check_ins enable row level security;
create policy check_ins_of_tenant on check_ins to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert, delete, update (task_id, at, contact, created_at, asked_at, missed_at, check_at) on check_ins
  to legwork_app;
comment on table check_ins is 'rows: until the worker answers or ends the task, or an operator closes it; by: safety.check-ins';
comment on column check_ins.worker_id is 'not personal';
comment on column check_ins.task_id is 'not personal';
comment on column check_ins.contact is 'personal: worker; erase; row; export: yes';
