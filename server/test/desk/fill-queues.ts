/** Fills the queues of the desk by SQL: rows that the queues select, with the least that their tables ask for. */
import type { Marketplace } from '../harness.ts'

/** Spread over ten days, so that no two deadlines of a queue are the same. */
const AT = `(now() - interval '10 days' * random())`
const LATER = `(now() + interval '10 days' * random() - interval '5 days')`
const id = (prefix: string, n = 'n') => `'${prefix}_' || lpad((${n})::text, 26, '0')`

interface Rows {
  table: string
  /** The values of columns in terms of `n`; other columns that must have a value get any. */
  values: Record<string, string>
  isGlobal?: boolean
}

const payouts = (from: number, values: Record<string, string>): Rows => ({
  table: 'payouts',
  values: {
    id: id('po', `n + ${from}`),
    task_id: id('task', `n + ${from}`),
    worker_id: id('worker'),
    mode: `'live'`,
    amount_cents: '1000 + n % 500',
    created_at: AT,
    updated_at: AT,
    ...values,
  },
})
const decisions = (from: number, values: Record<string, string>): Rows => ({
  table: 'worker_decisions',
  values: {
    id: id('wdn', `n + ${from}`),
    worker_id: id('worker'),
    kind: `'suspended'`,
    decided_at: `now() - interval '11 days'`,
    ends_at: LATER,
    due_at: 'now()',
    ...values,
  },
})

export const ROWS: Rows[] = [
  {
    table: 'tasks',
    values: {
      id: id('task'),
      agent_id: id('agent'),
      mode: `'live'`,
      status: `'pending'`,
      status_reason: `'screening'`,
      description: `'Look at the door'`,
      budget_cents: '1000',
      locked_cents: '1000',
      escrow_cents: '1000',
      consensus_count: '1',
      min_worker_level: '1',
      deadline: LATER,
    },
  },
  {
    table: 'disputes',
    values: {
      id: id('dsp'),
      task_id: id('task'),
      status: `'held'`,
      decides_by: LATER,
      created_at: AT,
    },
  },
  {
    table: 'appeals',
    values: {
      id: id('apl'),
      task_id: id('task'),
      agent_answer: `'No'`,
      answered_at: AT,
      agent_until: `now() + interval '1 day'`,
    },
  },
  {
    table: 'screenings',
    values: {
      task_id: id('task'),
      rules: `'{wording}'`,
      policy: `'2026-11-19'`,
      created_at: AT,
      decides_by: LATER,
    },
  },
  {
    table: 'task_reports',
    values: { task_id: id('task'), worker_id: id('worker'), kind: `'scam'`, created_at: AT },
  },
  {
    table: 'workers',
    values: {
      id: id('worker'),
      mode: `'live'`,
      name: `'Worker ' || n`,
      email: `n || '@example.com'`,
      status: `'closed'`,
      closed_at: AT,
      password_hash: `'none'`,
    },
  },
  {
    table: 'ledger_workers',
    values: { worker_id: id('worker'), mode: `'live'`, payable_cents: '100' },
  },
  decisions(0, {}),
  decisions(10_000_000, {
    worker_id: id('worker', 'n + 10000000'),
    objection: `'No'`,
    objected_at: AT,
    reply_due_at: LATER,
  }),
  {
    table: 'check_ins',
    values: { worker_id: id('worker'), asked_at: AT, missed_at: AT, check_at: LATER },
  },
  {
    table: 'questions',
    values: {
      id: id('qst'),
      worker_id: id('worker'),
      subject: `'task'`,
      waits_since: AT,
      due_at: LATER,
    },
  },
  {
    table: 'agents',
    values: {
      id: id('agent'),
      mode: `'live'`,
      twin_id: `'twin ' || n`,
      name: `'Agent ' || n`,
      email: `n || '@example.com'`,
      status: `'restricted'`,
      restricted_at: AT,
      restricted_for: `'operator'`,
      review_at: LATER,
    },
  },
  {
    table: 'ledger_agents',
    values: { agent_id: id('agent'), mode: `'live'`, receivable_cents: '100', owes_since: AT },
  },
  payouts(0, { status: `'held'`, hold_reason: `'review'` }),
  payouts(10_000_000, { status: `'failed'` }),
  payouts(20_000_000, {
    status: `'reversed'`,
    paid_at: 'now()',
    transfer_id: `'tr_' || n`,
    reversed_cents: '1000 + n % 500',
  }),
  {
    table: 'payout_accounts',
    values: { worker_id: id('worker'), status: `'closed'`, updated_at: AT },
  },
  {
    table: 'refunds',
    values: { id: id('rfd'), agent_id: id('agent'), status: `'requested'`, created_at: AT },
  },
  {
    table: 'chargebacks',
    values: { id: id('dp'), agent_id: id('agent'), status: `'needs_response'`, due_by: LATER },
  },
  {
    table: 'deposits',
    values: {
      id: id('txn'),
      agent_id: id('agent'),
      mode: `'live'`,
      status: `'mismatched'`,
      updated_at: AT,
    },
  },
  {
    table: 'do_not_contact',
    isGlobal: true,
    values: {
      id: id('dnc'),
      kind: `'phone'`,
      target: `'target ' || n`,
      state: `'requested'`,
      value: `'+49301234'`,
      created_at: AT,
      due_at: LATER,
    },
  },
  { table: 'money_breaks', isGlobal: true, values: { kind: `'suspense'`, opened_at: AT } },
  {
    table: 'operator_decisions',
    values: {
      id: id('opd'),
      kind: `'payout.release'`,
      subject: id('po'),
      state: `'waiting'`,
      amount_cents: '30000',
      input: `'{}'`,
      needs_second: 'true',
      proposed_at: AT,
      expires_at: LATER,
      request_key: `'key ' || n`,
    },
  },
  { table: 'webhook_lanes', values: { id: `'lane ' || n`, failing_since: AT, failures: '3' } },
  {
    table: 'processor_attempts',
    values: { subject_id: id('po'), key: `'key ' || n`, begun_at: AT },
  },
  {
    table: 'processor_events',
    isGlobal: true,
    values: { event_id: `'evt_' || n`, status: `'dead'`, source: `'connect'`, received_at: AT },
  },
  { table: 'outbox', values: { id: id('evt'), type: `'task.completed'`, created_at: AT } },
]

