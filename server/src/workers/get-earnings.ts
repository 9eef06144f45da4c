/**
 * Show what the worker earned in a period, what is waiting for a verdict, and what can be paid out.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { DisputedPay, disputedPay } from './disputed-pay.ts'
import { DaysQuery, daysAsked, earningLines } from './earning-lines.ts'
import { addUp, type Pending } from './earnings.ts'
import { dateOf, PERIODS, type Span, spanOf } from './periods.ts'
import { callingWorker } from './queries.ts'

const Query = z.object({
  period: z.enum(PERIODS).default('month').describe('The current period of this length'),
  ...DaysQuery,
  from: DaysQuery.from.describe('Overrides the period: the first day'),
})

const totals = {
  gross_cents: z.int().describe('Net and commission'),
  commission_cents: z.int(),
  net_cents: z.int(),
  tasks: z.int(),
}

export const getEarnings = endpoint({
  method: 'GET',
  path: '/worker/earnings',
  name: 'getEarnings',
  auth: 'worker',
  summary: 'Show your earnings',
  query: Query,
  success: {
    status: 200,
    body: named(
      'Earnings',
      z.object({
        period: z.enum([...PERIODS, 'custom']),
        from: z.iso.date(),
        to: z.iso.date(),
        tz: z.string(),
        ...totals,
        pending_cents: z
          .int()
          .describe(
            'Expected for work that is waiting for a verdict, as of now; includes held disputes',
          ),
        disputed_cents: z.int().describe('In open disputes, as of now'),
        disputes: z.array(DisputedPay).describe('The nearest deadline first'),
        held_cents: z.int().describe('Earned, but on hold for some time'),
        available_cents: z.int().describe('Available to pay out, as of now'),
        in_transit_cents: z.int().describe('On its way to your payout account, as of now'),
        paid_out_cents: z
          .int()
          .describe('Paid out in the period, minus payouts that were returned'),
        worked_minutes: z.int().describe('Based on the time from accepting to submitting'),
        effective_hourly_cents: z.int().nullable(),
        by_type: z.array(z.object({ type: z.string(), tasks: z.int(), net_cents: z.int() })),
        series: z
          .array(
            named(
              'EarningsBucket',
              z.object({
                start: z.iso.datetime(),
                label: z.string().describe('The start of the month, day or hour, in the time zone'),
                ...totals,
                pending_cents: z.int(),
              }),
            ),
          )
          .describe('By hour for a day, by day for a week or month, by month for anything longer'),
      }),
    ),
  },
  errors: [],

  // One snapshot for all reads: a payment between them would show a balance that doesn't match the lines.
  handler: ({ db, worker, query, config, now }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => earningsOf(tx, { workerId: worker.id, query, config, now })),
})

async function earningsOf(
  db: Reader,
  {
    workerId,
    query,
    config,
    now,
  }: {
    workerId: string
    query: z.output<typeof Query>
    config: Pick<Config, 'APPEAL_HOURS'>
    now: Date
  },
) {
  const { created_at: since } = await callingWorker(db, workerId)
  const span = spanAsked(query, { now, since })
  const earnings = await earningLines(db, { workerId, span })
  const pending = await pendingPay(db, workerId)
  const { payable_cents } = await db
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', workerId)
    .executeTakeFirstOrThrow()
  const disputes = await disputedPay(db, { workerId, config, now })
  const { held_cents, in_transit_cents } = await waitingPayouts(db, workerId)
  return {
    period: isCustom(query) ? ('custom' as const) : query.period,
    from: dateOf(span.start, query.tz),
    to: dateOf(new Date(span.end.getTime() - 1), query.tz),
    tz: query.tz,
    ...addUp(earnings, pending, span),
    disputed_cents: disputes.reduce((sum, { pay_cents }) => sum + pay_cents, 0),
    disputes,
    held_cents,
    available_cents: payable_cents - held_cents,
    in_transit_cents,
    paid_out_cents: await paidOutCents(db, workerId, span),
  }
}

const isCustom = ({ from, to }: z.output<typeof Query>) => from !== undefined || to !== undefined

function spanAsked(query: z.output<typeof Query>, { now, since }: { now: Date; since: Date }) {
  const { period, tz } = query
  return isCustom(query) ? daysAsked(query, { now, since }) : spanOf(period, { tz, now, since })
}

async function pendingPay(db: Reader, workerId: string): Promise<Pending[]> {
  const rows = await db
    .selectFrom('worker_assignments')
    .select(['submitted_at', 'accepted_at', 'pay_cents'])
    .where('worker_id', '=', workerId)
    .where('status', '=', 'submitted')
    .execute()
  return rows.map(({ submitted_at, accepted_at, pay_cents }) => ({
    at: submitted_at ?? accepted_at,
    pay_cents,
  }))
}

/** Held payouts are still in the worker's balance; payouts with an account have left it. */
async function waitingPayouts(db: Reader, workerId: string) {
  const { rows } = await sql<{ held_cents: number; in_transit_cents: number }>`
    select coalesce(sum(amount_cents) filter (where status = 'held'), 0)::bigint as held_cents,
           coalesce(sum(amount_cents) filter (where account_id is not null), 0)::bigint as in_transit_cents
      from payouts
     where worker_id = ${workerId}
       and status in ('held', 'requested', 'submitting', 'awaiting_funds', 'awaiting_account')`.execute(
    db,
  )
  return rows[0]!
}

/** Finds payouts through their request on the worker's statement, because the payout itself is not on it. */
async function paidOutCents(db: Reader, workerId: string, span: Span): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(case when f.kind = 'payout_requested' then p.amount_cents else -f.amount_cents end), 0)::bigint
             as cents
      from transfers f
      left join transfers p on f.kind = 'payout_requested' and p.key = 'payout:' || f.ref_id || ':paid'
     where f.worker_id = ${workerId} and f.worker_statement_no is not null
       and f.kind in ('payout_requested', 'payout_reversed')
       and coalesce(p.created_at, f.created_at) >= ${span.start}
       and coalesce(p.created_at, f.created_at) < ${span.end}`.execute(db)
  return rows[0]!.cents
}
