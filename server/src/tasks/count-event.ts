import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'

/** Returns the next sequence number for an event without a task transition, such as a completed payout. */
export async function countEvent(tx: Tx, taskId: string): Promise<number> {
  const { event_sequence } = await tx
    .updateTable('tasks')
    .set({ event_sequence: sql<number>`event_sequence + 1` })
    .where('id', '=', taskId)
    .returning('event_sequence')
    .executeTakeFirstOrThrow()
  return event_sequence
}
