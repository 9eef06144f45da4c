/** Disputes: the payer's bank takes the money back at once, and returns it if the dispute is won. */
import type Stripe from 'stripe'
import { addBalanceTransaction } from './balance.ts'
import { invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { getObject, insertObject, listObjects, updateObject } from './objects.ts'
import { boolean, metadata, object, oneOf, paging, range, type Reader, text } from './params.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { readSetting } from './settings.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

const DISPUTE_FEE = 1500
const ANSWER_SECONDS = 7 * 24 * 3600
const OPEN = ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review']

const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const
type EvidenceField = (typeof EVIDENCE)[number]

const fromEvidence = <T>(value: T) =>
  Object.fromEntries(EVIDENCE.map((field) => [field, value])) as Record<EvidenceField, T>

/** The payer's bank opens a dispute; an inquiry is only a question and moves no money. */
export function openDispute(
  tx: Tx,
  chargeId: string,
  {
    amount,
    reason = 'fraudulent',
    inquiry = false,
  }: {
    amount?: number | undefined
    reason?: string | undefined
    inquiry?: boolean | undefined
  },
): Stripe.Dispute {
  const charge = getObject(tx, 'charge', chargeId)
  if (charge.status !== 'succeeded')
    throw invalidRequest('Only a charge that succeeded can be disputed.')
  if (charge.disputed) throw invalidRequest('This charge is already disputed.')
  // The refunded part already went back to the payer.
  const left = charge.amount - charge.amount_refunded
  const disputed = amount ?? left
  if (disputed > left || left === 0)
    throw invalidRequest('A dispute can’t exceed the remaining amount of the charge.', {
      param: 'amount',
    })
  const id = newId('du')
  const opened = {
    id,
    object: 'dispute',
    amount: disputed,
    balance_transactions: inquiry ? [] : [withdraw(tx, id, chargeId, disputed)],
    charge: chargeId,
    created: tx.now,
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: { ...fromEvidence(null), enhanced_evidence: {} },
    evidence_details: {
      due_by: tx.now + ANSWER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  } satisfies Stripe.Dispute
  insertObject(tx, 'dispute', opened)
  // During an inquiry, the charge can still be refunded.
  if (!inquiry) updateObject(tx, 'charge', charge, { disputed: true })
  recordEvent(tx, 'charge.dispute.created', opened)
  if (!inquiry) recordEvent(tx, 'charge.dispute.funds_withdrawn', opened)
  return opened
}

const withdraw = (tx: Tx, id: string, chargeId: string, amount: number) =>
  addBalanceTransaction(tx, {
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    fee: DISPUTE_FEE,
    source: id,
    description: `Chargeback withdrawal for ${chargeId}`,
  })

/** The response to an inquiry didn't satisfy the bank: now it takes the money. */
export function escalateInquiry(tx: Tx, disputeId: string): Stripe.Dispute {
  const dispute = getObject(tx, 'dispute', disputeId)
  if (!dispute.status.startsWith('warning_') || !OPEN.includes(dispute.status))
    throw invalidRequest('Only an open inquiry can become a dispute.')
  const chargeId = dispute.charge as string
  const escalated = updateObject(tx, 'dispute', dispute, {
    balance_transactions: [withdraw(tx, dispute.id, chargeId, dispute.amount)],
    is_charge_refundable: false,
    status: 'needs_response',
  })
  updateObject(tx, 'charge', getObject(tx, 'charge', chargeId), { disputed: true })
  recordEvent(tx, 'charge.dispute.updated', escalated, { status: dispute.status })
  recordEvent(tx, 'charge.dispute.funds_withdrawn', escalated)
  return escalated
}

/** The bank has decided. The dispute fee is never returned. */
export function closeDispute(
  tx: Tx,
  disputeId: string,
  status: 'won' | 'lost' | 'warning_closed',
): Stripe.Dispute {
  const dispute = getObject(tx, 'dispute', disputeId)
  if (!OPEN.includes(dispute.status)) throw alreadyClosed()
  const isInquiry = dispute.status.startsWith('warning_')
  if (isInquiry !== (status === 'warning_closed'))
    throw invalidRequest(
      isInquiry
        ? 'An inquiry can only end as warning_closed.'
        : 'Only an inquiry can end as warning_closed; a dispute is won or lost.',
    )
  const given =
    status === 'won'
      ? [
          addBalanceTransaction(tx, {
            type: 'adjustment',
            category: 'dispute_reversal',
            amount: dispute.amount,
            source: dispute.id,
            description: `Chargeback reversal for ${dispute.charge as string}`,
          }),
        ]
      : []
  const closed = updateObject(tx, 'dispute', dispute, {
    balance_transactions: [...dispute.balance_transactions, ...given],
    is_charge_refundable: status === 'warning_closed',
    status,
  })
  if (status === 'won') {
    returnCounteredFee(tx, disputeId)
    recordEvent(tx, 'charge.dispute.funds_reinstated', closed)
  }
  recordEvent(tx, 'charge.dispute.closed', closed)
  return closed
}

/** Fee for countering a dispute, if one is set: a separate balance transaction, returned on a win. */
function takeCounteredFee(tx: Tx, disputeId: string): void {
  const fee = readSetting(tx.store, 'countered_fee')
  if (fee === 0) return
  addBalanceTransaction(tx, {
    type: 'stripe_fee',
    category: 'fee',
    amount: -fee,
    source: disputeId,
    description: 'Dispute countered fee',
  })
}

function returnCounteredFee(tx: Tx, disputeId: string): void {
  const taken = tx.store.one<{ net: number }>(
    `select net from balance_transactions where source = ? and type = 'stripe_fee'`,
    disputeId,
  )
  if (taken === undefined) return
  addBalanceTransaction(tx, {
    type: 'stripe_fee',
    category: 'fee',
    amount: -taken.net,
    source: disputeId,
    description: 'Dispute countered fee returned',
  })
}

const alreadyClosed = () => invalidRequest('This dispute is already closed')

/** The card network reports suspected fraud; no money moves. */
export function warnOfFraud(tx: Tx, chargeId: string): Stripe.Radar.EarlyFraudWarning {
  const charge = getObject(asAccount(tx, PLATFORM), 'charge', chargeId)
  const warning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.refunded && !charge.disputed,
    charge: chargeId,
    created: tx.now,
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(typeof charge.payment_intent === 'string' ? { payment_intent: charge.payment_intent } : {}),
  } satisfies Stripe.Radar.EarlyFraudWarning
  insertObject(tx, 'radar.early_fraud_warning', warning)
  recordEvent(tx, 'radar.early_fraud_warning.created', warning)
  return warning
}

export const disputeRoutes = [
  route({
    method: 'GET',
    path: '/v1/disputes/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'dispute', id),
  }),

  route({
    method: 'GET',
    path: '/v1/disputes',
    params: { ...paging, created: range, charge: text(), payment_intent: text() },
    run: (tx, { params: { created, charge, payment_intent, ...page }, path }) =>
      listObjects(tx, 'dispute', path, { where: { charge, payment_intent }, created, ...page }),
  }),

  route({
    method: 'POST',
    path: '/v1/disputes/:id',
    params: {
      evidence: object(
        fromEvidence<Reader<string | undefined>>(text(20_000)) satisfies Record<string, unknown>,
      ),
      metadata,
      submit: boolean,
      intended_submission_method: oneOf('manual', 'prefer_manual'),
    },
    run(tx, { ids: [id = ''], params }) {
      const dispute = getObject(tx, 'dispute', id)
      if (!OPEN.includes(dispute.status)) throw alreadyClosed()
      const given = Object.entries(params.evidence ?? {}).filter(([, value]) => value !== undefined)
      // Evidence is submitted by default; `submit: false` stages it.
      const isSubmitted = params.submit ?? given.length > 0
      const details = dispute.evidence_details
      if (isSubmitted && details.submission_count === 0) takeCounteredFee(tx, dispute.id)
      const updated = updateObject(tx, 'dispute', dispute, {
        evidence: { ...dispute.evidence, ...(Object.fromEntries(given) as object) },
        evidence_details: {
          ...details,
          has_evidence: details.has_evidence || given.length > 0,
          submission_count: details.submission_count + (isSubmitted ? 1 : 0),
          submission_method: isSubmitted ? 'manual' : details.submission_method,
        },
        metadata: { ...dispute.metadata, ...params.metadata },
        status: isSubmitted
          ? dispute.status.replace('needs_response', 'under_review')
          : dispute.status,
      })
      recordEvent(tx, 'charge.dispute.updated', updated, { status: dispute.status })
      return updated
    },
  }),

  route({
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: {},
    run: (tx, { ids: [id = ''] }) => closeDispute(tx, id, 'lost'),
  }),
]
