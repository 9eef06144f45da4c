/**
 * Release a task: its slot becomes free for other workers.
 *
 *   called by   the worker who holds it
 *   moves       in_progress → pending, unless others hold it or have sent proof
 *   money       none
 *   event       task.released; task.approval_due if it was a revision and the last missing proof
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { OwnAssignment, viewOwnAssignment } from './assignment-view.ts'
import { assignmentEnded, assignmentNotFound } from './errors.ts'
import { giveUp } from './give-up.ts'
import { moveTasks } from './moves.ts'
import { type Assignment, lockOwnAssignment, type Task } from './queries.ts'
import { TaskId } from './view.ts'

/** Reasons without a trust penalty: leaving an unsafe place must never count against a worker. */
const FREE_REASONS = ['unsafe']

export const release = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/release',
  name: 'releaseTask',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Release a task',
  description:
    'Within five minutes of accepting it, or with the reason `unsafe`, this does not affect your trust score.',
  params: z.object({ id: TaskId }),
  body: z.object({ reason: z.string().trim().min(1).max(500).optional() }),
  success: { status: 200, body: z.object({ assignment: OwnAssignment }) },
  errors: [assignmentNotFound, assignmentEnded],

  async handler({ tx, worker, params, body, now, config }) {
    const { task, assignment } = await releaseTask(tx, {
      taskId: params.id,
      workerId: worker.id,
      reason: body.reason ?? null,
      freeMs: config.RELEASE_FREE_MINUTES * 60_000,
      now,
    })
    return { assignment: viewOwnAssignment(assignment, task) }
  },
})

export async function releaseTask(
  tx: Tx,
  {
    taskId,
    workerId,
    reason,
    freeMs,
    now,
  }: { taskId: string; workerId: string; reason: string | null; freeMs: number; now: Date },
): Promise<{ task: Task; assignment: Assignment }> {
  const work = await lockOwnAssignment(tx, { taskId, workerId })
  const { assignment } = work
  if (assignment.status === 'released') return work
  if (assignment.status !== 'accepted') throw assignmentEnded({ status: assignment.status })

  const isEarly = now.getTime() - assignment.accepted_at.getTime() <= freeMs
  const isFree = isEarly || (reason !== null && FREE_REASONS.includes(reason))
  const move = await giveUp(tx, work, assignment, {
    as: 'released',
    reason,
    isHeldAgainst: !isFree,
    now,
  })
  const [task] = await moveTasks(tx, [move], { now })
  const [after] = move.assignments ?? []
  assert(task && after)
  return { task, assignment: after }
}
