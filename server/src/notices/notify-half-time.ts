/**
 * Notify a worker that half of the time for a task has passed.
 *
 *   called by   the event assignment.half
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { job } from '../kit/job.ts'
import { Work } from '../webhooks/record-event.ts'
import { tellWorker } from './tell.ts'
import { aboutTask } from './notify-task.ts'

export const notifyHalfTime = job({
  name: 'notices.tell-of-half-time',
  payload: Work,
  attemptsMax: 5,
  events: ['assignment.half'],

  async run({ db, clock, config, payload }) {
    const held = await db.reader
      .selectFrom('assignments')
      .select(['id', 'worker_id', 'task_id', 'pay_cents', 'expires_at'])
      .where('id', '=', payload.data.id)
      .where('status', '=', 'accepted')
      .executeTakeFirst()
    const now = clock.now()
    if (held === undefined || held.expires_at <= now) return
    const task = await aboutTask(db.shards, held.task_id)
    await db.shards.at(held.worker_id).transaction((tx) =>
      tellWorker(
        tx,
        {
          workerId: held.worker_id,
          kind: 'half_time',
          cause: held.id,
          task,
          amountCents: held.pay_cents,
          until: held.expires_at,
          isPressing: true,
        },
        { config, now },
      ),
    )
  },
})
