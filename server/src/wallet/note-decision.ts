import type { Tx } from '../kit/db.ts'

/** An operator has decided on the money of a payment that did not fit its deposit: the agent no longer waits for it. */
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
