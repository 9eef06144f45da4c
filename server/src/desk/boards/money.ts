/** The board of money: is every cent where it should be, and what moved in the last day. Live mode only. */
import { sql } from 'kysely'
import { type Account, ACCOUNTS } from '../../ledger/accounts.ts'
import { type AccountSum, readAccounts } from '../../ledger/account-sums.ts'
import { type Holdings, readHoldings } from '../../ledger/holdings.ts'
import type { Reader } from '../../kit/db.ts'
import { addUp, readShards } from '../../kit/everywhere.ts'
import { firstIdAt } from '../../kit/ids.ts'
import type { Background } from '../../kit/job.ts'
import { lastReconciliation, type Reconciliation } from '../../reconcile/reconcile.ts'
import { type Board, type Given, type Rows, sinceOf, type State } from './board.ts'

/** Reconciliation runs every five minutes, so this is three missed runs. */
const STALE_S = 20 * 60
const HOUR_S = 3600
/** A deposit is paid within this time after it was begun: bank debits take days. */
const DEPOSIT_DAYS = 30

interface MoneyData {
  at: Date
  last: Reconciliation | null
  holdings: Holdings
  accounts: AccountSum[] | null
  changes: Partial<Record<Account, number>>
  breaks: number
  payouts: { status: string; reason: string | null; count: number; cents: number }[]
  oldestPayout: Date | null
  deposits: { count: number; cents: number }
}

async function read(background: Background, { now, since }: Given): Promise<MoneyData> {
  const { shards } = background.db
  const global = shards.global.reader
  const books = { shards: shards.readers, global }
  const parts = await readShards(shards.readers, (shard) => movedInShard(shard, { now, since }))
  const { breaks } = await global
    .selectFrom('money_breaks')
    .select(({ fn }) => fn.countAll<number>().as('breaks'))
    .where('closed_at', 'is', null)
    .where('explanation', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    at: now,
    last: (await lastReconciliation(background)) ?? null,
    holdings: await readHoldings(books),
    accounts: await readAccounts(shards.readers),
    breaks,
    changes: addUp(
      Object.keys(ACCOUNTS) as Account[],
      parts.map(({ changes }) => changes),
    ),
    payouts: addPayouts(parts.flatMap(({ payouts }) => payouts)),
    oldestPayout: parts
      .map(({ oldest }) => oldest)
      .reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null),
    deposits: addUp(
      ['count', 'cents'],
      parts.map(({ deposits }) => deposits),
    ),
  }
}

async function movedInShard(shard: Reader, given: Pick<Given, 'now' | 'since'>) {
  const changes = await sql<{ account: Account; cents: number }>`
    select account, sum(cents)::bigint as cents
      from (select debit as account, sum(amount_cents) as cents from transfers
             where mode = 'live' and created_at >= ${given.since} group by 1
             union all
            select credit, -sum(amount_cents) from transfers
             where mode = 'live' and created_at >= ${given.since} group by 1) l
     group by account`.execute(shard)
  const payouts = await sql<MoneyData['payouts'][number]>`
    select status, coalesce(hold_reason, failure_code) as reason, count(*)::integer as count,
           sum(amount_cents)::bigint as cents
      from payouts where ${payoutsSince(given.since)} group by 1, 2`.execute(shard)
  const deposits = await sql<MoneyData['deposits']>`
    select count(*)::integer as count, coalesce(sum(amount_cents), 0)::bigint as cents
      from deposits where ${depositsSince(given)}`.execute(shard)
  const oldest = await sql<{ at: Date | null }>`
    select min(created_at) as at from payouts
     where mode = 'live' and status in ('requested', 'submitting')`.execute(shard)
  const known = Object.fromEntries(changes.rows.map(({ account, cents }) => [account, cents]))
  return {
    changes: Object.fromEntries(
      Object.keys(ACCOUNTS).map((account) => [account, known[account] ?? 0]),
    ) as Record<Account, number>,
    payouts: payouts.rows,
    deposits: deposits.rows[0]!,
    oldest: oldest.rows[0]!.at,
  }
}

