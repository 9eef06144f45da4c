-- Adds what the operators' boards read: requests by minute, sums of every account of the ledger, and an index of the
-- ledger's lines by time.
-- lock: transfers, share, while it is read once; on a large table, build the index concurrently before
-- backfill: ledger_account_sums, by the next audit of the ledger

create table request_minutes (
  minute     timestamptz not null,
  process_id text collate "C" not null,
  -- A group of routes of server/src/kit/route-groups.ts.
  route_group text not null,
  requests   integer not null,
  -- Responses with a status of 400 to 499.
  refused    integer not null,
  -- Responses with a status of 500 or more.
  failed     integer not null,
  -- Responses other than failed ones that took longer than the objective of the group.
  slow       integer not null,
  constraint request_minutes_pkey primary key (minute, process_id, route_group),
  constraint request_minutes_parts check (refused >= 0 and failed >= 0 and slow >= 0 and refused + failed <= requests)
);
grant select, insert on request_minutes to legwork_app;
comment on table request_minutes is 'rows: 2 days after minute; by: runner.remove-expired';
comment on column request_minutes.process_id is 'not personal';
comment on column request_minutes.route_group is 'not personal';

-- Debits minus credits of live mode, of all lines posted before the transaction `sealed_xid`. All rows of a schema have
-- the same position.
create table ledger_account_sums (
  account    text collate "C" not null constraint ledger_account_sums_pkey primary key,
  sealed_xid bigint not null,
  cents      bigint not null
);
grant select, insert, update (sealed_xid, cents) on ledger_account_sums to legwork_app;
comment on table ledger_account_sums is 'rows: kept: sums of the books, one row per account';
comment on column ledger_account_sums.account is 'not personal';

-- Lines are appended in the order of their time, so this index is tiny and costs a posting nothing.
-- squawk-ignore require-concurrent-index-creation
create index if not exists transfers_created on transfers using brin (created_at) with (autosummarize = on);
