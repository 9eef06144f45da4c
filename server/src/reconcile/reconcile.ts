/**
 * Reconcile our books with the processor's: mirror its balance transactions, match them line by line with the ledger,
 * compare the balances and check who owns the money. Disagreements become breaks; unsafe operations are switched off.
 *
 *   called by   the clock, every five minutes, and once a day over 35 days; an operator, `server ops reconcile`
 *   moves       nothing of its own; subjects of lost notifications are settled now
 *   money       the operator's own: processor ↔ operator; the processor's charges; unclaimed money: processor ↔
 *               suspense
 *   event       none; the alarms are `legwork_unexplained_cents`, `legwork_own_funds_cents`, `legwork_money_breaks`
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'
import { type Background, job } from '../kit/job.ts'
import { formatCents } from '../kit/money.ts'
import { keepAccounts } from '../ledger/account-sums.ts'
import { type Holdings, readHoldings, readSuspense } from '../ledger/holdings.ts'
import { keepSums } from '../ledger/sums.ts'
import { answered, openProcessor, ProcessorSilent } from '../processor/ask.ts'
import type { BalanceTransaction } from '../processor/client-objects.ts'
import { processorOf } from '../processor/client.ts'
import { type Finding, openBreaks, syncBreaks } from './breaks.ts'
import { claimSuspense } from './claim-suspense.ts'
import { showGauges } from './gauges.ts'
import { type Difference, matchTransactions } from './match.ts'
import { mirrorTransactions } from './mirror.ts'
import { findStuck } from './stuck.ts'
import { copySwitches, followSwitches, type MoneySwitch, type Switch } from './switches.ts'
import { unmatchedLines } from './unmatched-lines.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The maximum difference between our clock and the processor's. */
const CLOCKS_MS = 10_000

export const reconcileMoney = job({
  name: 'reconcile.run',
  payload: z.unknown(),
  attemptsMax: 1,
  schedule: '*/5 * * * *',
  isGlobal: true,

  run: (background) => runQuietly(background, { isDeep: false }),
})

export const reconcileDeeply = job({
  name: 'reconcile.deep',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '53 3 * * *',
  isGlobal: true,

  run: (background) => runQuietly(background, { isDeep: true }),
})

/** An unreachable processor is not our defect; the next run is minutes away. */
async function runQuietly(background: Background, { isDeep }: { isDeep: boolean }): Promise<void> {
  if (processorOf(background.config) === undefined) return
  try {
    await reconcile(background, { isDeep })
  } catch (error) {
    if (!(error instanceof ProcessorSilent)) throw error
    background.log.error({ error }, 'could not reconcile the ledger with the processor')
  }
}

export interface Reconciliation {
  at: Date
  processor_cents: number
  mirrored_cents: number
  ledger_cents: number
  own_funds_cents: number
  /** Unexplained money by age: less than an hour, less than a day, more. */
  unexplained_new_cents: number
  unexplained_hour_cents: number
  unexplained_day_cents: number
}

/** Something that only one side has. */
interface Unexplained extends Finding {
  since: Date
}

export async function reconcile(
  background: Background,
  { isDeep = false }: { isDeep?: boolean } = {},
): Promise<Reconciliation> {
  const { db, clock, log } = background
  const processor = openProcessor(background)
  const now = clock.now()
  const lastRunAt = (await lastReconciliation(background))?.at

  const balance = answered(await processor.getBalance())
  const { availableCents, pendingCents, connectReservedCents } = balance
  const processorCents = availableCents + pendingCents + connectReservedCents
  const since = new Date(now.getTime() - CLOCKS_MS)
  const recent = await mirrorTransactions(background, processor, { isDeep, since })
  const differences = await matchTransactions(background, processor)
  await claimSuspense(background)

  const books = { shards: db.shards.readers, global: db.shards.global.reader }
  await keepSums(books)
  await readShards(books.shards, (shard) => keepAccounts(shard))
  const holdings = await readHoldings(books)
  const unexplained = [
    ...differences.map(ofTransaction),
    ...(await ofLines(books, { lastRunAt: isDeep ? undefined : lastRunAt, differences })),
    ...(await ofSuspense(books)),
    ...(await ofBalance(background, { processorCents, holdings, recent, now })),
  ]
  const others = [...ofOwnFunds(holdings), ...(await findStuck(books, { now }))]

  const run = await db.transaction((tx) =>
    conclude(tx, { processorCents, holdings, unexplained, others, now }),
  )
  await copySwitches(db.shards)
  for (const { kind, subject, amountCents, detail } of run.opened)
    log.error(
      { kind, subject, amount_cents: amountCents, detail },
      'the ledger and the processor disagree',
    )
  for (const { name, is_on, reason } of run.turned)
    log[is_on ? 'info' : 'error']({ switch: name, is_on, reason }, 'a switch was changed')
  await showGauges(background)
  return run.reconciliation
}

