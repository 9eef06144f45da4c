/** The money report for an on-call operator: in words, most severe problem last. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, earliest, type Everywhere, orderBy, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { counted } from '../kit/words.ts'
import { type Holdings, readHoldings } from '../ledger/holdings.ts'
import { processorOf } from '../processor/client.ts'
import { type MoneyBreak, openBreaks } from '../reconcile/breaks.ts'
import { lastReconciliation, type Reconciliation } from '../reconcile/reconcile.ts'
import { AUTOMATIC, isMoneySwitch, readSwitches, type Switch } from '../reconcile/switches.ts'
import { command } from './command.ts'

/** By then three runs have been missed. */
const STALE_MS = 20 * 60_000

export interface Waiting {
  things: string
  state: string
  count: number
  amount_cents: number
  oldest_at: Date
}

export interface MoneyReport {
  at: Date
  last_run: Reconciliation | null
  holdings: Holdings
  breaks: (MoneyBreak & { next: string })[]
  waiting: Waiting[]
  switches: Switch[]
  /** The reasons why someone has to act; empty if there are none. */
  needs: string[]
}

export const money = command({
  name: 'money',
  takes: '[--json]',
  does: 'show the state of the money; exit 1 if an operator needs to act',
  right: 'view',
  isLook: true,
  async run(background) {
    const data = await reportMoney(background)
    return { data, isBad: data.needs.length > 0 }
  },
})

export async function reportMoney(background: Background): Promise<MoneyReport> {
  const { db, clock } = background
  const books = { shards: db.shards.readers, global: db.shards.global.reader }
  const report = {
    at: clock.now(),
    last_run: (await lastReconciliation(background)) ?? null,
    holdings: await readHoldings(books),
    breaks: (await openBreaks(db.reader)).map((found) => ({ ...found, next: nextFor(found) })),
    waiting: await readWaiting(books),
    switches: (await readSwitches(db.reader)).filter(({ name }) => isMoneySwitch(name)),
  }
  return { ...report, needs: needsOf(background, report) }
}

async function readWaiting({ shards, global }: Everywhere): Promise<Waiting[]> {
  const parts = await readShards(shards, waitingOfShard)
  return addWaiting([...parts, await waitingInGlobal(global)])
}

async function waitingOfShard(shard: Reader): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select things, state, count(*)::integer as count, coalesce(sum(cents), 0)::bigint as amount_cents,
           min(created_at) as oldest_at
      from (
        select 'deposits' as things, status::text as state, amount_cents as cents, created_at
          from deposits
         where mode = 'live' and decided_at is null and status in ('creating', 'open', 'processing', 'mismatched')
        union all
        select 'payouts', status::text || coalesce(': ' || replace(hold_reason, '_', ' '), ''), amount_cents,
               created_at
          from payouts where mode = 'live' and status not in ('paid', 'failed', 'partially_reversed', 'reversed')
        union all
        select 'refunds', status::text, amount_cents, created_at
          from refunds where status in ('requested', 'submitting', 'pending')
        union all
        select 'chargebacks', 'waiting for evidence', amount_cents, created_at
          from chargebacks where status in ('needs_response', 'warning_needs_response', 'appeal_needs_response')
      ) all_of_it
     group by things, state`.execute(shard)
  return rows
}

async function waitingInGlobal(global: Reader): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select things, state, count(*)::integer as count, coalesce(sum(cents), 0)::bigint as amount_cents,
           min(created_at) as oldest_at
      from (
        select 'withdrawals' as things, status as state, amount_cents as cents, created_at
          from withdrawals where status = 'requested'
        union all
        select 'notifications', status, 0, received_at from processor_events where status in ('pending', 'dead')
      ) all_of_it
     group by things, state`.execute(global)
  return rows
}

/** In the order of the report. */
const THINGS = ['deposits', 'payouts', 'refunds', 'chargebacks', 'withdrawals', 'notifications']

export function addWaiting(parts: readonly Waiting[][]): Waiting[] {
  const groups = Map.groupBy(parts.flat(), ({ things, state }) => `${things} ${state}`)
  return [...groups.values()]
    .map((group) => ({
      ...group[0]!,
      ...addUp(['count', 'amount_cents'], group),
      oldest_at: earliest(group.map(({ oldest_at }) => oldest_at))!,
    }))
    .sort(
      orderBy(
        ({ things }) => THINGS.indexOf(things),
        ({ state }) => state,
      ),
    )
    .map((row) => ({ ...row, state: row.state.replaceAll('_', ' ') }))
}

function nextFor({ kind, subject, amount_cents }: MoneyBreak): string {
  switch (kind) {
    case 'suspense':
      return amount_cents > 0
        ? `ops suspense ${subject} to AGENT, or back, or ours`
        : `ops suspense ${subject} ours, or find out who withdrew it`
    case 'unmatched_transaction':
    case 'unmatched_line':
    case 'wrong_amount':
      return 'look it up in the processor’s dashboard: docs/runbooks/money-unexplained.md'
    case 'balance_differs':
      return 'ops reconcile; if it persists, docs/runbooks/money-unexplained.md'
    case 'own_funds':
      return 'top up the balance at the processor: docs/runbooks/own-funds-negative.md'
    case 'stuck':
      return nextForStuck(subject)
  }
}

function nextForStuck(subject: string): string {
  if (subject === 'notifications dead') return 'ops events retry'
  if (subject.startsWith('payouts failed') || subject.startsWith('payouts taken back'))
    return 'ops payout retry ID: docs/runbooks/payouts-stuck.md'
  if (subject.startsWith('payouts held')) return 'ops payout release ID, or leave it'
  if (subject.startsWith('payouts')) return 'docs/runbooks/payouts-stuck.md'
  if (subject.startsWith('chargebacks'))
    return 'send evidence in the processor’s dashboard, otherwise the chargeback is lost'
  if (subject.startsWith('deposits')) return 'docs/runbooks/deposits-unconfirmed.md'
  return 'docs/runbooks/processor-down.md'
}

function needsOf(
  { config, clock }: Background,
  { last_run, breaks, switches, waiting }: Omit<MoneyReport, 'needs'>,
): string[] {
  const open = breaks.filter(({ explanation }) => explanation === null)
  const off = switches.filter(({ is_on, set_by }) => !is_on && set_by === AUTOMATIC)
  const isDead = waiting.some(({ things, state }) => things === 'notifications' && state === 'dead')
  const isStale =
    processorOf(config) !== undefined &&
    (last_run === null || clock.now().getTime() - last_run.at.getTime() > STALE_MS)
  return [
    ...(isStale ? ['the last reconciliation with the processor is too old'] : []),
    ...(open.length > 0 ? [`the ${counted(open.length, 'breaks')} above`] : []),
    ...(isDead ? ['notifications that failed for good: ops events retry'] : []),
    ...off.map(({ name }) => `${name.replaceAll('_', ' ')} are turned off`),
  ]
}
