/**
 * Ask to be checked on at a time. Setting another one replaces it.
 *
 *   called by   the worker who holds the task
 *   moves       a check-in: none or any → waiting
 *   money       none
 *   event       none; at its time check_in.due (ours)
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { assignmentEnded, assignmentNotFound } from '../tasks/errors.ts'
import { findOwnAssignment } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { type CheckIn, CheckInView, viewCheckIn } from './check-ins.ts'

const LONGEST_MS = 24 * 3_600_000

export const setCheckIn = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/check-in',
  name: 'setCheckIn',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Ask to be checked on',
  description:
    'At `at` we ask whether you are fine. If you don’t answer, a person on our team sees it. ' +
    'Sending proof, handing the task back and leaving it as unsafe are answers, too.',
  params: z.object({ id: TaskId }),
  body: z.object({
    at: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).max(40),
    contact: z.string().trim().min(1).max(200).nullish().describe('Whom to call, and how'),
  }),
  success: { status: 200, body: z.object({ check_in: CheckInView }) },
  errors: [assignmentNotFound, assignmentEnded],

  async handler({ tx, runAt, shards, worker, params, body, now }) {
    const own = { taskId: params.id, workerId: worker.id }
    const { assignment } = await runAt(shards.at(params.id), (at) => findOwnAssignment(at, own))
    if (assignment.status !== 'accepted') throw assignmentEnded({ status: assignment.status })
    const at = new Date(body.at)
    if (at <= now || at.getTime() - now.getTime() > LONGEST_MS)
      throw invalidField('at', 'must be within the next 24 hours')
    const row = await saveCheckIn(tx, { ...own, at, contact: body.contact ?? null, now })
    return { check_in: viewCheckIn(row) }
  },
})

interface SaveCheckIn {
  taskId: string
  workerId: string
  at: Date
  contact: string | null
  now: Date
}

async function saveCheckIn(
  tx: Tx,
  { taskId, workerId, at, contact, now }: SaveCheckIn,
): Promise<CheckIn> {
  const fields = {
    task_id: taskId,
    at,
    contact,
    created_at: now,
    asked_at: null,
    missed_at: null,
    check_at: at,
  }
  return tx
    .insertInto('check_ins')
    .values({ worker_id: workerId, ...fields })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet(fields))
    .returningAll()
    .executeTakeFirstOrThrow()
}
