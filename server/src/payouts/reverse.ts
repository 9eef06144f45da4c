/** Reverse a payout, fully or in part, on an operator's request, while the worker's account still has the money. */
import type { Background } from '../kit/job.ts'
import {
  type Attempt,
  beginAttempt,
  endAttempt,
  openAttemptKey,
  tryAttempt,
} from '../processor/attempts.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import type { Reversal } from '../processor/client-objects.ts'
import { paymentsUnavailable } from '../processor/errors.ts'
import type { Outcome } from '../processor/outcome.ts'
import { payoutNotFound, payoutNotInState, reversalTooLarge } from './errors.ts'
import { findPayout, lockPayout, type Payout } from './queries.ts'
import { settleTransfer } from './settle-transfer.ts'

export type Reversed =
  | { outcome: 'reversed'; payout: Payout }
  /** The processor refuses, for example because the worker has spent the money. */
  | { outcome: 'refused'; code: string; message: string }
  /** The outcome is unknown: call again with the same amount; the reversal happens only once. */
  | { outcome: 'unknown'; cause: string }

/** Reverses `amountCents`, or all that is left. The money returns to the worker's unpaid earnings. */
export async function reversePayout(
  anywhere: Background,
  {
    payoutId,
    amountCents,
    requestedBy,
  }: { payoutId: string; amountCents?: number | undefined; requestedBy: string },
): Promise<Reversed> {
  const background = { ...anywhere, db: anywhere.db.shards.at(payoutId) }
  const processor = processorOf(background.config)
  if (processor === undefined) throw paymentsUnavailable()
  const { reader } = background.db
  const known = await findPayout(reader, payoutId)
  if (known === undefined) throw payoutNotFound()
  const cents = amountCents ?? leftOf(known)
  // Keyed by amount: until the outcome is known, the same amount means the same reversal.
  const subjectId = `${payoutId}r${cents}`
  const unanswered = await openAttemptKey(reader, subjectId)

  // First record any reversal that an earlier call made but crashed before recording; it may be this same one.
  const payout = await upToDate(background, known)
  if (unanswered !== undefined && unanswered !== (await openAttemptKey(reader, subjectId)))
    return { outcome: 'reversed', payout }
  if (payout.transfer_id === null || !['paid', 'partially_reversed'].includes(payout.status))
    throw payoutNotInState({ status: payout.status })
  if (cents > leftOf(payout)) throw reversalTooLarge({ left_cents: leftOf(payout) })

  const now = background.clock.now()
  const attempt = await background.db.transaction(async (tx) => {
    await lockPayout(tx, payoutId)
    const note = `${cents} cents reversed by ${requestedBy}`
    await tx.updateTable('payouts').set({ note }).where('id', '=', payoutId).execute()
    return beginAttempt(tx, { subjectId, prefix: 'reversal', now })
  })
  const sent = await tryAttempt(background, attempt, {
    create: (key) =>
      processor.reverseTransfer({
        transferId: payout.transfer_id!,
        payoutId,
        amountCents: cents,
        key,
      }),
    find: () => findReversal(processor, { transferId: payout.transfer_id!, attempt }),
    now,
  })
  if (sent.kind === 'unknown') return { outcome: 'unknown', cause: sent.cause }
  if (sent.kind === 'later') return { outcome: 'unknown', cause: sent.code }
  await background.db.transaction((tx) => endAttempt(tx, attempt, sent, { now }))
  if (sent.kind === 'not_found') return { outcome: 'unknown', cause: 'it has not happened yet' }
  if (sent.kind === 'refused') return { outcome: 'refused', code: sent.code, message: sent.message }
  await settleTransfer(background, payout.transfer_id!)
  return { outcome: 'reversed', payout: (await findPayout(background.db.reader, payoutId))! }
}

const leftOf = (payout: Payout) => payout.amount_cents - payout.reversed_cents

async function upToDate(background: Background, known: Payout): Promise<Payout> {
  if (known.transfer_id !== null) await settleTransfer(background, known.transfer_id)
  return (await findPayout(background.db.reader, known.id))!
}

async function findReversal(
  processor: Processor,
  { transferId, attempt }: { transferId: string; attempt: Attempt },
): Promise<Outcome<Reversal | undefined>> {
  const transfer = await processor.getTransfer(transferId)
  if (transfer.kind !== 'ok') return transfer
  const { reversals } = transfer.value
  return { kind: 'ok', value: reversals.find(({ attemptKey }) => attemptKey === attempt.key) }
}
