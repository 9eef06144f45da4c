/**
 * Answer a check-in: the worker is fine. Answering before being asked cancels it.
 *
 *   called by   the worker. Repeating it returns the same response
 *   moves       a check-in: waiting, asked or missed → none
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { assignmentNotFound } from '../tasks/errors.ts'
import { findOwnAssignment } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'

export const answerCheckIn = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/check-in/ok',
  name: 'answerCheckIn',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Say that you are fine',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: z.object({ check_in: z.null() }) },
  errors: [assignmentNotFound],

  async handler({ tx, runAt, shards, worker, params }) {
    const own = { taskId: params.id, workerId: worker.id }
    await runAt(shards.at(params.id), (at) => findOwnAssignment(at, own))
    await tx
      .deleteFrom('check_ins')
      .where('worker_id', '=', worker.id)
      .where('task_id', '=', params.id)
      .execute()
    return { check_in: null }
  },
})
