/** The money report for an on-call operator: in words, most severe problem last. */
import { sql } from 'kysely'
import type { Background } from '../kit/job.ts'
import { counted } from '../kit/words.ts'
import { type Holdings, readHoldings } from '../ledger/holdings.ts'
import { processorOf } from '../processor/client.ts'
import { type MoneyBreak, openBreaks } from '../reconcile/breaks.ts'
import { lastReconciliation, type Reconciliation } from '../reconcile/reconcile.ts'
import { AUTOMATIC, readSwitches, type Switch } from '../reconcile/switches.ts'
import { command } from './command.ts'

/** By then three runs have been missed. */
const STALE_MS = 20 * 60_000

interface Waiting {
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
  isLook: true,
  async run(background) {
    const data = await reportMoney(background)
    return { data, isBad: data.needs.length > 0 }
  },
})

export async function reportMoney(background: Background): Promise<MoneyReport> {
  const { db, clock } = background
  const report = {
    at: clock.now(),
    last_run: (await lastReconciliation(background)) ?? null,
    holdings: await readHoldings(db.reader),
    breaks: (await openBreaks(db.reader)).map((found) => ({ ...found, next: nextFor(found) })),
    waiting: await readWaiting(background),
    switches: await readSwitches(db.reader),
  }
  return { ...report, needs: needsOf(background, report) }
}

async function readWaiting({ db }: Background): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select things, state, count(*)::integer as count, coalesce(sum(cents), 0)::bigint as amount_cents,
           min(created_at) as oldest_at
      from (
        select 1 as place, 'deposits' as things, status::text as state, amount_cents as cents, created_at
          from deposits
         where mode = 'live' and decided_at is null and status in ('creating', 'open', 'processing', 'mismatched')
        union all
        select 2, 'payouts', status::text || coalesce(': ' || replace(hold_reason, '_', ' '), ''), amount_cents,
               created_at
          from payouts where mode = 'live' and status not in ('paid', 'failed', 'partially_reversed', 'reversed')
        union all
        select 3, 'refunds', status::text, amount_cents, created_at
          from refunds where status in ('requested', 'submitting', 'pending')
        union all
        select 4, 'chargebacks', 'waiting for evidence', amount_cents, created_at
          from chargebacks where status in ('needs_response', 'warning_needs_response', 'appeal_needs_response')
        union all
        select 5, 'withdrawals', status, amount_cents, created_at from withdrawals where status = 'requested'
        union all
        select 6, 'notifications', status, 0, received_at from processor_events where status in ('pending', 'dead')
      ) all_of_it
     group by place, things, state order by place, state`.execute(db.reader)
  return rows.map((row) => ({ ...row, state: row.state.replaceAll('_', ' ') }))
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
