/**
 * Leave a place that is not safe. It counts as proof that the task is not possible, and never against the worker.
 *
 *   called by   the worker who holds the task. Repeating it returns the same response
 *   moves       in_progress → proof_submitted with the last needed proof; → completed if the worker is paid at once
 *   money       as in approve.ts for `not_possible`: at once, or with the agent's verdict (exits.ts)
 *   event       task.proof_submitted, then task.completed if paid at once; task.approval_due after a revision
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { decideApproval } from '../tasks/approve.ts'
import { OwnAssignment, viewOwnAssignment } from '../tasks/assignment-view.ts'
import { assignmentEnded, assignmentNotFound } from '../tasks/errors.ts'
import { giveUp } from '../tasks/give-up.ts'
import { moveTasks } from '../tasks/moves.ts'
import {
  type Assignment,
  findOwnAssignment,
  hasLeftUnsafe,
  lockOwnAssignment,
  type Task,
  UNSAFE,
  type Work,
} from '../tasks/queries.ts'
import { submitTaskProof } from '../tasks/submit-proof.ts'
import { TaskId } from '../tasks/view.ts'
import { recordExit } from './exits.ts'

export const leaveUnsafe = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/unsafe',
  name: 'leaveUnsafePlace',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Leave a task because the place is not safe',
  description:
    'Ends your assignment as `not_possible`, without affecting your trust score, and tells the ' +
    'agent that the place was not safe. You are paid like for other proof that a task is not ' +
    'possible: at once if this is rare, otherwise once the agent approves it or does not reply.',
  params: z.object({ id: TaskId }),
  body: z.object({
    reason: z.string().trim().min(1).max(2000).optional().describe('Shown to the agent'),
  }),
  success: { status: 200, body: z.object({ assignment: OwnAssignment }) },
  errors: [assignmentNotFound, assignmentEnded],

  transaction: 'own',
  async handler({ db, shards, worker, params, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const own = { taskId: params.id, workerId: worker.id }
    const found = await findOwnAssignment(db.reader, own).catch((error: unknown) =>
      // Store the error under the idempotency key, like any other response.
      once(async () => {
        throw error
      }),
    )
    if ('isReplay' in found) return found
    const { status, submitted_at } = found.assignment
    const isPaidAtOnce =
      status === 'accepted' &&
      submitted_at === null &&
      (await shards.at(worker.id).transaction((tx) => recordExit(tx, found, { config, now })))
    return once(async (tx) => {
      const reason = body.reason ?? null
      const { task, assignment } = await leaveUnsafePlace(tx, {
        ...own,
        reason,
        isPaidAtOnce,
        config,
        now,
      })
      return answerWith(200, { assignment: viewOwnAssignment(assignment, task) }, warnings)
    })
  },
})

interface LeaveUnsafePlace {
  taskId: string
  workerId: string
  reason: string | null
  isPaidAtOnce: boolean
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

export async function leaveUnsafePlace(
  tx: Tx,
  { taskId, workerId, reason, isPaidAtOnce, config, now }: LeaveUnsafePlace,
): Promise<{ task: Task; assignment: Assignment }> {
  const own = { taskId, workerId }
  const work = await lockOwnAssignment(tx, own)
  const { assignment } = work
  if (hasLeftUnsafe(assignment)) return work
  if (assignment.status !== 'accepted') throw assignmentEnded({ status: assignment.status })
  if (assignment.submitted_at !== null) return standByProof(tx, work, now)

  await submitTaskProof(tx, {
    ...own,
    input: {
      text: reason ?? 'The worker left because the place was not safe.',
      answer: undefined,
      media: [],
      location: null,
      capturedAt: null,
      outcome: 'not_possible',
    },
    answer: null,
    files: [],
    isUnsafe: true,
    now,
  })
  const submitted = await lockOwnAssignment(tx, own)
  if (!isPaidAtOnce || submitted.task.status !== 'proof_submitted') return submitted
  const { move } = decideApproval(submitted, { by: 'auto', config, now })
  assert(move)
  await moveTasks(tx, [move], { now })
  return lockOwnAssignment(tx, own)
}

/** A worker who leaves during a revision doesn't lose the first proof: it counts again. */
async function standByProof(
  tx: Tx,
  work: Work & { assignment: Assignment },
  now: Date,
): Promise<{ task: Task; assignment: Assignment }> {
  const move = await giveUp(tx, work, work.assignment, {
    as: 'released',
    reason: UNSAFE,
    isHeldAgainst: false,
    now,
  })
  const [slot] = move.assignments ?? []
  assert(slot)
  const assignment = { ...slot, reason: UNSAFE }
  const [task] = await moveTasks(tx, [{ ...move, assignments: [assignment] }], { now })
  return { task: task!, assignment }
}
