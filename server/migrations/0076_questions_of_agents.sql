-- Agents ask a person, messages have photos, and the time that people wait for an answer is measured.
-- lock: questions and question_messages, access exclusive, for an instant (constraints that are validated later)
-- backfill: none

-- A question belongs to a worker or to an agent, on the shard of its owner; the other column is empty.
alter table questions alter column worker_id set default '';
alter table questions add column agent_id text collate "C" not null default '';
alter table questions drop constraint questions_subject;
alter table questions add constraint questions_subject check (subject in
  ('payment', 'task', 'dispute', 'account', 'safety', 'other', 'billing', 'webhook')) not valid;
alter table questions drop constraint questions_ended_for;
alter table questions add constraint questions_ended_for
  check (ended_for in ('worker', 'agent', 'operator', 'time_passed')) not valid;
alter table questions add constraint questions_asker check ((worker_id = '') <> (agent_id = '')) not valid;
alter policy questions_of_tenant on questions using (
  worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)
  and agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

alter table question_messages alter column worker_id set default '';
alter table question_messages add column agent_id text collate "C" not null default '';
-- An answer: how long the asker had waited for it; null if they waited for none.
alter table question_messages add column waited_seconds integer;
alter table question_messages drop constraint question_messages_author;
alter table question_messages add constraint question_messages_author
  check (author in ('worker', 'agent', 'operator')) not valid;
alter table question_messages drop constraint question_messages_bound;
alter table question_messages add constraint question_messages_bound
  check (number between 1 and case author when 'operator' then 20 else 19 end) not valid;
alter table question_messages add constraint question_messages_asker
  check ((worker_id = '') <> (agent_id = '')) not valid;
alter policy question_messages_of_tenant on question_messages using (
  worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)
  and agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));

-- Photos in messages, cleaned like those of proofs. A row without a question waits to be sent or to be removed.
create table question_photos (
  id             text collate "C" not null constraint question_photos_pkey primary key,
  worker_id      text collate "C" not null default '',
  agent_id       text collate "C" not null default '',
  question_id    text collate "C",
  message_number smallint,
  -- Its place among the photos of the question.
  number         smallint,
  content_type   text,
  bytes          bigint,
  width          integer,
  height         integer,
  created_at     timestamptz not null,
  -- When it is removed, unless a message has it by then.
  expires_at     timestamptz,
  constraint question_photos_number unique (question_id, number),
  constraint question_photos_asker check ((worker_id = '') <> (agent_id = '')),
  constraint question_photos_sent check
    ((question_id is null) = (expires_at is not null) and (question_id is null) = (message_number is null)
     and (question_id is null) = (number is null)),
  constraint question_photos_stored check (question_id is null or (content_type is not null and bytes > 0))
);
create index question_photos_unused on question_photos (expires_at) where expires_at is not null;
create index question_photos_of_worker on question_photos (worker_id, created_at);
create index question_photos_of_agent on question_photos (agent_id, created_at);
alter table question_photos enable row level security;
create policy question_photos_of_tenant on question_photos to legwork_app using (
  worker_id = coalesce(nullif(current_setting('legwork.worker_id', true), ''), worker_id)
  and agent_id = coalesce(nullif(current_setting('legwork.agent_id', true), ''), agent_id));
grant select, insert, delete, update (question_id, message_number, number, content_type, bytes, width, height, expires_at)
  on question_photos to legwork_app;

-- How long workers and agents waited for an answer in the last 30 days.
create table question_times (
  asker          text not null constraint question_times_pkey primary key,
  answers        integer not null,
  median_seconds integer,
  measured_at    timestamptz not null,
  constraint question_times_asker check (asker in ('worker', 'agent')),
  constraint question_times_median check ((answers = 0) = (median_seconds is null))
);
grant select, insert, update (answers, median_seconds, measured_at) on question_times to legwork_app;

comment on column questions.agent_id is 'not personal';
comment on column question_messages.agent_id is 'not personal';
comment on table question_photos is 'rows: until its question is removed or its account is closed; by: questions.sweep-photos';
comment on column question_photos.id is 'not personal';
comment on column question_photos.worker_id is 'not personal';
comment on column question_photos.agent_id is 'not personal';
comment on column question_photos.question_id is 'not personal';
comment on column question_photos.content_type is 'not personal';
comment on table question_times is 'rows: kept: one row for workers and one for agents';
comment on column question_times.asker is 'not personal';
