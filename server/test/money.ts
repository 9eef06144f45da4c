import assert from 'node:assert/strict'
import { openBreaks } from '../src/reconcile/breaks.ts'
import { reconcile } from '../src/reconcile/reconcile.ts'
import { type Json, type Marketplace, marketplace } from './harness.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A marketplace with its own books, because a discrepancy in one would show up in the others. */
export const openBooks = () =>
  marketplace({
    processor: true,
    settings: {
      LOG_LEVEL: 'silent',
      STRIPE_TIMEOUT_MS: 1000,
      STRIPE_RETRIES: 0,
      HOLD_HOURS: 0,
      HOLD_HOURS_NEW: 0,
    },
  })

/** Runs reconciliation once, after this much time. */
export async function reconcileAfter(market: Marketplace, ms: number) {
  market.advance(ms)
  const run = await reconcile(market.background)
  return {
    ...run,
    unexplained: [run.unexplained_new_cents, run.unexplained_hour_cents, run.unexplained_day_cents],
  }
}

/** The open discrepancies, as text. */
export async function breaksOf(market: Marketplace): Promise<string[]> {
  const found = await openBreaks(market.db.reader)
  return found.map(({ kind, subject, amount_cents }) => `${kind} ${subject} ${amount_cents}`).sort()
}

/** The switches that are off. All schemas have the same. */
export async function switchesOff(market: Marketplace): Promise<string[]> {
  const rows = await market.asOwner(
    `select name, bool_and(is_on) as is_on, bool_or(is_on) = bool_and(is_on) as is_same
       from platform_switches where name <> 'read_only' group by 1 order by 1`,
  )
  assert(rows.every(({ is_same }) => is_same))
  return rows.filter(({ is_on }) => !is_on).map(({ name }) => name as string)
}

export const depositRow = ({ db }: Marketplace, depositId: string) =>
  db.reader.selectFrom('deposits').selectAll().where('id', '=', depositId).executeTakeFirstOrThrow()

export async function chargeOf(market: Marketplace, depositId: string): Promise<string> {
  const { charge_id } = await depositRow(market, depositId)
  return charge_id!
}

/** A manual action at the processor, with our own key. */
export async function atProcessor(
  { sandbox }: Marketplace,
  path: string,
  params: Record<string, string>,
): Promise<Json> {
  const response = await fetch(`${sandbox.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.settings.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams(params),
  })
  const body = (await response.json()) as Json
  assert(response.ok, JSON.stringify(body))
  return body
}

/** A card payment that belongs to no deposit of ours; returns the session, and its line in the processor's list. */
export async function strayPayment(market: Marketplace, amount: number): Promise<Json> {
  const session = await atProcessor(market, 'checkout/sessions', {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': 'Something else',
    success_url: 'https://example.com/',
  })
  await market.sandbox.pay(session.id as string)
  const [line] = await movements(market)
  assert.equal(line!.amount, amount)
  return line!
}

/** The lines of our own balance at the processor, newest first. */
export async function movements({ sandbox }: Marketplace): Promise<Json[]> {
  const { data } = await sandbox.control('GET', 'objects/balance_transaction')
  return (data as Json[]).filter(({ account }) => !String(account).startsWith('acct_'))
}

/** The ledger lines posted under a key: `kind: debit > credit cents`. */
export async function posted(market: Marketplace, key: string): Promise<string[]> {
  const rows = await market.asOwner(
    'select kind, debit, credit, amount_cents from transfers where key = $1 order by line',
    [key],
  )
  return rows.map((row) => `${row.kind}: ${row.debit} > ${row.credit} ${row.amount_cents}`)
}
