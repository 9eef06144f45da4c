import type { Selectable } from 'kysely'
import type { Schema } from '../kit/schema.ts'
import type { Transaction } from '../ledger/statement.ts'

export type DepositStatus = Selectable<Schema['deposits']>['status']

/**
 * The state of a chargeback, mapped from the processor's status. A `question` moves no money: an inquiry, or a dispute
 * that was prevented. An unknown status counts as open until it is decided.
 */
export type Stand = 'question' | 'open' | 'won' | 'lost'

export function standOf(chargebackStatus: string): Stand {
  if (chargebackStatus.startsWith('warning_') || chargebackStatus === 'prevented') return 'question'
  if (chargebackStatus === 'won' || chargebackStatus === 'lost') return chargebackStatus
  return 'open'
}

/** The current status of a paid deposit. It does not depend on the order in which refunds and chargebacks happened. */
export function depositStatus({
  amountCents,
  refundedCents,
  chargebacks,
}: {
  amountCents: number
  refundedCents: number
  /** The processor's status of each chargeback. */
  chargebacks: string[]
}): DepositStatus {
  const stands = chargebacks.map(standOf)
  if (stands.includes('open')) return 'disputed'
  if (stands.includes('lost')) return 'dispute_lost'
  if (refundedCents >= amountCents) return 'refunded'
  if (refundedCents > 0) return 'partially_refunded'
  return stands.includes('won') ? 'dispute_won' : 'succeeded'
}

/** Whether the rest of the deposit can be refunded to its card. */
export const isRefundable = (status: DepositStatus) =>
  status === 'succeeded' || status === 'partially_refunded' || status === 'dispute_won'

/** The status shown to the agent, in the terms of a wallet's transactions. */
export function shownStatus(
  status: DepositStatus,
  { isDecided = false }: { isDecided?: boolean } = {},
): Transaction['status'] {
  // The money itself has a separate line, or was sent back.
  if (status === 'mismatched' && isDecided) return 'failed'
  switch (status) {
    case 'creating':
    case 'open':
    case 'processing':
    case 'mismatched':
      return 'pending'
    case 'failed':
    case 'expired':
      return status
    default:
      return 'posted'
  }
}
