/**
 * Classifies the processor's balance transactions by type, and builds the entries for those that concern only us. Types
 * not in this table are unexpected: they go into suspense for a person to look at.
 */
import {
  type Entry,
  operatorFunding,
  operatorWithdrawal,
  processorCharge,
  processorFee,
  processorRebate,
  unmatchedPayment,
  unmatchedReceipt,
} from '../ledger/movements.ts'

/** A row of the mirrored list. */
export interface Transaction {
  id: string
  type: string
  reporting_category: string
  amount_cents: number
  fee_cents: number
  net_cents: number
  currency: string
  source_id: string | null
  created_at: Date
}

export type Nature =
  | 'deposit'
  | 'refund'
  | 'chargeback'
  | 'transfer'
  | 'reversal'
  | 'bank'
  | 'charge_of_processor'
  | 'unexpected'

const NATURES: Record<string, Nature> = {
  charge: 'deposit',
  payment: 'deposit',
  // In both directions: a refund that fails days later brings its money back.
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  transfer: 'transfer',
  transfer_refund: 'reversal',
  topup: 'bank',
  topup_reversal: 'bank',
  payout: 'bank',
  payout_failure: 'bank',
  payout_cancel: 'bank',
  stripe_fee: 'charge_of_processor',
  stripe_fx_fee: 'charge_of_processor',
  tax_fee: 'charge_of_processor',
  network_cost: 'charge_of_processor',
}

export function natureOf(transaction: Transaction): Nature {
  const { type, reporting_category: category, currency } = transaction
  // The books hold only USD.
  if (currency !== 'usd') return 'unexpected'
  // A positive amount is a refund that the bank returned; a negative one is a failed debit (match.ts).
  if (type === 'payment_failure_refund' && transaction.amount_cents > 0) return 'refund'
  if (type === 'adjustment' && (category === 'dispute' || category === 'dispute_reversal'))
    return 'chargeback'
  return Object.hasOwn(NATURES, type) ? NATURES[type]! : 'unexpected'
}

/** Lines without an agent or worker are kept on the first shard. */
const book = { mode: 'live', shard: 0 } as const

/** Entries for the operator's own money, to and from the operator's bank, and for the processor's charges. */
export function ownEntries(transaction: Transaction): Entry[] {
  const { id: balanceTransactionId, amount_cents: cents } = transaction
  const of = { ...book, balanceTransactionId, amountCents: Math.abs(cents) }
  const isIn = cents > 0
  const isCharge = natureOf(transaction) === 'charge_of_processor'
  const movement = isCharge
    ? isIn
      ? processorRebate
      : processorCharge
    : isIn
      ? operatorFunding
      : operatorWithdrawal
  return [...(cents === 0 ? [] : [movement(of)]), ...feeEntries(transaction)]
}

/** Entries that park unclaimed money in suspense until someone has looked at it. */
export function suspenseEntries(transaction: Transaction): Entry[] {
  const { id: balanceTransactionId, amount_cents: cents } = transaction
  const movement = cents > 0 ? unmatchedReceipt : unmatchedPayment
  const of = { ...book, balanceTransactionId, amountCents: Math.abs(cents) }
  return [...(cents === 0 ? [] : [movement(of)]), ...feeEntries(transaction)]
}

/** Entries for the processor's fee, charged or returned. */
export function feeEntries({ id: balanceTransactionId, fee_cents: cents }: Transaction): Entry[] {
  const of = { ...book, balanceTransactionId, amountCents: Math.abs(cents) }
  if (cents === 0) return []
  return [cents > 0 ? processorFee(of) : processorRebate({ ...of, isFee: true })]
}
