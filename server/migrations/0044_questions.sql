-- Workers ask a person: questions, and the messages of each.
-- lock: notices, access exclusive, for an instant (a column without a default)
-- backfill: none

alter type notice_kind add value if not exists 'question_answered' after 'payout_failed';

-- On the worker's shard.
create table questions (
  id            text collate "C" not null constraint questions_pkey primary key,
  worker_id     text collate "C" not null,
  subject       text not null,
  -- The task that it is about, with its title when the worker asked; null if it is about none.
  task_id       text collate "C",
  task_title    text,
  status        text not null default 'open',
  -- The number of messages, which is the number of the last one.
  message_count smallint not null default 1,
  created_at    timestamptz not null,
  -- Since when the worker waits for an answer, and when it is due.
  waits_since   timestamptz,
  due_at        timestamptz,
  -- When an answered question is closed, unless the worker writes again.
  closes_at     timestamptz,
  closed_at     timestamptz,
  ended_for     text,
  constraint questions_subject check (subject in ('payment', 'task', 'dispute', 'account', 'safety', 'other')),
  constraint questions_status check (status in ('open', 'answered', 'closed')),
  constraint questions_ended_for check (ended_for in ('worker', 'operator', 'time_passed')),
  constraint questions_task check ((task_id is null) = (task_title is null)),
  constraint questions_message_count check (message_count between 1 and 20),
  constraint questions_open check
    ((status = 'open') = (due_at is not null) and (due_at is null) = (waits_since is null)),
  constraint questions_answered check ((status = 'answered') = (closes_at is not null)),
  constraint questions_closed check
    ((status = 'closed') = (closed_at is not null) and (closed_at is null) = (ended_for is null))
) with (fillfactor = 80);
create index questions_of_worker on questions (worker_id, id);
create index questions_waiting on questions (due_at) where status = 'open';
create index questions_to_close on questions (closes_at) where status = 'answered';
alter table questions enable row level security;
create policy questions_of_tenant on questions to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert on questions to legwork_app;
grant update (status, message_count, waits_since, due_at, closes_at, closed_at, ended_for) on questions
  to legwork_app;

create table question_messages (
  id          text collate "C" not null constraint question_messages_pkey primary key,
  question_id text collate "C" not null,
  worker_id   text collate "C" not null,
  number      smallint not null,
  author      text not null,
  -- The operator's name. Workers don't see it.
  operator    text,
  text        text not null,
  created_at  timestamptz not null,
  constraint question_messages_number unique (question_id, number),
  constraint question_messages_author check (author in ('worker', 'operator')),
  constraint question_messages_operator check ((author = 'operator') = (operator is not null)),
  constraint question_messages_text check (length(text) between 1 and 2000),
  -- The last message is the operator's, so that every question can be answered.
  constraint question_messages_bound check (number between 1 and case author when 'worker' then 19 else 20 end)
);
alter table question_messages enable row level security;
create policy question_messages_of_tenant on question_messages to legwork_app
  using (worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id));
grant select, insert on question_messages to legwork_app;

-- The question that a notice is about.
alter table notices add column if not exists question_id text collate "C";
