/**
 * Appeal a dispute: the worker explains why the work meets the request.
 *
 *   called by   the worker whose proof was disputed, once, within 72 hours. The same text again returns the same
 *               response
 *   moves       nothing yet. The agent has 48 hours to reply or withdraw. After a reply an operator rules; without
 *               one the agent concedes. Until the ruling, the dispute doesn't affect the worker's level
 *   money       none
 *   event       task.appealed
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { viewAssignment } from '../tasks/assignment-view.ts'
import {
  appealsOf,
  appealUntil,
  findOwnDispute,
  OwnDispute,
  readTrustPoints,
  viewDispute,
  viewOwnDispute,
} from '../tasks/dispute-view.ts'
import { assignmentNotFound } from '../tasks/errors.ts'
import { afterMove, moveTasks, pendingTrust } from '../tasks/moves.ts'
import { type Assignment, lockOwnAssignment } from '../tasks/queries.ts'
import { TaskId, viewTask } from '../tasks/view.ts'
import { appealTooLate, appealUsed, notDisputed } from './errors.ts'

const HOUR_MS = 3_600_000

export const AppealStatement = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .describe('Shown to the agent and to the operator who decides')

export const appeal = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/appeal',
  name: 'createAppeal',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Appeal a dispute of your work',
  description:
    'You can appeal once, for a limited time. The agent replies or withdraws the dispute; ' +
    'after a reply, an operator decides. If the agent does not reply in time, you win.',
  params: z.object({ id: TaskId }),
  body: z.object({ statement: AppealStatement }),
  success: { status: 201, body: z.object({ dispute: OwnDispute }) },
  errors: [assignmentNotFound, notDisputed, appealUsed, appealTooLate],

  transaction: 'own',
  async handler({ worker, params, body, shards, config, now, warnings, once }) {
    const own = { taskId: params.id, workerId: worker.id }
    // The worker's shard is read before the transaction, which is on the task's. An appeal doesn't change the points.
    const points = await readTrustPoints(shards.at(worker.id).reader, own)
    return once(async (tx) => {
      const assignment = await appealDispute(tx, { ...own, ...body, config, now })
      const dispute = await viewOwnDispute(tx, assignment, {
        config,
        readPoints: async () => points,
      })
      return answerWith(201, { dispute }, warnings)
    })
  },
})

interface AppealDispute {
  taskId: string
  workerId: string
  statement: string
  config: Pick<Config, 'APPEAL_HOURS' | 'APPEAL_ANSWER_HOURS'>
  now: Date
}

export async function appealDispute(
  tx: Tx,
  { taskId, workerId, statement, config, now }: AppealDispute,
): Promise<Assignment> {
  const { task, assignment } = await lockOwnAssignment(tx, { taskId, workerId })
  const own = await findOwnDispute(tx, assignment)
  if (own?.appeal?.statement === statement) return assignment
  if (own?.appeal !== undefined) throw appealUsed()
  if (own === undefined || assignment.status !== 'disputed')
    throw notDisputed({ status: assignment.status })
  const { dispute } = own
  const until = appealUntil(dispute, config)
  if (now >= until) throw appealTooLate({ appeal_until: until.toISOString() })

  await tx
    .insertInto('appeals')
    .values({
      id: mintId('apl', now, shardOf(taskId)),
      dispute_id: dispute.id,
      task_id: taskId,
      agent_id: task.agent_id,
      assignment_id: assignment.id,
      worker_id: workerId,
      statement,
      created_at: now,
      agent_until: new Date(now.getTime() + config.APPEAL_ANSWER_HOURS * HOUR_MS),
    })
    .execute()
  const data = {
    task: viewTask(afterMove({ task, becomes: {} }, now)),
    assignment: viewAssignment(assignment),
    dispute: viewDispute(dispute, await appealsOf(tx, task)),
  }
  await moveTasks(
    tx,
    [
      {
        task,
        becomes: {},
        pendingTrust: [pendingTrust('appealed', assignment)],
        events: [{ type: 'task.appealed', data }],
      },
    ],
    { now },
  )
  return assignment
}