const payoutsSince = (since: Date) => sql`mode = 'live' and id >= ${firstIdAt('po', since)}`

const depositsSince = ({ now, since }: Pick<Given, 'now' | 'since'>) => sql`
  mode = 'live' and succeeded_at >= ${since}
  and id >= ${firstIdAt('txn', new Date(now.getTime() - DEPOSIT_DAYS * 86_400_000))}`

function addPayouts(parts: MoneyData['payouts']): MoneyData['payouts'] {
  const groups = Map.groupBy(parts, ({ status, reason }) => `${status} ${reason}`)
  return [...groups.values()]
    .map((group) => ({ ...group[0]!, ...addUp(['count', 'cents'], group) }))
    .sort((a, b) => b.cents - a.cents)
}

const centsOf = (data: MoneyData, account: Account) =>
  data.accounts?.find((sum) => sum.account === account)

/** The escrow by the ledger's lines; null while the sums are not counted. */
const escrowLines = (data: MoneyData) => {
  const escrow = centsOf(data, 'liab:escrow')
  return escrow === undefined ? null : -escrow.lines_cents
}

/** Owners' balances where an account has owners, lines elsewhere. */
const sumOfAll = ({ accounts }: MoneyData) =>
  accounts === null
    ? null
    : accounts.reduce((sum, { lines_cents, rows_cents }) => sum + (rows_cents ?? lines_cents), 0)

const mustBeZero = (value: number): State => (value === 0 ? 'ok' : 'bad')
const secondsSince = (at: Date | null, now: Date) =>
  at === null ? null : Math.max(0, (now.getTime() - at.getTime()) / 1000)

const text = (name: string) => ({ name, as: 'text' as const })
const id = (name: string) => ({ name, as: 'id' as const })
const cents = (name: string) => ({ name, as: 'cents' as const })

const reconciliations: Rows = {
  in: 'global',
  makes: { by: 'count' },
  columns: [
    cents('At the processor'),
    cents('In our books'),
    cents('Own funds'),
    cents('Unexplained'),
  ],
  select: ({ now }) => sql`
    select at, extract(epoch from at)::bigint::text as id,
           json_build_array(processor_cents, ledger_cents, own_funds_cents,
             unexplained_new_cents + unexplained_hour_cents + unexplained_day_cents) as cells
      from reconciliations where at >= ${sinceOf(now, 'day')}`,
}

const openTasks: Rows = {
  in: 'shards',
  makes: { by: 'sum', column: 3 },
  columns: [id('Task'), text('Type'), text('Status'), cents('In escrow')],
  select: () => {
    const of = sql`select deadline as at, id, json_build_array(id, type, status, escrow_cents) as cells from tasks`
    return sql`
      ${of} where mode = 'live' and status in ('pending', 'in_progress')
      union all ${of} where mode = 'live' and status = 'proof_submitted'`
  },
}

const payoutRows = (condition = sql``, makes: Rows['makes'] = { by: 'sum', column: 4 }): Rows => ({
  in: 'shards',
  makes,
  columns: [id('Payout'), id('Worker'), text('Status'), text('Reason'), cents('Amount')],
  select: ({ since }) => sql`
    select created_at as at, id,
           json_build_array(id, worker_id, status, coalesce(hold_reason, failure_code), amount_cents) as cells
      from payouts where ${payoutsSince(since)} ${condition}`,
})

const AT_PROCESSOR = 'the payment processor'

