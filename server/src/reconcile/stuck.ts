/** Finds work that should have ended by now: one finding per kind and state, with its oldest item. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { addUp, type Everywhere, readShards } from '../kit/everywhere.ts'
import { formatCents } from '../kit/money.ts'
import type { Finding } from './breaks.ts'

/** When the money went in transit, whatever the payout waited for before. */
const REQUESTED_AT = `(
  select f.created_at from transfers f where f.key = 'payout:' || payouts.id || ':requested' and f.line = 1)`

/** A table and state, and the hours after `since` when someone has to look. */
interface Limit {
  things: string
  state: string
  where: string
  since: string
  hours: number
  /** The table belongs to no shard. */
  isGlobal?: true
}

const LIMITS: Limit[] = [
  {
    things: 'deposits',
    state: 'past the end of their page',
    where: `status in ('creating', 'open')`,
    since: 'expires_at',
    hours: 2,
  },
  {
    things: 'deposits',
    state: 'processing',
    where: `status = 'processing'`,
    since: 'created_at',
    hours: 7 * 24,
  },
  {
    things: 'deposits',
    state: 'paid, but missing from the processor’s list',
    where: `mode = 'live' and balance_transaction_id is null`,
    since: 'succeeded_at',
    hours: 24,
  },
  {
    things: 'payouts',
    state: 'being sent',
    where: `status in ('requested', 'submitting')`,
    since: REQUESTED_AT,
    hours: 1,
  },
  {
    things: 'payouts',
    state: 'waiting for funds',
    where: `status = 'awaiting_funds'`,
    since: REQUESTED_AT,
    hours: 24,
  },
  {
    things: 'payouts',
    state: 'held until an operator decides',
    where: `status = 'held' and hold_reason in ('self_dealing', 'review')`,
    since: 'created_at',
    hours: 24,
  },
  {
    things: 'payouts',
    state: 'failed after the last automatic try',
    where: `status = 'failed' and check_at is null
            and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    since: 'updated_at',
    hours: 0,
  },
  {
    things: 'payouts',
    state: 'taken back and not paid again',
    where: `status = 'reversed'
            and not exists (select 1 from payouts next where next.previous_id = payouts.id)`,
    since: 'updated_at',
    hours: 30 * 24,
  },
  {
    things: 'refunds',
    state: 'being sent',
    where: `status in ('requested', 'submitting')`,
    since: 'created_at',
    hours: 1,
  },
  {
    things: 'refunds',
    state: 'pending at the bank',
    where: `status = 'pending'`,
    since: 'created_at',
    hours: 30 * 24,
  },
  {
    things: 'chargebacks',
    state: 'waiting for evidence',
    where: `status in ('needs_response', 'warning_needs_response', 'appeal_needs_response')`,
    since: `due_by - interval '3 days'`,
    hours: 0,
  },
  {
    things: 'withdrawals',
    state: 'being sent',
    where: `status = 'requested'`,
    since: 'created_at',
    hours: 1,
    isGlobal: true,
  },
]
const NOTIFICATION_MINUTES = 15

export async function findStuck(
  { shards, global }: Everywhere,
  { now }: { now: Date },
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const limit of LIMITS) {
    const places = limit.isGlobal ? [global] : shards
    const { count, cents, oldest } = addStuck(
      await readShards(places, (place) => stuckIn(place, limit, now)),
    )
    const { things, state } = limit
    if (count > 0)
      findings.push({
        kind: 'stuck',
        subject: `${things} ${state}`,
        amountCents: cents,
        detail: `${count} ${things} (${formatCents(cents)}) are stuck (${state}); the oldest is ${oldest}`,
      })
  }
  return [...findings, ...(await findStuckEvents(global, now))]
}

interface Stuck {
  count: number
  cents: number
  /** Its id; ids sort by time. */
  oldest: string | null
}

async function stuckIn(
  reader: Reader,
  { things, where, since, hours }: Limit,
  now: Date,
): Promise<Stuck> {
  const before = new Date(now.getTime() - hours * 3_600_000)
  const { rows } = await sql<Stuck>`
    select count(*)::integer as count, coalesce(sum(amount_cents), 0)::bigint as cents, min(id) as oldest
      from ${sql.table(things)} where ${sql.raw(where)} and ${sql.raw(since)} <= ${before}`.execute(
    reader,
  )
  return rows[0]!
}

export const addStuck = (parts: readonly Stuck[]): Stuck => ({
  ...addUp(['count', 'cents'], parts),
  oldest: parts.flatMap(({ oldest }) => oldest ?? []).sort()[0] ?? null,
})

async function findStuckEvents(reader: Reader, now: Date): Promise<Finding[]> {
  const before = new Date(now.getTime() - NOTIFICATION_MINUTES * 60_000)
  const { rows } = await sql<{ status: string; count: number; oldest: string }>`
    select status, count(*)::integer as count, (array_agg(event_id order by received_at))[1] as oldest
      from processor_events
     where status = 'dead' or status = 'pending' and received_at <= ${before}
     group by status order by status`.execute(reader)
  return rows.map(({ status, count, oldest }) => ({
    kind: 'stuck',
    subject: `notifications ${status}`,
    amountCents: 0,
    detail:
      status === 'dead'
        ? `${count} notifications of the processor failed for good; the oldest is ${oldest}`
        : `${count} notifications of the processor have not been handled yet; the oldest is ${oldest}`,
  }))
}
