/**
 * Takes the deadline off the notice of a dispute once the worker has appealed or the dispute is decided: the inbox must
 * not ask for an appeal that was made.
 *
 *   called by   the events of a task
 *   moves       a notice: its deadline ends
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'

const TYPES = ['task.appealed', 'task.dispute_resolved'] as const

const Payload = z.object({ id: z.string(), type: z.enum(TYPES), created_at: z.coerce.date() })

const OfWorker = z.object({ worker_id: z.string() })
/** An appeal is about one assignment, a decision about one or more. */
const Data = z.object({
  dispute: z.object({ id: z.string() }),
  assignment: OfWorker.optional(),
  assignments: z.array(OfWorker).default([]),
})

export const endAppealDeadline = job({
  name: 'notices.end-appeal-deadline',
  payload: Payload,
  attemptsMax: 12,
  events: TYPES,

  async run({ db, payload }) {
    const event = await db.reader
      .selectFrom('events')
      .select('data')
      .where('id', '=', payload.id)
      .where('created_at', '=', payload.created_at)
      .executeTakeFirstOrThrow()
    const { dispute, assignment, assignments } = Data.parse(event.data)
    // Workers are on different shards, so each has a transaction.
    for (const { worker_id } of assignment ? [assignment] : assignments)
      await db.shards
        .at(worker_id)
        .transaction((tx) =>
          tx
            .updateTable('notices')
            .set({ until: null })
            .where('worker_id', '=', worker_id)
            .where('kind', '=', 'disputed')
            .where('cause', '=', dispute.id)
            .execute(),
        )
  },
})
