/** The held disputes that wait for an operator. */
import type { Reader } from '../kit/db.ts'

/** How many wait, and since when the one that has waited longest. */
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

/** Test mode has no operators: there the clock decides. */
export const heldDisputes = (db: Reader) =>
  db
    .selectFrom('disputes')
    .innerJoin('tasks', 'tasks.id', 'disputes.task_id')
    .where('disputes.status', '=', 'held')
    .where('tasks.mode', '=', 'live')
    .orderBy('disputes.decides_by')
    .orderBy('disputes.id')
