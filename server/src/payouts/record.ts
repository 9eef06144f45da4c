/** How a payout whose money is in transit ends, or waits. Each in the transaction that holds the payout. */
import type { Tx } from '../kit/db.ts'
import { postEntry } from '../ledger/journal.ts'
import { payoutFailed, payoutPaid } from '../ledger/movements.ts'
import type { Transfer } from '../processor/client-objects.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { moneyOf } from './move-on.ts'
import type { Payout } from './queries.ts'

/** Whether its money has left the worker's balance and not arrived. */
export const isInTransit = ({ status, account_id }: Payout) =>
  account_id !== null &&
  ['requested', 'submitting', 'awaiting_funds', 'awaiting_account'].includes(status)

/** Whether a transfer is what the payout was to become; anything else under its name is for people to look at. */
export const isTransferOf = (payout: Payout, transfer: Transfer) =>
  transfer.payoutId === payout.id &&
  transfer.amountCents === payout.amount_cents &&
  transfer.currency === 'usd' &&
  transfer.destination === payout.account_id

export async function recordPaid(
  tx: Tx,
  payout: Payout,
  { transferId, now }: { transferId: string; now: Date },
): Promise<Payout> {
  await postEntry(tx, payoutPaid(moneyOf(payout)), { now })
  // The agent lives on another shard, so that its event is recorded by a job.
  await requestWork(tx, [{ type: 'payout.tell', id: payout.id }], { now })
  if (payout.status !== 'submitting') await setStatus(tx, payout, { status: 'submitting' }, now)
  return setStatus(
    tx,
    payout,
    {
      status: 'paid',
      transfer_id: transferId,
      paid_at: now,
      failure_code: null,
      failure_message: null,
      check_at: null,
    },
    now,
  )
}

export async function recordFailed(
  tx: Tx,
  payout: Payout,
  { code, message, now }: { code: string; message: string; now: Date },
): Promise<Payout> {
  await postEntry(tx, payoutFailed(moneyOf(payout)), { now })
  await requestWork(tx, [{ type: 'payout.failed', id: payout.id }], { now })
  return setStatus(
    tx,
    payout,
    { status: 'failed', failure_code: code, failure_message: message, check_at: null },
    now,
  )
}

export function setStatus(
  tx: Tx,
  { id }: Payout,
  becomes: Partial<Payout>,
  now: Date,
): Promise<Payout> {
  return tx
    .updateTable('payouts')
    .set({ ...becomes, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