// oxlint-disable-next-line eslint/max-lines-per-function -- a flat table, one entry per figure
const figures = (): Board<MoneyData>['figures'] => [
  {
    name: 'processor_cents',
    title: 'At the processor',
    as: 'cents',
    definition:
      `What ${AT_PROCESSOR} held for us when our books were last compared with it: available, pending ` +
      'and reserved money.',
    value: ({ last }) => last?.processor_cents ?? null,
    rows: reconciliations,
  },
  {
    name: 'books_cents',
    title: 'In our books',
    as: 'cents',
    definition: `What our ledger says ${AT_PROCESSOR} holds for us now.`,
    value: ({ holdings }) => holdings.ledger_cents,
    rows: reconciliations,
  },
  {
    name: 'own_funds_cents',
    title: 'Own funds',
    as: 'cents',
    definition:
      'The money in our books that belongs to us: all of it less wallets, escrow, workers’ pay, ' +
      'payouts and refunds on their way, and money in suspense; below zero we would be spending ' +
      'others’ money.',
    value: ({ holdings }) => holdings.own_funds_cents,
    state: (value) => (value < 0 ? 'bad' : 'ok'),
    rows: reconciliations,
  },
  {
    name: 'reconciled_seconds',
    title: 'Since the last comparison',
    as: 'seconds',
    definition: `How long ago our books were last compared with ${AT_PROCESSOR}; that happens every five minutes.`,
    value: ({ last, at }) => secondsSince(last?.at ?? null, at),
    state: (value) => (value > STALE_S ? 'bad' : 'ok'),
    rows: reconciliations,
  },
  {
    name: 'unexplained_new_cents',
    title: 'Unexplained, less than an hour',
    as: 'cents',
    definition:
      'Differences between our books and the processor’s that began less than an hour before the last ' +
      'comparison, added up without their signs; most are movements that one side knows first.',
    value: ({ last }) => last?.unexplained_new_cents ?? null,
    link: '/queues/breaks',
  },
  {
    name: 'unexplained_hour_cents',
    title: 'Unexplained, an hour to a day',
    as: 'cents',
    definition: 'The same, for differences that began an hour to a day before the last comparison.',
    value: ({ last }) => last?.unexplained_hour_cents ?? null,
    state: (value) => (value > 0 ? 'warn' : 'ok'),
    link: '/queues/breaks',
  },
  {
    name: 'unexplained_day_cents',
    title: 'Unexplained, more than a day',
    as: 'cents',
    definition: 'The same, for differences that began more than a day before the last comparison.',
    value: ({ last }) => last?.unexplained_day_cents ?? null,
    state: mustBeZero,
    link: '/queues/breaks',
  },
  {
    name: 'breaks',
    title: 'Breaks to explain',
    as: 'count',
    definition:
      'Open differences between our books and the processor’s that last, and that nobody has explained.',
    value: ({ breaks }) => breaks,
    state: (value) => (value > 0 ? 'warn' : 'ok'),
    rows: {
      in: 'global',
      makes: { by: 'count' },
      columns: [text('Kind'), text('Subject'), text('What differs'), cents('Amount')],
      select: () => sql`
        select opened_at as at, id::text as id, json_build_array(kind, subject, detail, amount_cents) as cells
          from money_breaks where closed_at is null and explanation is null`,
    },
  },
  {
    name: 'escrow_cents',
    title: 'In escrow',
    as: 'cents',
    definition: 'The balance of the account escrow: the sum of its lines in the ledger.',
    value: escrowLines,
    rows: openTasks,
  },
  {
    name: 'open_tasks_cents',
    title: 'Held by open tasks',
    as: 'cents',
    definition: 'The sum of the amounts that open tasks hold in escrow, by the tasks themselves.',
    value: ({ holdings }) => holdings.escrow_cents,
    rows: openTasks,
  },
  {
    name: 'escrow_difference_cents',
    title: 'Escrow less open tasks',
    as: 'cents',
    definition: 'The difference between the two: always 0.',
    value: (data) => {
      const escrow = centsOf(data, 'liab:escrow')
      return escrow === undefined ? null : (escrow.rows_cents ?? 0) - escrow.lines_cents
    },
    state: mustBeZero,
    rows: openTasks,
  },
  {
    name: 'accounts_sum_cents',
    title: 'Sum of all accounts',
    as: 'cents',
    definition:
      'All accounts of the ledger added up, debits less credits: by the balances of their owners ' +
      'where an account has owners, by its lines otherwise; always 0.',
    value: sumOfAll,
    state: mustBeZero,
  },
  {
    name: 'payouts_day_cents',
    title: 'Payouts opened today',
    as: 'cents',
    definition:
      'The amounts of payouts that began in the last 24 hours, whatever their state is now.',
    value: ({ payouts }) => addUp(['cents'], payouts).cents,
    rows: payoutRows(),
  },
  {
    name: 'payouts_paid_cents',
    title: 'Of these, paid',
    as: 'cents',
    definition: 'Those of them that the processor has transferred to the worker’s account.',
    value: ({ payouts }) =>
      addUp(
        ['cents'],
        payouts.filter(({ status }) => status === 'paid'),
      ).cents,
    rows: payoutRows(sql`and status = 'paid'`),
  },
  {
    name: 'payouts_failed',
    title: 'Of these, failed',
    as: 'count',
    definition: 'How many of them failed or were reversed.',
    value: ({ payouts }) => addUp(['count'], payouts.filter(isFailed)).count,
    state: (value) => (value > 0 ? 'warn' : 'ok'),
    rows: payoutRows(sql`and status in ('failed', 'reversed', 'partially_reversed')`, {
      by: 'count',
    }),
  },
  {
    name: 'payout_oldest_seconds',
    title: 'Oldest payout being sent',
    as: 'seconds',
    definition: 'How long ago the oldest payout began that is being sent; we promise an hour.',
    value: ({ oldestPayout, at }) => secondsSince(oldestPayout, at) ?? 0,
    state: (value) => (value > HOUR_S ? 'bad' : 'ok'),
    rows: {
      in: 'shards',
      makes: { by: 'count' },
      columns: [id('Payout'), id('Worker'), text('Status'), cents('Amount')],
      select: () => sql`
        select created_at as at, id, json_build_array(id, worker_id, status, amount_cents) as cells
          from payouts where mode = 'live' and status in ('requested', 'submitting')`,
    },
  },
  {
    name: 'deposits_day_cents',
    title: 'Deposits today',
    as: 'cents',
    definition: 'The amounts of deposits that were paid in the last 24 hours.',
    value: ({ deposits }) => deposits.cents,
    rows: {
      in: 'shards',
      makes: { by: 'sum', column: 3 },
      columns: [id('Deposit'), id('Agent'), text('Status'), cents('Amount')],
      select: (given) => sql`
        select succeeded_at as at, id, json_build_array(id, agent_id, status, amount_cents) as cells
          from deposits where ${depositsSince(given)}`,
    },
  },
  {
    name: 'commission_day_cents',
    title: 'Commission today',
    as: 'cents',
    definition:
      'The lines of the account commission of the last 24 hours, those that took commission back included.',
    value: ({ changes }) => -(changes['rev:commission'] ?? 0),
    rows: {
      in: 'shards',
      makes: { by: 'sum', column: 2 },
      columns: [id('Task'), text('Movement'), cents('Amount')],
      select: ({ since }) => sql`
        select created_at as at, id,
               json_build_array(task_id, kind,
                 case credit when 'rev:commission' then amount_cents else -amount_cents end) as cells
          from transfers
         where mode = 'live' and created_at >= ${since} and (credit = 'rev:commission' or debit = 'rev:commission')`,
    },
  },
]

const isFailed = ({ status }: { status: string }) =>
  ['failed', 'reversed', 'partially_reversed'].includes(status)

export const money: Board<MoneyData> = {
  title: 'Money',
  hasWindows: false,
  read,
  figures: figures(),
  tables: [
    {
      title: 'Payouts of the last 24 hours',
      definition:
        'Payouts that began in the last 24 hours, by their state now and the reason for it.',
      columns: [text('State'), text('Reason'), { name: 'Payouts', as: 'count' }, cents('Amount')],
      rows: ({ payouts }) =>
        payouts.map(({ status, reason, count, cents: amount }) => [status, reason, count, amount]),
    },
    {
      title: 'Accounts',
      definition:
        'The balance of every account of the ledger by its lines and by the rows of its owners, and how ' +
        'the lines of the last 24 hours changed it; a debit is positive.',
      columns: [text('Account'), cents('By lines'), cents('By owners'), cents('Last 24 hours')],
      rows: ({ accounts, changes }) =>
        (accounts ?? []).map(({ account, lines_cents, rows_cents }) => [
          account,
          lines_cents,
          rows_cents,
          changes[account] ?? 0,
        ]),
    },
  ],
}
