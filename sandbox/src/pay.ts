/** Pays a session: by card or bank debit from the hosted page, or with one request to the control API. */
import type Stripe from 'stripe'
import { BANK_DEBIT, DEBIT_FAILED, findCard, meansOf, UNANSWERED, UNKNOWN_CARD } from './cards.ts'
import { openSession, planOf } from './checkout.ts'
import { openDispute } from './disputes.ts'
import { invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { getObject, updateObject } from './objects.ts'
import {
  fail,
  newCharge,
  newPaymentIntent,
  type PayerDetails,
  storeCharge,
  succeed,
} from './payments.ts'
import type { Tx } from './tx.ts'

export type Payment =
  | { outcome: 'paid' | 'processing'; session: Stripe.Checkout.Session }
  /** The payer's bank asks for confirmation; call again with the payer's choice as `confirmed`. */
  | { outcome: 'confirm' }
  | { outcome: 'declined'; code: string; decline_code: string; message: string }

export interface Pay {
  sessionId: string
  number: string
  /** The payer's response to the bank's confirmation. */
  confirmed?: boolean
  name?: string
  email?: string
}

/** Throws if the session is no longer open. */
export function payWithCard(tx: Tx, { sessionId, number, confirmed, ...typed }: Pay): Payment {
  const session = openSession(tx, sessionId)
  const card = findCard(number)
  if (card === undefined) return declined(UNKNOWN_CARD)
  const payer = payerOf(session, typed)
  const intent = intentOf(tx, session)
  if (card.asksFirst && confirmed === undefined) {
    const asking = updateObject(tx, 'payment_intent', intent, { status: 'requires_action' })
    recordEvent(tx, 'payment_intent.requires_action', asking)
    return { outcome: 'confirm' }
  }

  const means = meansOf(card, payer)
  const charge = newCharge(tx, { amount: intent.amount, intent, means, payer })
  const decline = card.asksFirst && !confirmed ? UNANSWERED : card.decline
  if (decline !== undefined) {
    fail(tx, intent, charge, means, decline)
    return declined(decline)
  }

  const paid = succeed(tx, intent, charge, means)
  const completed = complete(tx, session, intent, payer, 'paid')
  if (card.isDisputed) openDispute(tx, paid.id, { reason: 'fraudulent' })
  return { outcome: 'paid', session: completed }
}

const declined = ({ code, declineCode, message }: typeof UNKNOWN_CARD): Payment => ({
  outcome: 'declined',
  code,
  decline_code: declineCode,
  message,
})

/** Starts a bank debit: the session is complete, but not paid yet. */
export function payByBankDebit(
  tx: Tx,
  { sessionId, ...typed }: { sessionId: string; name?: string; email?: string },
): Payment {
  const session = openSession(tx, sessionId)
  const payer = payerOf(session, typed)
  const intent = intentOf(tx, session)
  const charge = newCharge(tx, { amount: intent.amount, intent, means: BANK_DEBIT, payer })
  storeCharge(tx, charge, BANK_DEBIT)
  const processing = updateObject(tx, 'payment_intent', intent, {
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    status: 'processing',
  })
  recordEvent(tx, 'charge.pending', charge)
  recordEvent(tx, 'payment_intent.processing', processing)
  return { outcome: 'processing', session: complete(tx, session, intent, payer, 'unpaid') }
}

/** The bank has responded to a debit. */
export function settleDebit(
  tx: Tx,
  { sessionId, ok }: { sessionId: string; ok: boolean },
): Stripe.Checkout.Session {
  const session = getObject(tx, 'checkout.session', sessionId)
  if (session.status !== 'complete' || session.payment_status !== 'unpaid')
    throw invalidRequest('No bank debit of this session is waiting for an answer.')
  const intent = getObject(tx, 'payment_intent', session.payment_intent as string)
  if (intent.status !== 'processing')
    throw invalidRequest('No bank debit of this session is waiting for an answer.')
  const charge = getObject(tx, 'charge', intent.latest_charge as string)
  if (!ok) {
    fail(tx, intent, charge, BANK_DEBIT, DEBIT_FAILED)
    recordEvent(tx, 'checkout.session.async_payment_failed', session)
    return session
  }
  succeed(tx, intent, charge, BANK_DEBIT)
  const paid = updateObject(tx, 'checkout.session', session, { payment_status: 'paid' })
  recordEvent(tx, 'checkout.session.async_payment_succeeded', paid)
  return paid
}

/** The first attempt creates the intent, and later ones reuse it. */
function intentOf(tx: Tx, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  if (typeof session.payment_intent === 'string')
    return getObject(tx, 'payment_intent', session.payment_intent)
  const { payment } = planOf(tx, session.id)
  const intent = newPaymentIntent(tx, {
    amount: session.amount_total!,
    metadata: payment.metadata ?? {},
    description: payment.description ?? null,
    transferGroup: payment.transfer_group ?? null,
    statementSuffix: payment.statement_descriptor_suffix ?? null,
    types: session.payment_method_types,
  })
  updateObject(tx, 'checkout.session', session, { payment_intent: intent.id })
  return intent
}

function complete(
  tx: Tx,
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent,
  payer: PayerDetails,
  paymentStatus: 'paid' | 'unpaid',
): Stripe.Checkout.Session {
  const completed = updateObject(tx, 'checkout.session', session, {
    customer_details: {
      address: null,
      business_name: null,
      email: payer.email,
      individual_name: null,
      name: payer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_intent: intent.id,
    payment_status: paymentStatus,
    status: 'complete',
    url: null,
  })
  recordEvent(tx, 'checkout.session.completed', completed)
  return completed
}

const payerOf = (
  session: Stripe.Checkout.Session,
  { name, email }: { name?: string; email?: string },
): PayerDetails => ({ name: name ?? null, email: session.customer_email ?? email ?? null })
