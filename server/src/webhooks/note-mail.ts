import type { Tx } from '../kit/db.ts'

/** The owner of a receiver was written to: not again for a day. */
export async function noteMail(
  tx: Tx,
  { laneId, now }: { laneId: string; now: Date },
): Promise<void> {
  await tx.updateTable('webhook_lanes').set({ mailed_at: now }).where('id', '=', laneId).execute()
}
