/** Decide on the reports about a task, at an operator's word. */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endWithoutVerdict } from '../tasks/end-without-verdict.ts'
import { showTaskAgain } from '../tasks/listing.ts'
import { moveTasks } from '../tasks/moves.ts'
import { lockWork, type Task } from '../tasks/queries.ts'
import { canMove } from '../tasks/status.ts'

export interface ReportDecision {
  taskId: string
  /**
   * `cleared`: nothing is wrong with it, and it can be taken again. `upheld`: nobody should do it. It is cancelled, and
   * its workers are paid as if the agent had done so; a task that waits for its verdict gets that, and those who have
   * done the work are paid for it.
   */
  verdict: 'cleared' | 'upheld'
}

/** The task as it is then; undefined when no report about it waits. */
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

  if (verdict === 'cleared') return showTaskAgain(tx, work.task, now)
  if (!canMove(work.task.status, 'cancelled')) return work.task
  const move = endWithoutVerdict(work, {
    status: 'cancelled',
    reason: 'reported',
    payFor: { held: config.CANCEL_PERCENT, submitted: 100 },
    now,
  })
  const [cancelled] = await moveTasks(tx, [move], { now })
  return cancelled!
}
