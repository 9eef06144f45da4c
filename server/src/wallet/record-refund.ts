import type { Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { refundFailed, refundOutside, refundPaid } from '../ledger/movements.ts'
import type { Refund as MadeRefund } from '../processor/client-objects.ts'
import { nextLook } from '../processor/next-look.ts'
import { lockDeposit, recount, type Refund } from './queries.ts'

const DAY_MS = 86_400_000
/** A bank may return a refund for about a month. */
const MAY_FAIL_MS = 35 * DAY_MS

/** Marks a refund that someone made by hand at the processor. */
export const OUTSIDE = 'the processor’s dashboard'

/** Locks the deposit, then the refund, until the transaction ends. */
export async function lockRefund(tx: Tx, refundId: string): Promise<Refund | undefined> {
  const found = await tx
    .selectFrom('refunds')
    .select('deposit_id')
    .where('id', '=', refundId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  await lockDeposit(tx, found.deposit_id)
  return tx
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refundId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Records the processor's state of a refund. Idempotent. */
export async function recordRefund(
  tx: Tx,
  { refundId, made, now }: { refundId: string; made: MadeRefund; now: Date },
): Promise<void> {
  const refund = await lockRefund(tx, refundId)
  if (refund === undefined || refund.status === 'rejected' || refund.status === 'failed') return
  const deposit = await lockDeposit(tx, refund.deposit_id)
  const of = {
    mode: deposit.mode,
    shard: shardOf(refund.agent_id),
    agentId: refund.agent_id,
    refundId,
    amountCents: refund.amount_cents,
  }
  const status = statusOf(made)

  // The money of our own refunds is set aside before they are sent; a refund made by hand first appears as the
  // processor's balance transaction.
  const { balanceTransactionId } = made
  const isOutside = refund.requested_by === OUTSIDE
  const hasMoved = !isOutside || balanceTransactionId !== undefined
  if (!isOutside) await postEntry(tx, refundPaid(of), { now })
  else if (balanceTransactionId !== undefined)
    await postEntry(tx, refundOutside({ ...of, balanceTransactionId }), { now })
  if (status === 'failed' && hasMoved) await postEntry(tx, refundFailed(of), { now })

  await tx
    .updateTable('refunds')
    .set({
      status: refund.status === 'succeeded' && status === 'pending' ? 'succeeded' : status,
      processor_refund_id: made.id,
      failure_code: status === 'failed' ? (made.failureReason ?? made.status) : null,
      check_at: lookAgainAt(refund, status, { hasMoved, now }),
      updated_at: now,
    })
    .where('id', '=', refundId)
    .execute()
  await recount(tx, deposit, { now })
}

function statusOf({ status }: MadeRefund): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return status
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

/** A refund that has succeeded can still fail later, possibly without a notification. */
function lookAgainAt(
  refund: Refund,
  status: 'pending' | 'succeeded' | 'failed',
  { hasMoved, now }: { hasMoved: boolean; now: Date },
): Date | null {
  if (status === 'failed') return null
  if (status === 'pending' || !hasMoved) return nextLook(refund.created_at, now)
  const isOver = now.getTime() - refund.created_at.getTime() > MAY_FAIL_MS
  return isOver ? null : new Date(now.getTime() + DAY_MS)
}
