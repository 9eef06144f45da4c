/**
 * Notify a worker that a payout has arrived or failed.
 *
 *   called by   the events payout.tell and payout.failed
 *   moves       nothing
 *   money       none
 *   event       none; notice.mail (ours) if no device can be notified of a failure
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'
import { Work } from '../webhooks/record-event.ts'
import { tellWorker } from './tell.ts'
import { aboutTask } from './notify-task.ts'

export const notifyPayout = job({
  name: 'notices.tell-of-payout',
  payload: Work.extend({ type: z.enum(['payout.tell', 'payout.failed']) }),
  attemptsMax: 12,
  events: ['payout.tell', 'payout.failed'],

  async run({ db, clock, config, payload }) {
    const payout = await db.reader
      .selectFrom('payouts')
      .select(['id', 'worker_id', 'task_id', 'amount_cents', 'failure_code'])
      .where('id', '=', payload.data.id)
      .executeTakeFirstOrThrow()
    const task = await aboutTask(db.shards, payout.task_id)
    const hasFailed = payload.type === 'payout.failed'
    await db.transaction((tx) =>
      tellWorker(
        tx,
        {
          workerId: payout.worker_id,
          kind: hasFailed ? 'payout_failed' : 'payout_paid',
          cause: payout.id,
          task,
          amountCents: payout.amount_cents,
          reason: hasFailed ? payout.failure_code : null,
        },
        { config, now: clock.now() },
      ),
    )
  },
})
