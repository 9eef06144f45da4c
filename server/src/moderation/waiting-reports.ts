import type { Reader } from '../kit/db.ts'

/** The number of tasks with a report that awaits an operator. */
export async function countWaitingReports(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('task_reports')
    .innerJoin('tasks', 'tasks.id', 'task_reports.task_id')
    .select(({ fn }) => fn.count<number>('task_id').distinct().as('count'))
    .where('verdict', 'is', null)
    // Operators don't handle reports in test mode.
    .where('tasks.mode', '=', 'live')
    .executeTakeFirstOrThrow()
  return count
}
