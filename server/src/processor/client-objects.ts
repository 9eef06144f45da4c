/** The fields that we need of the processor's objects: money in cents, times as dates, our ids from the metadata. */
import type Stripe from 'stripe'

export interface BalanceTransaction {
  id: string
  /** `charge`, `payment`, `refund`, `adjustment`, `transfer`, `payout` … */
  type: string
  /** Tells, for example, what a dispute's `adjustment` is: `dispute` or `dispute_reversal`. */
  reportingCategory: string
  amountCents: number
  feeCents: number
  netCents: number
  currency: string
  /** The charge, refund, transfer, payout or dispute that it belongs to. */
  sourceId: string | undefined
  /** `pending` until the money is available. */
  status: 'available' | 'pending'
  /** Anything other than `payments` is a reserve or another balance that payouts are not made from. */
  balanceType: string
  description: string | undefined
  createdAt: Date
  availableAt: Date
}

export interface Checkout {
  id: string
  /** Set only while the checkout is open. */
  url: string | undefined
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  amountCents: number | undefined
  currency: string | undefined
  depositId: string | undefined
  agentId: string | undefined
  paymentIntentId: string | undefined
  /** The latest payment attempt, successful or not; known only when a checkout is fetched, not when it is created. */
  charge: Charge | undefined
  expiresAt: Date
}

export interface Charge {
  id: string
  depositId: string | undefined
  agentId: string | undefined
  paymentIntentId: string | undefined
  amountCents: number
  refundedCents: number
  currency: string
  status: 'succeeded' | 'pending' | 'failed'
  paid: boolean
  disputed: boolean
  failureCode: string | undefined
  /** The same for the same card, whoever pays with it; undefined for everything but a card. */
  cardFingerprint: string | undefined
  /** A bank debit may have it before the charge succeeds, a card only some time after. */
  balanceTransaction: BalanceTransaction | undefined
  createdAt: Date
}

export interface CardDispute {
  id: string
  chargeId: string
  paymentIntentId: string | undefined
  amountCents: number
  currency: string
  reason: string
  /** `warning_…` is an inquiry that moves no money; then `needs_response`, `under_review`, `won`, `lost` … */
  status: string
  /** The deadline for evidence. */
  dueBy: Date | undefined
  /** None, one (money taken) or two (money taken and returned). */
  balanceTransactions: BalanceTransaction[]
  createdAt: Date
}

export interface Refund {
  id: string
  chargeId: string | undefined
  paymentIntentId: string | undefined
  amountCents: number
  currency: string
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
  failureReason: string | undefined
  /** Our id; undefined for a refund made in the processor's dashboard. */
  refundId: string | undefined
  balanceTransactionId: string | undefined
  /** The returned money, if the refund fails days later. */
  failureBalanceTransactionId: string | undefined
  createdAt: Date
}

export interface Account {
  id: string
  workerId: string | undefined
  transfers: 'active' | 'pending' | 'restricted' | 'rejected' | 'unsupported'
  /** The requirements that the worker still has to meet, in the processor's terms. */
  requirementsDue: string[]
  detailsSubmitted: boolean
  isClosed: boolean
}

export interface Transfer {
  id: string
  amountCents: number
  reversedCents: number
  currency: string
  destination: string | undefined
  payoutId: string | undefined
  workerId: string | undefined
  /** The task. */
  transferGroup: string | undefined
  balanceTransactionId: string | undefined
  reversals: Reversal[]
  createdAt: Date
}

export interface Reversal {
  id: string
  transferId: string
  amountCents: number
  payoutId: string | undefined
  /** The key of the attempt that created it; undefined if it was made by hand. */
  attemptKey: string | undefined
  balanceTransactionId: string | undefined
  createdAt: Date
}

export interface Balance {
  availableCents: number
  pendingCents: number
  /** Reserved to cover what workers' accounts could owe. */
  connectReservedCents: number
}

/** The operator's own money on its way to the operator's bank. */
export interface BankPayout {
  id: string
  amountCents: number
  currency: string
  status: string
  withdrawalId: string | undefined
  failureCode: string | undefined
  balanceTransactionId: string | undefined
  failureBalanceTransactionId: string | undefined
  arrivesAt: Date
  createdAt: Date
}

export function toBalanceTransaction(raw: Stripe.BalanceTransaction): BalanceTransaction {
  return {
    id: raw.id,
    type: raw.type,
    reportingCategory: raw.reporting_category,
    amountCents: cents(raw.amount),
    feeCents: cents(raw.fee),
    netCents: cents(raw.net),
    currency: raw.currency,
    sourceId: idOf(raw.source),
    status: raw.status === 'pending' ? 'pending' : 'available',
    balanceType: raw.balance_type,
    description: raw.description ?? undefined,
    createdAt: date(raw.created),
    availableAt: date(raw.available_on),
  }
}

export function toReversedTransferId(raw: Stripe.BalanceTransaction): string | undefined {
  const source = expanded(raw.source)
  return source?.object === 'transfer_reversal' ? idOf(source.transfer) : undefined
}

export function toCheckout(raw: Stripe.Checkout.Session): Checkout {
  const intent = expanded(raw.payment_intent)
  const charge = expanded(intent?.latest_charge)
  return {
    id: raw.id,
    url: raw.url ?? undefined,
    status: oneOf(raw.status, ['open', 'complete', 'expired']),
    paymentStatus: oneOf(raw.payment_status, ['paid', 'unpaid', 'no_payment_required']),
    amountCents: raw.amount_total === null ? undefined : cents(raw.amount_total),
    currency: raw.currency ?? undefined,
    depositId: raw.metadata?.deposit_id,
    agentId: raw.metadata?.agent_id,
    paymentIntentId: idOf(raw.payment_intent),
    charge: charge && toCharge(charge, intent),
    expiresAt: date(raw.expires_at),
  }
}