/** Undefined if there was no run yet. */
export async function lastReconciliation({
  db,
}: Pick<Background, 'db'>): Promise<Reconciliation | undefined> {
  return db.reader
    .selectFrom('reconciliations')
    .selectAll()
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function ofTransaction({ transaction, differsCents, keys }: Difference): Unexplained {
  const { id, type, net_cents, source_id, created_at, currency } = transaction
  const net = `${formatCents(net_cents)}${currency === 'usd' ? '' : ` (${currency})`}`
  const what = `${type}${source_id === null ? '' : ` of ${source_id}`}`
  return keys.length === 0
    ? {
        kind: 'unmatched_transaction',
        subject: id,
        amountCents: differsCents,
        detail: `the processor moved ${net} (${what}), which is missing from our ledger`,
        since: created_at,
      }
    : {
        kind: 'wrong_amount',
        subject: id,
        amountCents: differsCents,
        detail:
          `the processor moved ${net} (${what}), but our ledger has ` +
          `${formatCents(net_cents - differsCents)} (${keys.join(', ')})`,
        since: created_at,
      }
}

async function ofLines(
  books: Everywhere,
  { lastRunAt, differences }: { lastRunAt: Date | undefined; differences: Difference[] },
): Promise<Unexplained[]> {
  // Count a movement with a wrong amount as one difference, not two.
  const counted = new Set(differences.flatMap(({ keys }) => keys))
  const lines = await unmatchedLines(books, { lastRunAt })
  return lines
    .filter(({ key }) => !counted.has(key))
    .map(({ key, kind, cents, created_at }) => ({
      kind: 'unmatched_line',
      subject: key,
      amountCents: -cents,
      detail: `our ledger moved ${formatCents(cents)} (${kind}), which is missing at the processor`,
      since: created_at,
    }))
}

async function ofSuspense(books: Everywhere): Promise<Unexplained[]> {
  const waiting = await readSuspense(books)
  return waiting.map(({ transaction_id, cents, type, source_id, created_at }) => ({
    kind: 'suspense',
    subject: transaction_id,
    amountCents: cents,
    detail:
      `${formatCents(Math.abs(cents))} ${cents > 0 ? 'came' : 'left'} ` +
      `(${type}${source_id === null ? '' : ` of ${source_id}`}), ` +
      `${cents > 0 ? 'but its owner is unknown' : 'but the reason is unknown'}`,
    since: created_at,
  }))
}

/**
 * The balance was fetched before the list, so movements in between are in the list but not in the balance. The balance
 * may therefore lack the newest few list entries, in their order.
 */
async function ofBalance(
  { db }: Background,
  {
    processorCents,
    holdings,
    recent,
    now,
  }: { processorCents: number; holdings: Holdings; recent: BalanceTransaction[]; now: Date },
): Promise<Unexplained[]> {
  const differs = processorCents - holdings.mirrored_cents
  let later = 0
  const isInTime = [0, ...recent.map(({ netCents }) => netCents)].some((cents) => {
    later += cents
    return differs + later === 0
  })
  if (isInTime) return []
  const known = (await openBreaks(db.reader)).find(({ kind }) => kind === 'balance_differs')
  return [
    {
      kind: 'balance_differs',
      subject: 'processor',
      amountCents: differs,
      detail:
        `the processor’s balance is ${formatCents(processorCents)}, but its list of ` +
        `transactions adds up to ${formatCents(holdings.mirrored_cents)}`,
      since: known?.opened_at ?? now,
    },
  ]
}

function ofOwnFunds({ own_funds_cents: cents }: Holdings): Finding[] {
  if (cents >= 0) return []
  const detail = `we owe customers and workers ${formatCents(-cents)} more than the processor holds for us`
  return [{ kind: 'own_funds', subject: 'platform', amountCents: cents, detail }]
}

interface Conclusion {
  processorCents: number
  holdings: Holdings
  unexplained: Unexplained[]
  others: Finding[]
  now: Date
}

/** Records the result and applies its consequences. */
async function conclude(
  tx: Tx,
  { processorCents, holdings, unexplained, others, now }: Conclusion,
): Promise<{ reconciliation: Reconciliation; opened: Finding[]; turned: Switch[] }> {
  // A movement in progress is on one side before the other: it is a break only if that lasts.
  const isBreak = ({ kind, since }: Unexplained) =>
    !(kind === 'unmatched_transaction' || kind === 'unmatched_line' || kind === 'wrong_amount') ||
    now.getTime() - since.getTime() >= HOUR_MS
  const findings = [...unexplained.filter(isBreak), ...others]
  const { opened } = await syncBreaks(tx, { findings, now })

  const breaks = await openBreaks(tx)
  const explained = new Set(
    breaks
      .filter(({ explanation }) => explanation !== null)
      .map(({ kind, subject }) => `${kind} ${subject}`),
  )
  const counted = unexplained
    .filter(({ kind, subject }) => !explained.has(`${kind} ${subject}`))
    // Unclaimed money that came in is still there and owed to someone; money that left without a reason is not.
    .filter(({ kind, amountCents }) => kind !== 'suspense' || amountCents < 0)
  const centsOf = (fromMs: number, toMs: number) =>
    counted
      .map(({ amountCents, since }) => ({ amountCents, ageMs: now.getTime() - since.getTime() }))
      .filter(({ ageMs }) => ageMs >= fromMs && ageMs < toMs)
      // Use absolute amounts: a surplus in one place does not offset a shortfall in another.
      .reduce((sum, { amountCents }) => sum + Math.abs(amountCents), 0)

  const reconciliation: Reconciliation = {
    at: now,
    processor_cents: processorCents,
    mirrored_cents: holdings.mirrored_cents,
    ledger_cents: holdings.ledger_cents,
    own_funds_cents: holdings.own_funds_cents,
    unexplained_new_cents: centsOf(-Infinity, HOUR_MS),
    unexplained_hour_cents: centsOf(HOUR_MS, DAY_MS),
    unexplained_day_cents: centsOf(DAY_MS, Infinity),
  }
  await tx
    .insertInto('reconciliations')
    .values(reconciliation)
    .onConflict((conflict) => conflict.column('at').doNothing())
    .execute()
  const turned = await followSwitches(tx, { off: switchesOff(reconciliation), now })
  return { reconciliation, opened, turned }
}

/** Which switches must be off, and why. */
export function switchesOff({
  own_funds_cents,
  unexplained_day_cents,
}: Pick<Reconciliation, 'own_funds_cents' | 'unexplained_day_cents'>): Partial<
  Record<MoneySwitch, string>
> {
  const broke =
    own_funds_cents < 0 ? `own funds are ${formatCents(own_funds_cents)}, below zero` : undefined
  const unclear =
    unexplained_day_cents > 0
      ? `${formatCents(unexplained_day_cents)} has been unexplained for more than a day`
      : undefined
  return {
    ...(broke === undefined ? {} : { free_tasks: broke }),
    ...(unclear === undefined ? {} : { payouts: unclear }),
    ...((broke ?? unclear) ? { withdrawals: (broke ?? unclear)! } : {}),
  }
}
