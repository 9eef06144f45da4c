-- Adds the requests of people who do not want to be called, visited or photographed through tasks.
-- lock: none; new tables
-- backfill: none

create type do_not_contact_state as enum ('requested', 'confirmed', 'declined', 'lapsed', 'ended');

-- Anybody can ask, so a request alone protects nothing: an operator confirms it.
create table do_not_contact (
  id         text collate "C" not null constraint do_not_contact_pkey primary key,
  kind       target_kind not null,
  -- As in target_uses.
  target     text collate "C" not null,
  state      do_not_contact_state not null default 'requested',
  -- As written, for the operator, until the request is decided.
  value      text,
  reason     text,
  -- Where to send the answer.
  email      text,
  created_at timestamptz not null,
  -- When the clock ends it: a request that nobody has decided, or the protection.
  due_at     timestamptz,
  decided_at timestamptz,
  -- What the operator wrote to the person.
  note       text,
  ended_at   timestamptz,
  constraint do_not_contact_clock check ((due_at is not null) = (state in ('requested', 'confirmed'))),
  constraint do_not_contact_end check ((ended_at is null) = (state in ('requested', 'confirmed'))),
  constraint do_not_contact_forgotten check (state = 'requested' or (value is null and reason is null))
);
create index do_not_contact_waiting on do_not_contact (created_at, id) where state = 'requested';
create index do_not_contact_confirmed on do_not_contact (target) where state = 'confirmed';
create index do_not_contact_due on do_not_contact (due_at) where due_at is not null;
create index do_not_contact_ended on do_not_contact (ended_at) where ended_at is not null;
grant select, insert, update (state, value, reason, due_at, decided_at, note, ended_at) on do_not_contact to legwork_app;

comment on table do_not_contact is 'rows: 30 days after ended_at; by: runner.remove-expired';
comment on column do_not_contact.id is 'not personal';
comment on column do_not_contact.target is
  'personal: third person; keep: protects this person; row; export: no: a keyed hash, and nobody has an account for it';
comment on column do_not_contact.value is
  'personal: third person; keep: erased with the decision; row; export: no: nobody has an account for it';
comment on column do_not_contact.reason is
  'personal: third person; keep: erased with the decision; row; export: no: nobody has an account for it';
comment on column do_not_contact.email is
  'personal: third person; keep: answers go there; row; export: no: nobody has an account for it';
comment on column do_not_contact.note is
  'personal: third person; keep: what we answered; row; export: no: nobody has an account for it';
