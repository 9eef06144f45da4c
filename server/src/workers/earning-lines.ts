/** A worker's earnings, line by line, from the ledger; and the date ranges that a worker may request. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { splitByWeight } from '../kit/money.ts'
import type { Kind } from '../ledger/movements.ts'
import type { Earning } from './earnings.ts'
import { dateOf, isTimeZone, type Span, spanBetween } from './periods.ts'

const DAYS_MAX = 3660
/** Movements that pay a worker, always keyed by a task. All other movements only return what was paid before. */
export const EARNINGS = [
  'escrow_release',
  'cancel_compensation',
  'tip',
  'goodwill',
] as const satisfies Kind[]
export type EarningKind = (typeof EARNINGS)[number]

const day = z.iso.date('must be a date such as 2026-03-29').optional()

export const DaysQuery = {
  from: day.describe('The first day; by default the day you registered'),
  to: day.describe('The last day; by default today'),
  tz: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone such as Europe/Paris')
    .default('UTC')
    .describe('The time zone in which days begin and end'),
}

interface Days {
  from?: string | undefined
  to?: string | undefined
  tz: string
}

export function daysAsked(asked: Days, { now, since }: { now: Date; since: Date }): Span {
  const { tz } = asked
  const to = asked.to ?? dateOf(now, tz)
  const first = dateOf(since, tz)
  const from = asked.from ?? (first < to ? first : to)
  if (from > to) throw invalidField('from', 'must not be after to')
  if (Date.parse(to) - Date.parse(from) > DAYS_MAX * 86_400_000)
    throw invalidField('from', 'must be at most ten years before to')
  return spanBetween({ from, to, tz })
}

export interface EarningLine extends Earning {
  id: string
  kind: EarningKind
  /** The line number in the worker's statement; it increases over time. */
  statement_no: number
}

interface Lines {
  workerId: string
  span: Pick<Span, 'start' | 'end'>
  /** Only lines of this task. */
  taskId?: string | undefined
  /** Pagination: at most `limit` lines before this statement line; by default all lines. */
  before?: number | undefined
  limit?: number
}

interface Row extends EarningLine {
  /** The worker's part of the commission, if the task is on another shard. */
  away_commission_cents: number | null
  shares: Share[]
}

interface Share {
  worker_id: string
  cents: number
}

/**
 * Every line that paid the worker, newest first. The commission of a settlement is split among its workers in
 * proportion to their pay, so that gross minus commission equals net, for each worker and in total.
 */
export async function earningLines(
  db: Reader,
  { workerId, span, taskId, before, limit }: Lines,
): Promise<EarningLine[]> {
  const { rows } = await sql<Row>`
    select f.id, f.kind, f.worker_statement_no as statement_no, f.created_at as at, f.amount_cents as net_cents,
           f.task_id, t.type, s.commission_cents, s.shares, c.commission_cents as away_commission_cents,
           (extract(epoch from a.submitted_at - a.accepted_at) * 1000)::float8 as worked_ms
      from transfers f
      join worker_tasks t on t.id = f.task_id
      left join away_commissions c on c.worker_id = f.worker_id and c.key = f.key
      left join lateral (
        select accepted_at, submitted_at from worker_assignments
         where task_id = f.task_id and worker_id = f.worker_id and status in ('approved', 'disputed')
         order by id desc limit 1) a on true
     cross join lateral (
        select (coalesce(sum(amount_cents) filter (where credit = 'rev:commission'), 0))::bigint as commission_cents,
               json_agg(json_build_object('worker_id', worker_id, 'cents', amount_cents) order by line)
                 filter (where worker_id is not null) as shares
          from transfers where key = f.key) s
     where f.worker_id = ${workerId} and f.worker_statement_no is not null
       and f.worker_statement_no < ${before ?? Number.MAX_SAFE_INTEGER}
       and f.credit = 'liab:worker_payable' and f.kind = any(${EARNINGS})
       and f.created_at >= ${span.start} and f.created_at < ${span.end}
       and (${taskId ?? null}::text is null or f.task_id = ${taskId ?? null})
     order by f.worker_statement_no desc limit ${limit ?? null}`.execute(db)
  return rows.map(({ shares, away_commission_cents, ...line }) => ({
    ...line,
    commission_cents: away_commission_cents ?? commissionPart(workerId, line, shares),
  }))
}

/** The part of a settlement's commission that one of its workers bears. */
function commissionPart(
  workerId: string,
  { commission_cents }: Pick<EarningLine, 'commission_cents'>,
  shares: readonly Share[],
): number {
  const mine = shares.findIndex(({ worker_id }) => worker_id === workerId)
  const parts = splitByWeight(
    commission_cents,
    shares.map(({ cents }) => cents),
  )
  return parts[mine]!
}
