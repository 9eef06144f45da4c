/**
 * Ask a worker whether they are fine, at the time that they chose.
 *
 *   called by   the event check_in.due
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'
import { aboutTask } from './notify-task.ts'
import { tellWorker } from './tell.ts'

const Payload = z.object({
  data: z.object({ id: z.string(), task_id: z.string(), at: z.string() }),
})

export const notifyCheckIn = job({
  name: 'notices.notify-check-in',
  payload: Payload,
  attemptsMax: 12,
  events: ['check_in.due'],

  async run({ db, clock, config, payload }) {
    const { id: workerId, task_id, at } = payload.data
    const task = await aboutTask(db.shards, task_id)
    const news = { workerId, kind: 'check_in' as const, cause: `${task_id} ${at}`, task }
    await db.shards
      .at(workerId)
      .transaction((tx) =>
        tellWorker(tx, { ...news, isPressing: true }, { config, now: clock.now() }),
      )
  },
})
