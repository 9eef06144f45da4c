/**
 * Fetch a transfer from the processor and record its state: the payout has arrived, or was reversed.
 *
 *   called by   notifications about the transfer; reconciliation; an operator's reversal (reverse.ts)
 *   moves       a payout: in transit → paid; paid → partially_reversed → reversed; after a restore from a backup, one
 *               that is not known to be sent → paid (recover.ts)
 *   money       in transit → the processor's balance; for reversals, the processor's balance → payable
 *   event       payout.tell (ours, for payout.paid)
 */
import type { Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { isLostTime } from '../kit/lost-time.ts'
import { postEntry } from '../ledger/journal.ts'
import { payoutReversed } from '../ledger/movements.ts'
import { endAttemptDone, openAttemptKey } from '../processor/attempts.ts'
import { processorOf } from '../processor/client.ts'
import type { Transfer } from '../processor/client-objects.ts'
import { Work } from '../webhooks/record-event.ts'
import { moneyOf } from './move-on.ts'
import { findByTransfer, lockPayout, type Payout } from './queries.ts'
import { isInTransit, isTransferOf, recordPaid, setStatus } from './record.ts'
import { recoverPayout } from './recover.ts'

export const lookAtTransfer = job({
  name: 'payouts.settle-transfer',
  payload: Work,
  attemptsMax: 12,
  events: ['payout.look'],

  async run({ payload, ...background }) {
    await settleTransfer(background, payload.data.id)
  },
})

type Settled = 'done' | 'waiting' | 'unknown'

/**
 * Idempotent and safe to call concurrently, in any order. `unknown`: the transfer belongs to no payout of ours and is
 * left to reconciliation.
 */
export async function settleTransfer(background: Background, transferId: string): Promise<Settled> {
  const { db, config, clock, log } = background
  const processor = processorOf(config)
  if (processor === undefined) return 'waiting'
  const found = await processor.getTransfer(transferId)
  if (found.kind === 'definite' && found.code === 'resource_missing') return 'unknown'
  if (found.kind !== 'ok') return 'waiting'
  const { value: transfer } = found
  const { payoutId } = transfer
  if (payoutId === undefined) return 'unknown'
  const isLost = await isLostTime(db.shards.global.reader, transfer.createdAt)
  const settled = await db.shards
    .at(payoutId)
    .transaction((tx) => writeTransfer(tx, { payoutId, transfer, isLost, now: clock.now() }))
  if (settled !== 'wrong') return settled
  log.error(
    { transfer_id: transferId, payout_id: payoutId },
    'a transfer does not match its payout',
  )
  return 'unknown'
}

async function writeTransfer(
  tx: Tx,
  {
    payoutId,
    transfer,
    isLost,
    now,
  }: {
    payoutId: string
    transfer: Transfer
    /** Whether a restore may have lost the payout. */
    isLost: boolean
    now: Date
  },
): Promise<Settled | 'wrong'> {
  const adopted = await findByTransfer(tx, transfer.id)
  // After a restore, a transfer may belong to a payout with another id.
  if (adopted !== undefined && adopted.id !== payoutId)
    return writeReversals(tx, (await lockPayout(tx, adopted.id))!.payout, { transfer, now })
  const locked = await lockPayout(tx, payoutId)
  const isOwn = locked !== undefined && isTransferOf(locked.payout, transfer)
  const isKnown = isOwn && (isInTransit(locked.payout) || adopted !== undefined)
  if (!isKnown && isLost) {
    const recovered = await recoverPayout(tx, { transfer, now })
    return recovered === undefined ? 'unknown' : writeReversals(tx, recovered, { transfer, now })
  }
  if (locked === undefined) return 'unknown'
  if (!isTransferOf(locked.payout, transfer)) return 'wrong'
  const payout = isInTransit(locked.payout)
    ? await adopt(tx, locked.payout, { transfer, now })
    : locked.payout
  // A failed payout has already given its money back, and a paid one belongs to a different transfer.
  if (payout.transfer_id !== transfer.id) return 'wrong'
  return writeReversals(tx, payout, { transfer, now })
}

/** The transfer exists, but its sender crashed before recording it. */
async function adopt(
  tx: Tx,
  payout: Payout,
  { transfer, now }: { transfer: Transfer; now: Date },
): Promise<Payout> {
  const key = await openAttemptKey(tx, payout.id)
  if (key !== undefined) await endAttemptDone(tx, key, { now })
  return recordPaid(tx, payout, { transferId: transfer.id, now })
}

/** Posts each reversal once, keyed by the processor's balance transaction; the payout shows their sum. */
async function writeReversals(
  tx: Tx,
  payout: Payout,
  { transfer, now }: { transfer: Transfer; now: Date },
): Promise<Settled> {
  const known = transfer.reversals.filter(({ balanceTransactionId: id }) => id !== undefined)
  for (const { amountCents, balanceTransactionId, attemptKey } of known) {
    await postEntry(
      tx,
      payoutReversed({
        ...moneyOf(payout),
        amountCents,
        balanceTransactionId: balanceTransactionId!,
      }),
      { now },
    )
    if (attemptKey !== undefined) await endAttemptDone(tx, attemptKey, { now })
  }
  const reversed = known.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (reversed > payout.reversed_cents)
    await setStatus(
      tx,
      payout,
      {
        status: reversed === payout.amount_cents ? 'reversed' : 'partially_reversed',
        reversed_cents: reversed,
      },
      now,
    )
  return known.length === transfer.reversals.length ? 'done' : 'waiting'
}
