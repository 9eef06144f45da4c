/**
 * Close a missed check-in, once it is known how the worker is.
 *
 *   called by   an operator
 *   moves       a check-in: missed → none
 *   money       none
 *   event       none
 */
import type { Tx } from '../kit/db.ts'

/** Returns whether there was one. */
export async function closeCheckIn(tx: Tx, { workerId }: { workerId: string }): Promise<boolean> {
  const closed = await tx
    .deleteFrom('check_ins')
    .where('worker_id', '=', workerId)
    .where('missed_at', 'is not', null)
    .returning('worker_id')
    .executeTakeFirst()
  return closed !== undefined
}
