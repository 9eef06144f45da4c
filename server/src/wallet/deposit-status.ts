import type { Selectable } from 'kysely'
import type { Schema } from '../kit/schema.ts'
import type { Transaction } from '../ledger/statement.ts'

export type DepositStatus = Selectable<Schema['deposits']>['status']

/**
 * How a bank's complaint stands, from the processor's word for it. A `question` moves no money: an inquiry, or a
 * dispute that was prevented. What we have no word for is taken as open, until it is decided.
 */
export type Stand = 'question' | 'open' | 'won' | 'lost'

export function standOf(chargebackStatus: string): Stand {
  if (chargebackStatus.startsWith('warning_') || chargebackStatus === 'prevented') return 'question'
  if (chargebackStatus === 'won' || chargebackStatus === 'lost') return chargebackStatus
  return 'open'
}

/** What a deposit that was paid is now. Whatever the order in which things happened, they add up to one status. */
export function depositStatus({
  amountCents,
  refundedCents,
  chargebacks,
}: {
  amountCents: number
  refundedCents: number
  /** Of each complaint about it, the processor's status. */
  chargebacks: string[]
}): DepositStatus {
  const stands = chargebacks.map(standOf)
  if (stands.includes('open')) return 'disputed'
  if (stands.includes('lost')) return 'dispute_lost'
  if (refundedCents >= amountCents) return 'refunded'
  if (refundedCents > 0) return 'partially_refunded'
  return stands.includes('won') ? 'dispute_won' : 'succeeded'
}

/** Whether what is left of it can go back to its card. */
export const isRefundable = (status: DepositStatus) =>
  status === 'succeeded' || status === 'partially_refunded' || status === 'dispute_won'

/** What the agent is told of it, in the words of a wallet's transactions. */
export function shownStatus(
  status: DepositStatus,
  { isDecided = false }: { isDecided?: boolean } = {},
): Transaction['status'] {
  // The money itself is a line of its own, or was sent back.
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
