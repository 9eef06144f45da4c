/**
 * The sandbox's tables, which change only in transactions. All state is stored here, so that a killed sandbox continues
 * where it stopped.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const SCHEMA = `
  create table if not exists objects (
    seq integer primary key,
    id text not null unique,
    kind text not null,
    account text not null,
    created integer not null,
    json text not null,
    -- What the API never shows: the details of a payment that is still to come.
    hidden text
  ) strict;
  create index if not exists objects_by_kind on objects (kind, account, seq);

  create table if not exists balance_transactions (
    seq integer primary key,
    id text not null unique,
    account text not null,
    created integer not null,
    available_on integer not null,
    type text not null,
    source text,
    payout text,
    net integer not null,
    json text not null
  ) strict;
  create index if not exists balance_transactions_by_account on balance_transactions (account, seq);
  create index if not exists balance_transactions_by_type on balance_transactions (account, type, seq);
  create index if not exists balance_transactions_by_source on balance_transactions (source, seq);
  create index if not exists balance_transactions_by_payout on balance_transactions (payout, seq);
  create index if not exists balance_transactions_by_date on balance_transactions (account, available_on, net);
  create trigger if not exists balance_transactions_never_change
    before update of id, account, created, available_on, type, source, net, json on balance_transactions
    begin select raise(abort, 'a balance transaction never changes'); end;

  -- The sum of an account's balance transactions, kept by a trigger: nothing else moves a balance.
  create table if not exists balances (account text primary key, net integer not null) strict;
  create trigger if not exists balances_follow after insert on balance_transactions begin
    insert into balances (account, net) values (new.account, new.net)
      on conflict (account) do update set net = net + excluded.net;
  end;

  create table if not exists events (
    seq integer primary key,
    id text not null unique,
    shape text not null check (shape in ('snapshot', 'thin')),
    account text not null,
    type text not null,
    object_id text not null,
    created integer not null,
    json text not null
  ) strict;
  create index if not exists events_by_account on events (shape, account, seq);
  create index if not exists events_by_object on events (object_id, seq);

  create table if not exists endpoints (
    seq integer primary key,
    id text not null unique,
    kind text not null check (kind in ('account', 'connect', 'v2')),
    url text not null,
    secret text not null,
    enabled_events text not null,
    created integer not null,
    json text not null
  ) strict;

  create table if not exists deliveries (
    id integer primary key,
    event_id text not null,
    endpoint_id text not null,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    tries integer not null default 0,
    -- By the clock of the machine, in milliseconds: a retry waits in real time.
    due_at integer not null
  ) strict;
  create index if not exists deliveries_waiting on deliveries (due_at, id) where state = 'waiting';
  create index if not exists deliveries_by_event on deliveries (event_id, state);
  create index if not exists deliveries_missed on deliveries (event_id) where state <> 'delivered';

  create table if not exists attempts (
    seq integer primary key,
    delivery_id integer not null,
    at integer not null,
    outcome text not null check (outcome in ('delivered', 'refused', 'unreachable', 'dropped')),
    status integer,
    ms integer not null,
    answer text not null
  ) strict;
  create index if not exists attempts_by_delivery on attempts (delivery_id, seq);

  create table if not exists idempotency_keys (
    key text primary key,
    request_hash text not null,
    request_id text not null,
    status integer not null,
    body text not null,
    headers text not null,
    created integer not null
  ) strict;
  create index if not exists idempotency_keys_by_age on idempotency_keys (created);

  create table if not exists links (
    token text primary key,
    kind text not null,
    account text not null,
    json text not null,
    expires_at integer not null,
    used_at integer
  ) strict;

  create table if not exists faults (
    id integer primary key,
    json text not null,
    -- How often it will strike still (null: without end), has struck, and was asked, which is where its chance stands.
    remaining integer,
    struck integer not null default 0,
    asked integer not null default 0
  ) strict;
  create table if not exists settings (name text primary key, value text not null) strict;
`

/** The object fields that lists filter by, and the times at which the clock has work to do. */
const FILTERED: Record<string, string[]> = {
  'checkout.session': ['payment_intent'],
  charge: ['payment_intent', 'transfer_group'],
  refund: ['charge', 'payment_intent'],
  dispute: ['charge', 'payment_intent'],
  transfer: ['destination', 'transfer_group', 'source_transaction'],
  transfer_reversal: ['transfer'],
}
const DUE = `
  create index if not exists sessions_open on objects (json_extract(json, '$.expires_at'))
    where kind = 'checkout.session' and json_extract(json, '$.status') = 'open';
  create index if not exists charges_unbooked on objects (created)
    where kind = 'charge' and json_extract(json, '$.status') = 'succeeded'
      and json_extract(json, '$.balance_transaction') is null;
  create index if not exists refunds_unfunded on objects (seq)
    where kind = 'refund' and json_extract(json, '$.pending_reason') = 'insufficient_funds';
`

export interface Store {
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number }
  /** Commits everything that `work` writes, or nothing. */
  transaction<T>(work: () => T): T
  /** A savepoint within a transaction: rolls back what `work` wrote if it throws. */
  attempt<T>(work: () => T): T
  close(): void
}

/** The name of the index for a filter; `indexed by` names it, so that the query plan doesn't depend on statistics. */
export const indexOf = (kind: string, field: string) => `${kind.replace('.', '_')}_by_${field}`

export const isIndexed = (kind: string, field: string) => FILTERED[kind]?.includes(field) ?? false

const MEMORY = ':memory:'

export function openStore(file = MEMORY): Store {
  if (file !== MEMORY) mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  // Without fsync, a killed process loses nothing; only a power failure does.
  database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -65536')
  database.exec(SCHEMA + DUE)
  for (const [kind, fields] of Object.entries(FILTERED))
    for (const field of fields)
      database.exec(
        `create index if not exists ${indexOf(kind, field)}
           on objects (json_extract(json, '$.${field}'), seq) where kind = '${kind}'`,
      )

  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const within = <T>(begin: string, end: string, undo: string, work: () => T): T => {
    prepared(begin).run()
    try {
      const result = work()
      prepared(end).run()
      return result
    } catch (error) {
      for (const statement of undo.split(';')) prepared(statement).run()
      throw error
    }
  }

  return {
    all: <Row>(sql: string, ...values: SQLInputValue[]) => prepared(sql).all(...values) as Row[],
    one: <Row>(sql: string, ...values: SQLInputValue[]) =>
      prepared(sql).get(...values) as Row | undefined,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepared(sql).run(...values)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
    transaction: (work) => within('begin immediate', 'commit', 'rollback', work),
    attempt: (work) =>
      within('savepoint attempt', 'release attempt', 'rollback to attempt;release attempt', work),
    close: () => database.close(),
  }
}
