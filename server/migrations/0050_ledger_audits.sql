-- Adds the audit's state: its runs and position, what it has proven, and the breaks it found (docs/ledger.md).
-- lock: none
-- backfill: none; the first round proves the whole ledger

create table ledger_audits (
  id           bigint generated always as identity primary key,
  kind         text not null check (kind in ('increment', 'round')),
  started_at   timestamptz not null,
  -- An increment has proven the lines of all transactions before this one; a round's checksums cover them.
  sealed_xid   bigint not null,
  -- Position of a round: its pass, the last subject, and for a statement the running sums up to there.
  pass         text,
  position     text collate "C",
  carry        json,
  rows_done    bigint not null default 0,
  rows_total   bigint not null default 0,
  busy_ms      bigint not null default 0,
  breaks       bigint not null default 0,
  ended_at     timestamptz,
  check (kind <> 'round' or pass is not null)
);
create unique index ledger_audits_open on ledger_audits (kind) where ended_at is null;
grant select, insert, delete, update (sealed_xid, pass, position, carry, rows_done, busy_ms, breaks, ended_at) on ledger_audits
  to legwork_app;

create table ledger_breaks (
  invariant text not null,
  subject   text collate "C" not null,
  found_at  timestamptz not null,
  seen_at   timestamptz not null,
  ended_at  timestamptz,
  primary key (invariant, subject, found_at)
);
create unique index ledger_breaks_open on ledger_breaks (invariant, subject) where ended_at is null;
grant select, insert, update (seen_at, ended_at) on ledger_breaks to legwork_app;

-- Up to which line of its statement an owner's balance is proven, and the sums of its lines up to there.
create table ledger_proofs (
  owner_id        text collate "C" primary key,
  mode            agent_mode not null,
  statement_no    bigint not null,
  balance_cents   bigint not null,
  own_cents       bigint not null,
  owed_cents      bigint not null,
  free_tasks_used bigint not null default 0,
  proven_at       timestamptz not null
);
grant select, insert, update, delete on ledger_proofs to legwork_app;

-- An agent's lines summed up to its proof's statement_no, so that a statement's summary reads only newer lines.
create table ledger_totals (
  agent_id text collate "C" not null,
  kind     text not null,
  credit   text collate "C" not null,
  cents    bigint not null,
  lines    bigint not null,
  primary key (agent_id, kind, credit)
);
grant select, insert, update, delete on ledger_totals to legwork_app;

-- Live lines by day, as a round found them: `_before` counts only the lines that the round before had sealed.
create table ledger_checksums (
  audit_id        bigint not null,
  day             date not null,
  lines           bigint not null,
  checksum        numeric not null,
  lines_before    bigint not null,
  checksum_before numeric not null,
  primary key (audit_id, day)
);
grant select, insert, update (lines, checksum, lines_before, checksum_before), delete on ledger_checksums
  to legwork_app;

-- Sums over all history, up to the transactions before sealed_xid: a reader adds what came after.
create table ledger_sums (
  name       text primary key check (name in ('processor', 'mirror')),
  sealed_xid bigint not null,
  cents      bigint not null
);
grant select, insert, update (sealed_xid, cents) on ledger_sums to legwork_app;
