/**
 * Cancel a task: work on it stops, and the unearned budget is refunded.
 *
 *   called by   the agent that owns the task. Canceling twice returns the same response
 *   moves       pending → cancelled, in_progress → cancelled
 *   money       escrow → each worker who holds it: 30% of the share, at least $1, or the whole share if that is less.
 *               A worker who has sent proof gets the full promised pay, and for that escrow → commission. The rest →
 *               wallet; for a free task → promotional fund, and the free task is restored if nobody had accepted it
 *   event       task.cancelled
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidState, stateOf, taskNotFound } from './errors.ts'
import { endWithoutVerdict } from './end-without-verdict.ts'
import { moveTasks } from './moves.ts'
import { lockWork, type OwnTask, type Task } from './queries.ts'
import { canMove } from './status.ts'
import { TaskId, TaskView, viewTask } from './view.ts'

export const cancel = endpoint({
  method: 'POST',
  path: '/tasks/:id/cancel',
  name: 'cancelTask',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Cancel a task',
  description:
    'Workers who have already accepted it are paid a part of the budget; the rest is refunded.',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: z.object({ task: TaskView, refunded_cents: z.int() }) },
  errors: [taskNotFound, invalidState],

  async handler({ tx, agent, params, config, now }) {
    const task = await cancelTask(tx, {
      taskId: params.id,
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      config,
      now,
    })
    const { refunded_cents } = task.settlement as { refunded_cents: number }
    return {
      task: viewTask(task),
      refunded_cents: task.funding === 'wallet' ? refunded_cents : 0,
    }
  },
})

export async function cancelTask(
  tx: Tx,
  {
    taskId,
    agentId,
    visibleKeyId,
    config,
    now,
  }: OwnTask & {
    config: Pick<Config, 'CANCEL_PERCENT'>
    now: Date
  },
): Promise<Task> {
  const work = await lockWork(tx, { taskId, agentId, visibleKeyId })
  if (work.task.status === 'cancelled') return work.task
  if (!canMove(work.task.status, 'cancelled')) throw invalidState(stateOf(work.task))

  const move = endWithoutVerdict(work, {
    status: 'cancelled',
    reason: 'cancelled_by_agent',
    payFor: { held: config.CANCEL_PERCENT, submitted: 100 },
    now,
  })
  const [cancelled] = await moveTasks(tx, [move], { now })
  return cancelled!
}
