import type { Tx } from '../kit/db.ts'

/** Records an operator's decision on a mismatched payment, so that the agent no longer waits for its money. */
export async function noteDecision(
  tx: Tx,
  { balanceTransactionId, now }: { balanceTransactionId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('deposits')
    .set({ decided_at: now, updated_at: now })
    .where('balance_transaction_id', '=', balanceTransactionId)
    .where('status', '=', 'mismatched')
    .where('decided_at', 'is', null)
    .execute()
}
