-- Add operators: their accounts, ways to sign in, decisions with the second person's consent, cases, and the audit log.
-- lock: none
-- backfill: none

create table operators (
  id           text collate "C" not null constraint operators_pkey primary key,
  email        text not null constraint operators_email unique,
  name         text not null,
  role         text not null default 'viewer',
  status       text not null default 'invited',
  -- The identity at the company's OpenID provider: issuer and subject.
  oidc_subject text constraint operators_oidc_subject unique,
  -- Null for the first operator, whom a command adds.
  invited_by   text collate "C",
  created_at   timestamptz not null,
  disabled_at  timestamptz,
  disabled_by  text collate "C",
  constraint operators_name_length check (length(name) between 1 and 100),
  constraint operators_email_lower check (email = lower(email)),
  constraint operators_role_check check (role in ('viewer', 'support', 'trust', 'finance', 'admin')),
  constraint operators_status_check check (status in ('invited', 'active', 'disabled')),
  constraint operators_disabled check ((status = 'disabled') = (disabled_at is not null))
);
grant select, insert, update (name, role, status, oidc_subject, disabled_at, disabled_by) on operators to legwork_app;

create table operator_passkeys (
  credential_id text collate "C" not null constraint operator_passkeys_pkey primary key,
  operator_id   text collate "C" not null,
  name          text not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null default '{}',
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index operator_passkeys_of_operator on operator_passkeys (operator_id);
grant select, insert, update (counter, used_at, name), delete on operator_passkeys to legwork_app;

create table operator_sessions (
  token_hash  text collate "C" not null constraint operator_sessions_pkey primary key,
  operator_id text collate "C" not null,
  how         text not null,
  device      text not null,
  created_at  timestamptz not null,
  seen_at     timestamptz not null,
  expires_at  timestamptz not null,
  constraint operator_sessions_how_check check (how in ('passkey', 'oidc', 'link'))
);
create index operator_sessions_of_operator on operator_sessions (operator_id);
create index operator_sessions_expired on operator_sessions (expires_at);
grant select, insert, update (seen_at), delete on operator_sessions to legwork_app;

-- Emailed links: an invitation, or a new passkey for somebody who lost theirs.
create table operator_links (
  token_hash  text collate "C" not null constraint operator_links_pkey primary key,
  operator_id text collate "C" not null,
  purpose     text not null,
  created_by  text collate "C" not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  ended_at    timestamptz,
  constraint operator_links_purpose_check check (purpose in ('invitation', 'passkey', 'sign_in'))
);
create index operator_links_of_operator on operator_links (operator_id);
create index operator_links_expired on operator_links (expires_at);
grant select, insert, update (ended_at) on operator_links to legwork_app;

-- What we have asked a browser or an OpenID provider to prove; each is answered once.
create table operator_challenges (
  id_hash     text collate "C" not null constraint operator_challenges_pkey primary key,
  purpose     text not null,
  operator_id text collate "C",
  challenge   text not null,
  verifier    text,
  expires_at  timestamptz not null,
  constraint operator_challenges_purpose_check check (purpose in ('register', 'sign_in', 'oidc'))
);
create index operator_challenges_expired on operator_challenges (expires_at);
grant select, insert, delete on operator_challenges to legwork_app;

-- Above which amount a decision needs a second operator: 0 always, null never.
create table two_person_limits (
  kind       text not null constraint two_person_limits_pkey primary key,
  over_cents bigint,
  changed_by text collate "C",
  changed_at timestamptz not null default now(),
  constraint two_person_limits_over check (over_cents >= 0)
);
insert into two_person_limits (kind, over_cents) values
  ('appeal.rule', 20000), ('dispute.decide', 20000), ('payout.release', 20000), ('payout.retry', 20000),
  ('payout.reverse', 20000), ('refund.request', 20000), ('debt.write_off', 20000), ('suspense.resolve', 20000),
  ('withdrawal.request', 20000), ('worker.close', 0), ('limit.change', 0);
grant select, insert, update (over_cents, changed_by, changed_at) on two_person_limits to legwork_app;

-- What operators decided. A decision is in the schema of its subject, so that the rows it changes can ask for it.
create table operator_decisions (
  id           text collate "C" not null constraint operator_decisions_pkey primary key,
  kind         text not null,
  subject      text collate "C" not null,
  -- The money that it moves; null if it moves none.
  amount_cents bigint,
  input        jsonb not null,
  reason       text not null,
  state        text not null,
  needs_second boolean not null default false,
  proposed_by  text collate "C" not null,
  proposed_at  timestamptz not null,
  -- When a decision that nobody has agreed to lapses.
  expires_at   timestamptz not null,
  second_by    text collate "C",
  second_at    timestamptz,
  -- The part of the amount that rows which it changed have used.
  spent_cents  bigint not null default 0,
  ended_at     timestamptz,
  -- What came of it: the data that the operator got, or why it failed.
  result       jsonb,
  request_key  text collate "C" not null constraint operator_decisions_request unique,
  constraint operator_decisions_state_check
    check (state in ('waiting', 'agreed', 'done', 'failed', 'declined', 'withdrawn', 'lapsed')),
  constraint operator_decisions_amount check (amount_cents >= 0),
  constraint operator_decisions_spent check (spent_cents between 0 and coalesce(amount_cents, 0)),
  constraint operator_decisions_second check ((second_by is null) = (second_at is null)),
  constraint operator_decisions_two_persons check
    (not needs_second or state not in ('agreed', 'done', 'failed') or (second_by is not null and second_by <> proposed_by)),
  constraint operator_decisions_ended check ((state in ('waiting', 'agreed')) = (ended_at is null))
);
create unique index operator_decisions_waiting on operator_decisions (kind, subject) where state = 'waiting';
create index operator_decisions_to_lapse on operator_decisions (expires_at) where state = 'waiting';
create index operator_decisions_of_subject on operator_decisions (subject, proposed_at);
create index operator_decisions_unfinished on operator_decisions (proposed_at) where state = 'agreed';
grant select, insert (id, kind, subject, amount_cents, input, reason, state, proposed_by, proposed_at, expires_at, request_key),
  update (state, second_by, second_at, ended_at, result) on operator_decisions to legwork_app;

-- The database computes who must agree, so that no code can leave it out: amounts of one operator, kind and subject
-- within a day count together.
create function decide_second_person() returns trigger language plpgsql as $$
declare
  v_over bigint;
  v_day bigint;
begin
  select over_cents into v_over from two_person_limits where kind = new.kind;
  select coalesce(sum(amount_cents), 0) into v_day from operator_decisions
   where subject = new.subject and kind = new.kind and proposed_by = new.proposed_by
     and state in ('agreed', 'done') and proposed_at > new.proposed_at - interval '1 day';
  new.needs_second := v_over is not null and (v_over = 0 or v_day + coalesce(new.amount_cents, 0) > v_over);
  if new.state <> (case when new.needs_second then 'waiting' else 'agreed' end) then
    raise exception 'a % of % cents must begin as %', new.kind, new.amount_cents,
      case when new.needs_second then 'waiting' else 'agreed' end
      using errcode = 'check_violation', constraint = 'operator_decisions_first_state';
  end if;
  return new;
end
$$;
create trigger operator_decisions_second before insert on operator_decisions
  for each row execute function decide_second_person();

-- A decision moves forward only, and nobody replaces the second person.
create function keep_decision() returns trigger language plpgsql as $$
begin
  if old.second_by is not null and new.second_by is distinct from old.second_by
     or old.state <> new.state and (old.state, new.state) not in (
       ('waiting', 'agreed'), ('waiting', 'declined'), ('waiting', 'withdrawn'), ('waiting', 'lapsed'),
       ('agreed', 'done'), ('agreed', 'failed')) then
    raise exception 'decision %: % can not become %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'operator_decisions_forward';
  end if;
  return new;
end
$$;
create trigger operator_decisions_forward before update on operator_decisions
  for each row execute function keep_decision();

-- A row that moves much money for an operator uses up a decision that two persons made.
create function spend_decision(p_kind text, p_subject text, p_cents bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_over bigint;
begin
  select over_cents into v_over from two_person_limits where kind = p_kind;
  if v_over is null or p_cents <= v_over then
    return;
  end if;
  update operator_decisions set spent_cents = spent_cents + p_cents
   where id = (select id from operator_decisions
                where kind = p_kind and subject = p_subject and state = 'agreed'
                  and second_by is not null and second_by <> proposed_by and spent_cents + p_cents <= amount_cents
                order by proposed_at limit 1 for update);
  if not found then
    raise exception '% of % over % cents needs two operators', p_kind, p_subject, v_over
      using errcode = 'check_violation', constraint = 'two_persons';
  end if;
end
$$;
revoke execute on function spend_decision(text, text, bigint) from public;
grant execute on function spend_decision(text, text, bigint) to legwork_app;

create function guard_appeal() returns trigger language plpgsql as $$
declare
  v_cents bigint;
begin
  select a.pay_cents into v_cents from assignments a join tasks t on t.id = a.task_id and t.mode = 'live'
   where a.id = new.assignment_id;
  if v_cents is not null then
    perform spend_decision('appeal.rule', new.id, v_cents);
  end if;
  return new;
end
$$;
create trigger appeals_two_persons before update of ruling on appeals for each row
  when (old.ruling is null and new.ruling in ('overturned', 'split') and new.ruled_by like 'operator %')
  execute function guard_appeal();

create function guard_dispute() returns trigger language plpgsql as $$
declare
  v_cents bigint;
begin
  select t.budget_cents into v_cents from tasks t where t.id = new.task_id and t.mode = 'live';
  if v_cents is not null then
    perform spend_decision('dispute.decide', new.id, v_cents);
  end if;
  return new;
end
$$;
create trigger disputes_two_persons before update of decided_by on disputes for each row
  when (old.decided_by is null and new.decided_by like 'operator %')
  execute function guard_dispute();

create function guard_payout() returns trigger language plpgsql as $$
begin
  perform spend_decision('payout.release', new.id, new.amount_cents);
  return new;
end
$$;
create trigger payouts_two_persons before update of hold_reason on payouts for each row
  when (old.mode = 'live' and old.hold_reason in ('self_dealing', 'review') and new.hold_reason is null)
  execute function guard_payout();

create function guard_refund() returns trigger language plpgsql as $$
begin
  perform spend_decision('refund.request', new.agent_id, new.amount_cents);
  return new;
end
$$;
create trigger refunds_two_persons before insert on refunds for each row execute function guard_refund();

create function guard_withdrawal() returns trigger language plpgsql as $$
begin
  perform spend_decision('withdrawal.request', 'own_funds', new.amount_cents);
  return new;
end
$$;
create trigger withdrawals_two_persons before insert on withdrawals for each row execute function guard_withdrawal();

-- Cases: who works on what, and what they noted.
create table case_assignments (
  subject     text collate "C" not null constraint case_assignments_pkey primary key,
  operator_id text collate "C" not null,
  since       timestamptz not null,
  -- Who handed it over, and with which words.
  handed_by   text collate "C",
  words       text
);
create index case_assignments_of_operator on case_assignments (operator_id);
grant select, insert, update (operator_id, since, handed_by, words), delete on case_assignments to legwork_app;

create table case_notes (
  id          text collate "C" not null constraint case_notes_pkey primary key,
  subject     text collate "C" not null,
  operator_id text collate "C" not null,
  text        text not null,
  created_at  timestamptz not null,
  constraint case_notes_text check (length(text) between 1 and 2000)
);
create index case_notes_of_subject on case_notes (subject, id);
create index case_notes_by_age on case_notes (created_at);
grant select, insert on case_notes to legwork_app;

-- The audit log: append-only, each row with the hash of the row before it.
create table audit_log (
  -- The trigger computes the number and the hashes.
  seq         bigint not null default 0 constraint audit_log_pkey primary key,
  at          timestamptz not null,
  operator_id text collate "C" not null,
  role        text not null,
  action      text not null,
  subject     text collate "C" not null,
  -- JSON with ids, amounts and codes; a text, because jsonb would reorder its keys.
  detail      text not null,
  -- The hash of what the operator wrote; the words are in audit_words, from where they can be erased.
  words_hash  text collate "C",
  previous    text collate "C" not null default '',
  hash        text collate "C" not null default '' constraint audit_log_hash unique,
  constraint audit_log_one_line check (concat(operator_id, role, action, subject, detail) !~ E'[\\n\\r]')
);
create index audit_log_of_subject on audit_log (subject, seq);
create index audit_log_of_operator on audit_log (operator_id, seq);
grant select, insert (at, operator_id, role, action, subject, detail, words_hash) on audit_log to legwork_app;

create table audit_words (
  words_hash text collate "C" not null constraint audit_words_pkey primary key,
  salt       text collate "C" not null,
  words      text,
  created_at timestamptz not null
);
create index audit_words_by_age on audit_words (created_at);
grant select, insert, update (words) on audit_words to legwork_app;

create function chain_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_seq bigint;
  v_hash text;
begin
  perform pg_advisory_xact_lock(5640302117430);
  select seq, hash into v_seq, v_hash from audit_log order by seq desc limit 1;
  new.seq := coalesce(v_seq, 0) + 1;
  new.previous := coalesce(v_hash, repeat('0', 64));
  new.hash := encode(sha256(convert_to(concat_ws(E'\n', new.seq,
    to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), new.operator_id, new.role, new.action, new.subject,
    new.detail, coalesce(new.words_hash, ''), new.previous), 'UTF8')), 'hex');
  return new;
end
$$;
revoke execute on function chain_audit() from public;
create trigger audit_log_chain before insert on audit_log for each row execute function chain_audit();

-- Not even the owner of the table changes a row by mistake; an owner who drops the trigger is found by the hashes.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

comment on table operators is 'rows: kept: whoever decided must be known as long as the audit log';
comment on column operators.id is 'not personal';
comment on column operators.email is 'personal: operator; keep: the audit log; row; export: no: about an operator';
comment on column operators.name is 'personal: operator; keep: the audit log; row; export: no: about an operator';
comment on column operators.role is 'not personal';
comment on column operators.status is 'not personal';
comment on column operators.oidc_subject is 'personal: operator; keep: how the operator signs in; row; export: no: about an operator';
comment on column operators.invited_by is 'not personal';
comment on column operators.disabled_by is 'not personal';

comment on table operator_passkeys is 'rows: until the operator or an administrator removes the passkey; by: operators/remove-passkey.ts';
comment on column operator_passkeys.credential_id is 'not personal';
comment on column operator_passkeys.operator_id is 'not personal';
comment on column operator_passkeys.name is 'personal: operator; keep: to recognize the device; row; export: no: about an operator';
comment on column operator_passkeys.public_key is 'not personal';
comment on column operator_passkeys.transports is 'not personal';
comment on column operator_passkeys.used_at is 'personal: operator; keep: to see an unused key; row; export: no: about an operator';

comment on table operator_sessions is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column operator_sessions.token_hash is 'not personal';
comment on column operator_sessions.operator_id is 'not personal';
comment on column operator_sessions.how is 'not personal';
comment on column operator_sessions.device is 'personal: operator; keep: to recognize the device; row; export: no: about an operator';
comment on column operator_sessions.seen_at is 'personal: operator; keep: ends idle sessions; row; export: no: about an operator';

comment on table operator_links is 'rows: 30 days after expires_at; by: runner.remove-expired';
comment on column operator_links.token_hash is 'not personal';
comment on column operator_links.operator_id is 'not personal';
comment on column operator_links.purpose is 'not personal';
comment on column operator_links.created_by is 'not personal';

comment on table operator_challenges is 'rows: 1 days after expires_at; by: runner.remove-expired';
comment on column operator_challenges.id_hash is 'not personal';
comment on column operator_challenges.purpose is 'not personal';
comment on column operator_challenges.operator_id is 'not personal';
comment on column operator_challenges.challenge is 'not personal';
comment on column operator_challenges.verifier is 'not personal';

comment on table two_person_limits is 'rows: kept: one row per kind of decision';
comment on column two_person_limits.kind is 'not personal';
comment on column two_person_limits.changed_by is 'not personal';

comment on table operator_decisions is 'rows: kept: decisions about money and people must be explained for years';
comment on column operator_decisions.id is 'not personal';
comment on column operator_decisions.kind is 'not personal';
comment on column operator_decisions.subject is 'not personal';
comment on column operator_decisions.input is 'personal: worker; keep: what was decided, and the words sent to the person; row; export: no: the person has the decision itself';
comment on column operator_decisions.reason is 'personal: worker; keep: why it was decided; row; export: no: the person has the decision itself';
comment on column operator_decisions.state is 'not personal';
comment on column operator_decisions.proposed_by is 'not personal';
comment on column operator_decisions.second_by is 'not personal';
comment on column operator_decisions.result is 'personal: worker; keep: what came of it; row; export: no: the person has the decision itself';
comment on column operator_decisions.request_key is 'not personal';

comment on table case_assignments is 'rows: until the case is released; by: desk/release-case.ts';
comment on column case_assignments.subject is 'not personal';
comment on column case_assignments.operator_id is 'not personal';
comment on column case_assignments.handed_by is 'not personal';
comment on column case_assignments.words is 'personal: worker; keep: ends with the case; row; export: no: about the work of operators';

comment on table case_notes is 'rows: 730 days after created_at; by: runner.remove-expired';
comment on column case_notes.id is 'not personal';
comment on column case_notes.subject is 'not personal';
comment on column case_notes.operator_id is 'not personal';
comment on column case_notes.text is 'personal: worker; keep: why a case went as it did; row; export: no: notes of operators';

comment on table audit_log is 'rows: kept: decisions about money and people must be explained for years';
comment on column audit_log.operator_id is 'not personal';
comment on column audit_log.role is 'not personal';
comment on column audit_log.action is 'not personal';
comment on column audit_log.subject is 'not personal';
comment on column audit_log.detail is 'not personal';
comment on column audit_log.words_hash is 'not personal';
comment on column audit_log.previous is 'not personal';
comment on column audit_log.hash is 'not personal';

comment on table audit_words is 'rows: 1825 days after created_at; by: runner.remove-expired';
comment on column audit_words.words_hash is 'not personal';
comment on column audit_words.salt is 'not personal';
comment on column audit_words.words is 'personal: worker; keep: why it was decided; row; export: no: the person has the decision itself';
