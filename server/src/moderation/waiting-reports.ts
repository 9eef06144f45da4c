import type { Reader } from '../kit/db.ts'

/** How many tasks have a report that waits for an operator. */
export async function countWaitingReports(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('task_reports')
    .innerJoin('tasks', 'tasks.id', 'task_reports.task_id')
    .select(({ fn }) => fn.count<number>('task_id').distinct().as('count'))
    .where('verdict', 'is', null)
    // Reports in test mode reach no operator.
    .where('tasks.mode', '=', 'live')
    .executeTakeFirstOrThrow()
  return count
}
