/**
 * Ask a worker to redo a proof, once: the same worker gets a new timer and a note about what is missing.
 *
 *   called by   the agent that owns the task
 *   moves       proof_submitted → in_progress
 *   money       none; it stays in escrow
 *   event       task.revision_requested
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { idOf } from '../kit/ids.ts'
import { taskRefused } from '../screening/errors.ts'
import { refusalOfNote } from '../screening/screen.ts'
import { viewAssignment } from './assignment-view.ts'
import { invalidState, revisionUsed, stateOf, taskNotFound } from './errors.ts'
import { afterMove, moveTasks } from './moves.ts'
import { type Assignment, hasLeftUnsafe, lockWork, type OwnTask, type Task } from './queries.ts'
import { workUntil } from './timers.ts'
import { TaskId, TaskView, viewTask } from './view.ts'

export const requestRevision = endpoint({
  method: 'POST',
  path: '/tasks/:id/request-revision',
  name: 'requestRevision',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Request a revision of a proof',
  params: z.object({ id: TaskId }),
  body: z.object({
    note: z.string().trim().min(1).max(2000).describe('What is missing; shown to the worker'),
    assignment_id: idOf('asg', 'an assignment')
      .optional()
      .describe('Which proof, if there are several'),
  }),
  success: { status: 200, body: z.object({ task: TaskView }) },
  errors: [taskNotFound, taskRefused, invalidState, revisionUsed],

  async handler({ tx, agent, params, body, config, now }) {
    const task = await requestTaskRevision(tx, {
      taskId: params.id,
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      note: body.note,
      assignmentId: body.assignment_id,
      config,
      now,
    })
    return { task: viewTask(task) }
  },
})

export async function requestTaskRevision(
  tx: Tx,
  {
    taskId,
    agentId,
    visibleKeyId,
    note,
    assignmentId,
    config,
    now,
  }: OwnTask & {
    note: string
    assignmentId: string | undefined
    config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>
    now: Date
  },
): Promise<Task> {
  const { task, assignments } = await lockWork(tx, { taskId, agentId, visibleKeyId })
  const refusal = refusalOfNote(task, note, config)
  if (refusal !== undefined) throw refusal
  const isOverdue = task.deadline <= now
  if (task.status !== 'proof_submitted' || task.status_reason === 'dispute_held' || isOverdue)
    throw invalidState(stateOf(task))
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const asked =
    assignmentId === undefined && standing.length === 1
      ? standing[0]
      : standing.find(({ id }) => id === assignmentId)
  if (asked === undefined)
    throw invalidField('assignment_id', 'must be the assignment of a submitted proof')
  if (hasLeftUnsafe(asked))
    throw invalidField('assignment_id', 'must not be of a worker who left an unsafe place')
  if (asked.revisions > 0) throw revisionUsed()

  const again: Assignment = {
    ...asked,
    status: 'accepted',
    revision_note: note,
    revisions: asked.revisions + 1,
    expires_at: workUntil(task, now),
  }
  const becomes = {
    status: 'in_progress' as const,
    status_reason: null,
    proofs_received: task.proofs_received - 1,
    proof_at: null,
    review_due_at: null,
    consensus: null,
  }
  const data = {
    task: viewTask(afterMove({ task, becomes }, now)),
    assignment: viewAssignment(again),
  }
  const events = [{ type: 'task.revision_requested' as const, data }]
  const [moved] = await moveTasks(tx, [{ task, becomes, assignments: [again], events }], { now })
  return moved!
}
