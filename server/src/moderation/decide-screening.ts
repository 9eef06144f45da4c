/** Applies an operator's decision about a task that waits for its screening. */
import type { Tx } from '../kit/db.ts'
import { lockWork, type Task } from '../tasks/queries.ts'
import { endScreening } from './screenings.ts'

/** Returns the task after the decision, or undefined if it doesn't wait for one. */
export async function decideScreening(
  tx: Tx,
  {
    taskId,
    ...decided
  }: { taskId: string; decision: 'cleared' | 'refused'; note: string; now: Date },
): Promise<Task | undefined> {
  const found = await tx
    .selectFrom('tasks')
    .select('agent_id')
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const work = await lockWork(tx, { taskId, agentId: found.agent_id })
  return endScreening(tx, work, decided)
}
