import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'

/**
 * Records whether a worker can be paid out. A worker who was ready once has verified their identity with the payment
 * processor, which remains true if the account is restricted later.
 */
export async function setPayoutsReady(
  tx: Tx,
  { workerId, isReady, now }: { workerId: string; isReady: boolean; now: Date },
): Promise<void> {
  await tx
    .updateTable('workers')
    .set(
      isReady
        ? {
            payouts_ready_at: sql`coalesce(payouts_ready_at, ${now})`,
            identity_done_at: sql`coalesce(identity_done_at, ${now})`,
          }
        : { payouts_ready_at: null },
    )
    .where('id', '=', workerId)
    .where('payouts_ready_at', isReady ? 'is' : 'is not', null)
    .execute()
}
