/** The held disputes that await an operator. */
import type { Reader } from '../kit/db.ts'

/** The number of waiting disputes, and when the oldest of them was created. */
export async function waitingHeldDisputes(
  db: Reader,
): Promise<{ count: number; oldest: Date | null }> {
  return heldDisputes(db)
    .clearOrderBy()
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<Date | null>('disputes.created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
}

/** Excludes test mode, which has no operators: there, held disputes lapse when their time is up. */
export const heldDisputes = (db: Reader) =>
  db
    .selectFrom('disputes')
    .innerJoin('tasks', 'tasks.id', 'disputes.task_id')
    .where('disputes.status', '=', 'held')
    .where('tasks.mode', '=', 'live')
    .orderBy('disputes.decides_by')
    .orderBy('disputes.id')
