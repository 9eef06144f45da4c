/**
 * Notify a worker that their level fell because they did not appeal a dispute of their work in time.
 *
 *   called by   the event worker.level_lowered
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'
import { tellWorker } from './tell.ts'
import { aboutTask } from './notify-task.ts'

const Payload = z.object({
  data: z.object({
    id: z.string().describe('The key of the trust event'),
    worker_id: z.string(),
    task_id: z.string(),
    level: z.int(),
  }),
})

export const notifyLevelLowered = job({
  name: 'notices.notify-level-lowered',
  payload: Payload,
  attemptsMax: 12,
  events: ['worker.level_lowered'],

  async run({ db, clock, config, payload }) {
    const { id, worker_id, task_id, level } = payload.data
    const task = await aboutTask(db.shards, task_id)
    await db.shards
      .at(worker_id)
      .transaction((tx) =>
        tellWorker(
          tx,
          { workerId: worker_id, kind: 'level_lowered', cause: id, task, reason: String(level) },
          { config, now: clock.now() },
        ),
      )
  },
})
