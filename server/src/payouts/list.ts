/**
 * List the worker's payouts: those that have arrived, those in transit, and those that wait, with the reason.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf, idPattern } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import { titleOf } from '../kit/words.ts'
import type { Payout } from './queries.ts'
import { PayoutView, viewPayout } from './view.ts'

/** Why a payout has not arrived: a code for apps, and its meaning for the worker. */
const REASONS = {
  new_funds:
    'The money was deposited recently; it is paid out once the bank can no longer reverse the payment',
  free_task: 'Earnings from free tasks are held for a few days',
  promo_budget: 'Today’s limit for payouts of free tasks is used up; payouts continue tomorrow',
  review: 'We are reviewing this payout; you don’t have to do anything',
  payouts_stopped: 'Payouts are paused and will resume automatically',
  no_account: 'Your payout account is not ready; you are paid as soon as it is',
  awaiting_funds: 'Payments to us are still on their way; you are paid when they arrive',
  account_changed:
    'Your payout account was replaced while the payout was on its way. We will send it to the ' +
    'new account automatically',
  refused:
    'The payment processor rejected the payout. The money is still yours: check your payout ' +
    'account. We will try again automatically',
  taken_back: 'The payout was reversed; contact support to find out why',
} as const
type Reason = keyof typeof REASONS

const OwnPayout = named(
  'OwnPayout',
  PayoutView.pick({
    id: true,
    amount_cents: true,
    status: true,
    available_at: true,
  }).extend({
    reason: z.string().optional().describe('Why it has not been paid, for people to read'),
    reason_code: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]).optional(),
    task_id: z.string(),
    title: z.string(),
    created_at: z.iso.datetime(),
    paid_at: z.iso.datetime().nullable(),
  }),
)

const Query = z.object({
  task_id: idOf('task', 'a task').optional().describe('Only payouts for this task'),
  limit: Limit,
  cursor: z.string().regex(idPattern('po'), 'must be a cursor of this list').optional(),
})

export const list = endpoint({
  method: 'GET',
  path: '/worker/payouts',
  name: 'listPayouts',
  auth: 'worker',
  summary: 'List your payouts',
  description: 'Newest first. If a payout was sent again, only the last attempt is shown.',
  query: Query,
  success: {
    status: 200,
    body: z.object({ payouts: z.array(OwnPayout), next_cursor: z.string().nullable() }),
  },
  errors: [],

  async handler({ db, worker, query }) {
    const found = await ownPayouts(db, { workerId: worker.id, ...query })
    const page = found.slice(0, query.limit)
    return {
      payouts: page.map(viewOwn),
      next_cursor: found.length > query.limit ? page.at(-1)!.id : null,
    }
  },
})

interface OwnRow extends Payout {
  title: string | null
  description: string
}

/** Fetches one row more than a page holds, to tell whether there is a next page. */
function ownPayouts(
  db: Reader,
  { workerId, task_id, limit, cursor }: z.output<typeof Query> & { workerId: string },
): Promise<OwnRow[]> {
  let rows = db
    .selectFrom('payouts')
    .innerJoin('worker_tasks as t', 't.id', 'payouts.task_id')
    .selectAll('payouts')
    .select(['t.title', 't.description'])
    .where('payouts.worker_id', '=', workerId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payouts as next')
            .select('next.id')
            .whereRef('next.previous_id', '=', 'payouts.id'),
        ),
      ),
    )
    .orderBy('payouts.id', 'desc')
    .limit(limit + 1)
  if (task_id !== undefined) rows = rows.where('payouts.task_id', '=', task_id)
  if (cursor !== undefined) rows = rows.where('payouts.id', '<', cursor)
  return rows.execute()
}

function viewOwn(payout: OwnRow): z.output<typeof OwnPayout> {
  const { worker_id: _, reason: __, ...shown } = viewPayout(payout)
  const reason = reasonFor(payout)
  return {
    ...shown,
    ...(reason === undefined ? {} : { reason: REASONS[reason], reason_code: reason }),
    task_id: payout.task_id,
    title: payout.title ?? titleOf(payout.description),
    created_at: payout.created_at.toISOString(),
    paid_at: payout.paid_at?.toISOString() ?? null,
  }
}

function reasonFor({ status, hold_reason, failure_code }: Payout): Reason | undefined {
  switch (status) {
    case 'held':
      // Do not reveal the suspicion: the worker is told only that a person is reviewing the payout.
      return hold_reason === 'self_dealing' ? 'review' : (hold_reason ?? 'payouts_stopped')
    case 'awaiting_account':
      return 'no_account'
    case 'awaiting_funds':
      return 'awaiting_funds'
    case 'failed':
      return failure_code === 'account_changed' ? 'account_changed' : 'refused'
    case 'reversed':
      return 'taken_back'
    default:
      return undefined
  }
}