/** A charge's metadata is a copy made at its creation; read the payment intent's, which is what we wrote. */
export function toCharge(
  raw: Stripe.Charge,
  intent: Stripe.PaymentIntent | undefined = expanded(raw.payment_intent),
): Charge {
  const metadata = { ...raw.metadata, ...intent?.metadata }
  const balanceTransaction = expanded(raw.balance_transaction)
  return {
    id: raw.id,
    depositId: metadata.deposit_id,
    agentId: metadata.agent_id,
    paymentIntentId: idOf(raw.payment_intent),
    amountCents: cents(raw.amount),
    refundedCents: cents(raw.amount_refunded),
    currency: raw.currency,
    status: oneOf(raw.status, ['succeeded', 'pending', 'failed']),
    paid: raw.paid,
    disputed: raw.disputed,
    failureCode: raw.failure_code ?? undefined,
    cardFingerprint: raw.payment_method_details?.card?.fingerprint ?? undefined,
    balanceTransaction: balanceTransaction && toBalanceTransaction(balanceTransaction),
    createdAt: date(raw.created),
  }
}

export function toCardDispute(raw: Stripe.Dispute): CardDispute {
  const dueBy = raw.evidence_details?.due_by
  return {
    id: raw.id,
    chargeId: idOf(raw.charge) ?? '',
    paymentIntentId: idOf(raw.payment_intent),
    amountCents: cents(raw.amount),
    currency: raw.currency,
    reason: raw.reason,
    status: raw.status,
    dueBy: typeof dueBy === 'number' ? date(dueBy) : undefined,
    balanceTransactions: raw.balance_transactions.map(toBalanceTransaction),
    createdAt: date(raw.created),
  }
}

export function toRefund(raw: Stripe.Refund): Refund {
  const statuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const
  return {
    id: raw.id,
    chargeId: idOf(raw.charge),
    paymentIntentId: idOf(raw.payment_intent),
    amountCents: cents(raw.amount),
    currency: raw.currency,
    status: oneOf(raw.status, statuses),
    failureReason: raw.failure_reason,
    refundId: raw.metadata?.refund_id,
    balanceTransactionId: idOf(raw.balance_transaction),
    failureBalanceTransactionId: idOf(raw.failure_balance_transaction),
    createdAt: date(raw.created),
  }
}

export interface Bank {
  last4: string
  /** The same for the same bank details, on any account. The processor doesn't give one for every kind of account. */
  fingerprint: string | undefined
}

export function toBank(raw: Stripe.Account): Bank | undefined {
  const banks = raw.external_accounts?.data ?? []
  const bank = banks.find(({ default_for_currency }) => default_for_currency === true) ?? banks[0]
  return bank && { last4: bank.last4, fingerprint: bank.fingerprint ?? undefined }
}

export function toTransfer(raw: Stripe.Transfer): Transfer {
  return {
    id: raw.id,
    amountCents: cents(raw.amount),
    reversedCents: cents(raw.amount_reversed),
    currency: raw.currency,
    destination: idOf(raw.destination),
    payoutId: raw.metadata?.payout_id,
    workerId: raw.metadata?.worker_id,
    transferGroup: raw.transfer_group ?? undefined,
    balanceTransactionId: idOf(raw.balance_transaction),
    reversals: raw.reversals.data.map(toReversal),
    createdAt: date(raw.created),
  }
}

export function toReversal(raw: Stripe.TransferReversal): Reversal {
  return {
    id: raw.id,
    transferId: idOf(raw.transfer) ?? '',
    amountCents: cents(raw.amount),
    payoutId: raw.metadata?.payout_id,
    attemptKey: raw.metadata?.attempt_key,
    balanceTransactionId: idOf(raw.balance_transaction),
    createdAt: date(raw.created),
  }
}

export function toBalance(raw: Stripe.Balance): Balance {
  const total = (parts: { amount: number; currency: string }[] | undefined) =>
    (parts ?? [])
      .filter(({ currency }) => currency === 'usd')
      .reduce((sum, { amount }) => sum + cents(amount), 0)
  return {
    availableCents: total(raw.available),
    pendingCents: total(raw.pending),
    connectReservedCents: total(raw.connect_reserved),
  }
}

export function toBankPayout(raw: Stripe.Payout): BankPayout {
  return {
    id: raw.id,
    amountCents: cents(raw.amount),
    currency: raw.currency,
    status: raw.status,
    withdrawalId: raw.metadata?.withdrawal_id,
    failureCode: raw.failure_code ?? undefined,
    balanceTransactionId: idOf(raw.balance_transaction),
    failureBalanceTransactionId: idOf(raw.failure_balance_transaction),
    arrivesAt: date(raw.arrival_date),
    createdAt: date(raw.created),
  }
}

/**
 * Errors thrown by these helpers inside a call make its outcome ambiguous: the processor can't have written such a
 * response.
 */
function cents(amount: unknown): number {
  if (!Number.isSafeInteger(amount)) throw new TypeError(`${String(amount)} is not an amount`)
  return amount as number
}

export function date(seconds: unknown): Date {
  if (!Number.isSafeInteger(seconds)) throw new TypeError(`${String(seconds)} is not a time`)
  return new Date((seconds as number) * 1000)
}

export function oneOf<const T extends string>(value: unknown, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined) throw new TypeError(`${String(value)} is not one of ${known.join(', ')}`)
  return found
}

function idOf(reference: string | { id?: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

function expanded<T extends object>(reference: string | T | null | undefined): T | undefined {
  return typeof reference === 'string' ? undefined : (reference ?? undefined)
}
