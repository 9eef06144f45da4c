/** Applies an operator's decision on the reports about a task. */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endWithoutVerdict } from '../tasks/end-without-verdict.ts'
import { showTaskAgain } from '../tasks/listing.ts'
import { moveTasks } from '../tasks/moves.ts'
import { lockWork, type Task } from '../tasks/queries.ts'
import { canMove } from '../tasks/status.ts'
import { isScreened } from './screenings.ts'

export interface ReportDecision {
  taskId: string
  /**
   * `cleared`: the task is fine and can be accepted again. `upheld`: nobody should do the task. It is canceled, and its
   * workers are paid as if the agent had canceled it. A task that awaits its verdict isn't canceled; its agent still
   * decides, so that workers who have done the work are paid for it.
   */
  verdict: 'cleared' | 'upheld'
}

/** How a reported task ends. */
export const REPORTED = ({ CANCEL_PERCENT }: Pick<Config, 'CANCEL_PERCENT'>) => ({
  status: 'cancelled' as const,
  reason: 'reported',
  payFor: { held: CANCEL_PERCENT, submitted: 100 },
})

/** Returns the task after the decision, or undefined if it has no undecided report. */
export async function decideReport(
  tx: Tx,
  { taskId, verdict }: ReportDecision,
  { config, now }: { config: Pick<Config, 'CANCEL_PERCENT'>; now: Date },
): Promise<Task | undefined> {
  const found = await tx
    .selectFrom('tasks')
    .select('agent_id')
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const work = await lockWork(tx, { taskId, agentId: found.agent_id })
  const { numUpdatedRows } = await tx
    .updateTable('task_reports')
    .set({ verdict, decided_at: now })
    .where('task_id', '=', taskId)
    .where('verdict', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined

  // A task that also waits for its screening stays hidden until that is decided.
  if (verdict === 'cleared')
    return isScreened(work.task) ? work.task : showTaskAgain(tx, work.task, now)
  if (!canMove(work.task.status, 'cancelled')) return work.task
  const move = endWithoutVerdict(work, { ...REPORTED(config), now })
  const [cancelled] = await moveTasks(tx, [move], { now })
  return cancelled!
}
