/**
 * Show what the worker earned in a period, what waits for a verdict, and what can be paid out.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { splitByWeight } from '../kit/money.ts'
import type { Kind } from '../ledger/movements.ts'
import { addUp, type Earning, type Pending } from './earnings.ts'
import { dateOf, isTimeZone, PERIODS, type Span, spanBetween, spanOf } from './periods.ts'
import { callingWorker } from './queries.ts'

const DAYS_MAX = 3660
/** What pays a worker; other movements only bring back what was paid before. */
const EARNINGS: Kind[] = ['escrow_release', 'cancel_compensation', 'tip', 'goodwill']

const day = z.iso.date('must be a date such as 2026-03-29').optional()
const Query = z.object({
  period: z.enum(PERIODS).default('month').describe('That in which now lies'),
  from: day.describe('Instead of the period: the first day'),
  to: day.describe('…and the last; by default today'),
  tz: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone such as Europe/Paris')
    .default('UTC')
    .describe('Whose midnight ends a day'),
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
  auth: 'worker',
  summary: 'Show your earnings',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      period: z.enum([...PERIODS, 'custom']),
      from: z.iso.date(),
      to: z.iso.date(),
      tz: z.string(),
      ...totals,
      pending_cents: z.int().describe('Promised for work that waits for a verdict, at this time'),
      held_cents: z.int().describe('Earned, and kept back for some time'),
      available_cents: z.int().describe('What can be paid out, at this time'),
      in_transit_cents: z.int().describe('On its way to your payout account, at this time'),
      paid_out_cents: z.int().describe('In the period, less what came back'),
      worked_minutes: z.int().describe('From accepting to submitting'),
      effective_hourly_cents: z.int().nullable(),
      by_type: z.array(z.object({ type: z.string(), tasks: z.int(), net_cents: z.int() })),
      series: z
        .array(
          z.object({
            start: z.iso.datetime(),
            label: z.string().describe('The month, day or hour in the time zone'),
            ...totals,
            pending_cents: z.int(),
          }),
        )
        .describe('By the hour of a day, the day of a week or month, the month of anything longer'),
    }),
  },
  errors: [],

  // Reads of one moment: a payment between them would show a balance that the lines do not explain.
  handler: ({ db, worker, query, now }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => earningsOf(tx, { workerId: worker.id, query, now })),
})

async function earningsOf(
  db: Reader,
  { workerId, query, now }: { workerId: string; query: z.output<typeof Query>; now: Date },
) {
  const { created_at: since } = await callingWorker(db, workerId)
  const span = spanAsked(query, { now, since })
  const earnings = await earningLines(db, workerId, span)
  const pending = await pendingPay(db, workerId)
  const { payable_cents } = await db
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', workerId)
    .executeTakeFirstOrThrow()
  const { held_cents, in_transit_cents } = await waitingPayouts(db, workerId)
  return {
    period: isCustom(query) ? ('custom' as const) : query.period,
    from: dateOf(span.start, query.tz),
    to: dateOf(new Date(span.end.getTime() - 1), query.tz),
    tz: query.tz,
    ...addUp(earnings, pending, span),
    held_cents,
    available_cents: payable_cents - held_cents,
    in_transit_cents,
    paid_out_cents: await paidOutCents(db, workerId, span),
  }
}

const isCustom = ({ from, to }: z.output<typeof Query>) => from !== undefined || to !== undefined

function spanAsked(query: z.output<typeof Query>, { now, since }: { now: Date; since: Date }) {
  const { period, tz } = query
  if (!isCustom(query)) return spanOf(period, { tz, now, since })
  const to = query.to ?? dateOf(now, tz)
  const first = dateOf(since, tz)
  const from = query.from ?? (first < to ? first : to)
  if (from > to) throw invalidField('from', 'must not be after to')
  if (Date.parse(to) - Date.parse(from) > DAYS_MAX * 86_400_000)
    throw invalidField('from', 'must be at most ten years before to')
  return spanBetween({ from, to, tz })
}

/**
 * Every line that paid the worker. The commission of a settlement is each worker's in proportion to what each got, so
 * that gross less commission is net for each of them, and for all together.
 */
async function earningLines(db: Reader, workerId: string, span: Span): Promise<Earning[]> {
  const { rows } = await sql<Earning & { shares: { worker_id: string; cents: number }[] }>`
    select f.created_at as at, f.amount_cents as net_cents, f.task_id, t.type, s.commission_cents, s.shares,
           (extract(epoch from a.submitted_at - a.accepted_at) * 1000)::float8 as worked_ms
      from transfers f
      join tasks t on t.id = f.task_id
      left join lateral (
        select accepted_at, submitted_at from assignments
         where task_id = f.task_id and worker_id = f.worker_id and status in ('approved', 'disputed')
         order by id desc limit 1) a on true
     cross join lateral (
        select (coalesce(sum(amount_cents) filter (where credit = 'rev:commission'), 0))::bigint as commission_cents,
               json_agg(json_build_object('worker_id', worker_id, 'cents', amount_cents) order by line)
                 filter (where credit = 'liab:worker_payable') as shares
          from transfers where key = f.key) s
     where f.worker_id = ${workerId} and f.worker_statement_no is not null
       and f.credit = 'liab:worker_payable' and f.kind = any(${EARNINGS})
       and f.created_at >= ${span.start} and f.created_at < ${span.end}
     order by f.worker_statement_no`.execute(db)
  return rows.map(({ shares, ...line }) => {
    const mine = shares.findIndex(({ worker_id }) => worker_id === workerId)
    const commissions = splitByWeight(
      line.commission_cents,
      shares.map(({ cents }) => cents),
    )
    return { ...line, commission_cents: commissions[mine]! }
  })
}

async function pendingPay(db: Reader, workerId: string): Promise<Pending[]> {
  const rows = await db
    .selectFrom('assignments')
    .select(['submitted_at', 'accepted_at', 'pay_cents'])
    .where('worker_id', '=', workerId)
    .where('status', '=', 'submitted')
    .execute()
  return rows.map(({ submitted_at, accepted_at, pay_cents }) => ({
    at: submitted_at ?? accepted_at,
    pay_cents,
  }))
}

/** Held ones are still in the worker's balance; those with an account have left it. */
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

/** A payment is found by the request that is on the worker's statement; itself it moves no balance of theirs. */
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
