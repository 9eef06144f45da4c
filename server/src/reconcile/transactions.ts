/**
 * What a line of the processor's list is about, by its type, and what we post where it is nobody's but ours. All that
 * is not in this table is unexpected: it goes into suspense, and somebody looks.
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
  // Of either way: a refund that fails days later brings its money back.
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
  // The books are in dollars.
  if (currency !== 'usd') return 'unexpected'
  // Money that comes back by it is a refund's that the bank would not take; what leaves is a failed debit (match.ts).
  if (type === 'payment_failure_refund' && transaction.amount_cents > 0) return 'refund'
  if (type === 'adjustment' && (category === 'dispute' || category === 'dispute_reversal'))
    return 'chargeback'
  return Object.hasOwn(NATURES, type) ? NATURES[type]! : 'unexpected'
}

/** Lines of no agent and no worker are kept on the first shard. */
const book = { mode: 'live', shard: 0 } as const

/** The operator's own money, to and from the operator's bank, and what the processor charges. */
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

/** Money that nobody claims, until somebody has looked. */
export function suspenseEntries(transaction: Transaction): Entry[] {
  const { id: balanceTransactionId, amount_cents: cents } = transaction
  const movement = cents > 0 ? unmatchedReceipt : unmatchedPayment
  const of = { ...book, balanceTransactionId, amountCents: Math.abs(cents) }
  return [...(cents === 0 ? [] : [movement(of)]), ...feeEntries(transaction)]
}

/** What the processor has kept of it, or given back. */
export function feeEntries({ id: balanceTransactionId, fee_cents: cents }: Transaction): Entry[] {
  const of = { ...book, balanceTransactionId, amountCents: Math.abs(cents) }
  if (cents === 0) return []
  return [cents > 0 ? processorFee(of) : processorRebate({ ...of, isFee: true })]
}
