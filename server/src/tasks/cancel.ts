/**
 * Cancel a task that no worker has taken: its whole budget comes back.
 *
 *   called by   the agent that owns the task
 *   moves       pending → cancelled
 *   money       escrow → wallet; for a free task escrow → promotional fund, and the free task comes back
 *   event       task.cancelled
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import { invalidState, taskNotFound } from './errors.ts'
import { lockTask, type Task } from './queries.ts'
import { refundAndEnd } from './refund.ts'
import { TaskId, TaskView, viewTask } from './view.ts'

export const cancel = endpoint({
  method: 'POST',
  path: '/tasks/:id/cancel',
  auth: 'agent',
  summary: 'Cancel a task',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: z.object({ task: TaskView, refunded_cents: z.int() }) },
  errors: [taskNotFound, invalidState],

  async handler({ tx, agent, params, now }) {
    const task = await cancelTask(tx, { taskId: params.id, agentId: agent.id, now })
    return {
      task: viewTask(task),
      refunded_cents: task.funding === 'wallet' ? task.locked_cents : 0,
    }
  },
})

export async function cancelTask(
  tx: Tx,
  { taskId, agentId, now }: { taskId: string; agentId: string; now: Date },
): Promise<Task> {
  const task = await lockTask(tx, { taskId, agentId })
  if (task.status === 'cancelled') return task
  // Whoever has taken it is owed a part, which this operation does not know how to pay.
  if (task.status !== 'pending') throw invalidState({ status: task.status })

  const [cancelled] = await refundAndEnd(tx, [task], {
    to: 'cancelled',
    reason: 'cancelled_by_agent',
    now,
  })
  assert(cancelled)
  await recordEvents(tx, [
    { type: 'task.cancelled', agentId, taskId, data: { task: viewTask(cancelled) }, now },
  ])
  return cancelled
}
