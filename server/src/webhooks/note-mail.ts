import type { Tx } from '../kit/db.ts'

/** Records that the receiver's owner was emailed, so they don't get another email for a day. */
export async function noteMail(
  tx: Tx,
  { laneId, now }: { laneId: string; now: Date },
): Promise<void> {
  await tx.updateTable('webhook_lanes').set({ mailed_at: now }).where('id', '=', laneId).execute()
}
