/**
 * Compares what the processor has done with what our tables say about it, by independent queries: neither our
 * reconciliation nor our settlement code is used.
 */
import type pg from 'pg'
import type { Json, Marketplace } from '../harness.ts'

/** Rows of a query, as the owner of the tables. */
export type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>

export interface Books {
  balanceCents: number
  movements: Json[]
  intents: Json[]
  refunds: Json[]
  transfers: Json[]
}

/** The complete state of the sandbox. */
export async function readSandbox({ sandbox }: Pick<Marketplace, 'sandbox'>): Promise<Books> {
  const { balance, objects, balance_transactions } = await sandbox.state()
  return {
    balanceCents: balance.available + balance.pending,
    movements: (balance_transactions as Json[]).filter(({ account }) => !isConnected(account)),
    intents: objects.payment_intent,
    refunds: objects.refund,
    transfers: objects.transfer,
  }
}

const isConnected = (account: string) => account.startsWith('acct_')

/** Every difference between the two, as text; none if not a cent is lost and nothing was done twice. */
export async function differences(
  market: Marketplace,
  query: Query = (text, values) => market.asOwner(text, values),
): Promise<string[]> {
  const books = await readSandbox(market)
  return [
    ...(await sums(books, query)),
    ...(await deposits(books, query)),
    ...(await payouts(books, query)),
    ...(await refunds(books, query)),
    ...(await market.audit()).map(({ invariant, subject }) => `ledger: ${invariant}: ${subject}`),
  ]
}

/** Σ at the processor = Σ mirrored = ledger, in total and movement by movement. */
async function sums({ balanceCents, movements }: Books, query: Query): Promise<string[]> {
  const [ours] = await query(`
    select (select coalesce(sum(net_cents), 0)::bigint from balance_transactions) as mirrored,
           coalesce(sum(case when debit = 'asset:processor_balance' then amount_cents
                             when credit = 'asset:processor_balance' then -amount_cents end), 0)::bigint as ledger
      from transfers where mode = 'live'`)
  const listed = sum(movements.map(({ net }) => net as number))
  const mirrored = await query('select id, net_cents, matched_at from balance_transactions')
  const unmatched = await query(`
    select key, kind, sum(amount_cents)::bigint as cents from transfers f
     where mode = 'live' and 'asset:processor_balance' in (debit, credit)
       and not exists (select 1 from processor_matches m where m.key = f.key) group by key, kind`)
  const byId = new Map(mirrored.map((row) => [row.id as string, row]))
  return [
    ...unequal('the processor’s balance and its own list', balanceCents, listed),
    ...unequal('the processor’s list and the mirror', listed, Number(ours!.mirrored)),
    ...unequal('the mirror and the ledger', Number(ours!.mirrored), Number(ours!.ledger)),
    ...movements.flatMap(({ id, net, type }) => {
      const row = byId.get(id)
      if (row === undefined) return [`movement ${id} (${type}) is not mirrored`]
      if (row.matched_at === null) return [`movement ${id} (${type}) is not matched`]
      return unequal(`movement ${id}`, net, Number(row.net_cents))
    }),
    ...unequal('movements and mirrored ones', movements.length, mirrored.length),
    ...unmatched.map(({ key, kind, cents }) => `line ${key} (${kind} ${cents}) is of no movement`),
  ]
}

/** Every payment is credited once and in full, and nothing else is credited. */
async function deposits({ intents }: Books, query: Query): Promise<string[]> {
  const credited = Map.groupBy(
    await query(`
      select split_part(key, ':', 2) as id, sum(amount_cents)::bigint as cents from transfers
       where mode = 'live' and kind = 'deposit' group by key`),
    ({ id }) => id as string,
  )
  const paid = Map.groupBy(
    intents.filter(({ status }) => status === 'succeeded'),
    ({ metadata }) => metadata.deposit_id as string,
  )
  const ids = new Set([...credited.keys(), ...paid.keys()])
  return [...ids].flatMap((id) => {
    const payments = paid.get(id) ?? []
    const credits = credited.get(id) ?? []
    if (payments.length === 0) return [`deposit ${id}: credited and never paid`]
    if (payments.length > 1) return [`deposit ${id}: paid ${payments.length} times`]
    if (credits.length !== 1) return [`deposit ${id}: paid once, credited ${credits.length} times`]
    return unequal(`deposit ${id}`, payments[0]!.amount_received, Number(credits[0]!.cents))
  })
}