/** The big tables. */
export const FILLED = [...new Set(ROWS.map(({ table }) => table))]

/** Inserts this many rows for each queue, spread over the schemas. Neither triggers nor timers see them. */
export async function fillQueues(market: Marketplace, count: number, some = ROWS): Promise<void> {
  const { all, global } = market.server.db.shards
  const shards = [...new Set(all.map((db) => db.schema.name))]
  for (const { table, values, isGlobal } of some)
    for (const [at, schema] of (isGlobal ? [global.schema.name] : shards).entries()) {
      const parts = isGlobal ? 1 : shards.length
      const columns = { ...(await columnsOf(market, schema, table)), ...values }
      await market.asOwner(
        `set session_replication_role = replica;
         insert into ${schema}.${table} (${Object.keys(columns).join(', ')})
           select ${Object.values(columns).join(', ')} from generate_series(${at + 1}, ${count}, ${parts}) n;
         set session_replication_role = origin`,
      )
    }
  for (const schema of new Set([...shards, global.schema.name]))
    for (const table of FILLED)
      await market.asOwner(
        `do $$ begin if to_regclass('${schema}.${table}') is not null then analyze ${schema}.${table}; end if; end $$`,
      )
}

/** A value for each column that must have one. */
async function columnsOf(
  market: Marketplace,
  schema: string,
  table: string,
): Promise<Record<string, string>> {
  const rows = await market.asOwner(
    `select a.attname as name, t.typname as type, t.typtype as sort,
            (select quote_literal(e.enumlabel) from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder limit 1) as label
       from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ($1 || '.' || $2)::regclass and a.attnum > 0 and a.attnotnull and not a.atthasdef
        and a.attidentity = '' and not a.attisdropped`,
    [schema, table],
  )
  return Object.fromEntries(
    rows.map(({ name, type, sort, label }) => [
      name as string,
      sort === 'e' ? (label as string) : (ANY[type as string] ?? `'{}'`),
    ]),
  )
}

const ANY: Record<string, string> = {
  text: `'x' || n`,
  int2: '1',
  int4: '1',
  int8: '1',
  float8: '1',
  bool: 'false',
  timestamptz: 'now()',
  bytea: `'\\x00'`,
}