/** One transfer for each paid payout, to the right account, and no other transfers. */
async function payouts({ transfers }: Books, query: Query): Promise<string[]> {
  const rows = await query(`
    select id, amount_cents, reversed_cents, account_id, transfer_id, status, paid_at from payouts where mode = 'live'`)
  const made = Map.groupBy(transfers, ({ metadata }) => metadata.payout_id as string)
  const known = new Set(rows.map(({ id }) => id as string))
  const strange = [...made].filter(([id]) => !known.has(id))
  return [
    ...strange.map(
      ([id, all]) => `${all.length} transfers of a payout that we do not know (${id})`,
    ),
    ...rows.flatMap((row) => {
      const own = made.get(row.id) ?? []
      const expected = row.paid_at === null ? 0 : 1
      if (own.length !== expected)
        return [`payout ${row.id} is ${row.status} and has ${own.length} transfers`]
      const [transfer] = own
      if (transfer === undefined) return []
      return [
        ...unequal(`payout ${row.id}, its transfer`, row.transfer_id, transfer.id),
        ...unequal(`payout ${row.id}, its account`, row.account_id, transfer.destination),
        ...unequal(`payout ${row.id}`, Number(row.amount_cents), transfer.amount),
        ...unequal(
          `payout ${row.id}, reversed`,
          Number(row.reversed_cents),
          transfer.amount_reversed,
        ),
      ]
    }),
  ]
}

/**
 * One refund at the processor for each of ours that was sent; refunds that others made there are in the ledger as
 * theirs.
 */
async function refunds(books: Books, query: Query): Promise<string[]> {
  const rows = await query('select id, amount_cents, status, processor_refund_id from refunds')
  const adopted = new Map(rows.map((row) => [row.processor_refund_id as string, row.id as string]))
  const known = new Set(rows.map(({ id }) => id as string))
  const made = Map.groupBy(
    books.refunds,
    ({ id, metadata }) => (metadata?.refund_id ?? adopted.get(id) ?? '') as string,
  )
  const outside = books.refunds.filter(({ metadata }) => metadata?.refund_id === undefined)
  const strange = [...made].filter(([id]) => !known.has(id))
  const [posted] = await query(`
    select coalesce(sum(amount_cents), 0)::bigint as cents from transfers where kind = 'refund_outside'`)
  return [
    ...strange.map(([id]) => `a refund of one that we do not know (${id})`),
    ...rows.flatMap((row) => {
      const own = made.get(row.id) ?? []
      const expected = row.processor_refund_id === null ? 0 : 1
      if (own.length !== expected)
        return [`refund ${row.id} is ${row.status} and there are ${own.length} at the processor`]
      return own.flatMap(({ amount }) =>
        unequal(`refund ${row.id}`, Number(row.amount_cents), amount),
      )
    }),
    ...unequal(
      'refunds made outside',
      sum(outside.map(({ amount }) => amount as number)),
      Number(posted!.cents),
    ),
  ]
}

/** Everything that has not reached a final state yet, as text. */
export async function unsettled(query: Query): Promise<string[]> {
  const rows = await query(`
    select 'deposit ' || id || ' is ' || status as what from deposits
     where mode = 'live' and status in ('creating', 'open', 'processing')
     union all
    select 'deposit ' || id || ' without its fee' from deposits
     where mode = 'live' and succeeded_at is not null and fee_cents is null
     union all
    select 'payout ' || p.id || ' is ' || p.status from payouts p left join payout_accounts a using (worker_id)
     where p.status in ('requested', 'submitting', 'awaiting_funds')
        or p.status = 'awaiting_account' and (a.status = 'active' or p.account_id is not null)
     union all
    select 'refund ' || id || ' is ' || status from refunds where status in ('requested', 'submitting', 'pending')
     union all
    select 'withdrawal ' || id || ' is ' || status from withdrawals where status = 'requested'
     union all
    select 'attempt ' || key || ' is open' from processor_attempts where outcome is null
     union all
    select 'notification ' || event_id || ' (' || type || ') is ' || status || ' ' || coalesce(error, '')
      from processor_events where status in ('pending', 'dead')
     union all
    select 'in transit: ' || ref_id from ledger_transits where in_transit_cents <> 0
     union all
    select 'told and not acted on: ' || type from outbox
     union all
    select 'job ' || task_identifier from graphile_worker.jobs`)
  return rows.map(({ what }) => what as string)
}

function unequal(what: string, one: unknown, other: unknown): string[] {
  return one === other ? [] : [`${what}: ${String(one)} and ${String(other)}`]
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
