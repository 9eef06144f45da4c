/** Payment intents and charges: created by a checkout, and how their money reaches the balance. */
import type Stripe from 'stripe'
import { addBalanceTransaction } from './balance.ts'
import { recordEvent } from './events.ts'
import { getObject, hiddenOf, insertObject, updateObject } from './objects.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { readSetting } from './settings.ts'
import type { Tx } from './tx.ts'

/** 2.9% + 30 cents, the price of a card payment; the sandbox charges it for every kind of payment. */
export const processingFee = (amount: number) => Math.round((amount * 29) / 1000) + 30

/** The payment method, as far as the objects show it. */
export interface Means {
  type: 'card' | 'us_bank_account'
  last4: string
  brand?: string
  /** The fingerprint of a card. It is the same for every payer who uses the card. */
  fingerprint?: string
  /** The money is available immediately, whatever delay is set. */
  bypassesDelay?: boolean
}

export interface PayerDetails {
  name: string | null
  email: string | null
}

export function newPaymentIntent(
  tx: Tx,
  given: {
    amount: number
    metadata: Stripe.Metadata
    description: string | null
    transferGroup: string | null
    statementSuffix: string | null
    types: string[]
  },
): Stripe.PaymentIntent {
  const id = newId('pi')
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: given.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: tx.now,
    currency: 'usd',
    customer: null,
    customer_account: null,
    description: given.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: given.types,
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: given.statementSuffix,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: given.transferGroup,
  } satisfies Stripe.PaymentIntent
  insertObject(tx, 'payment_intent', intent)
  recordEvent(tx, 'payment_intent.created', intent)
  return intent
}

/** Not stored yet: the caller decides how it ended. */
export function newCharge(
  tx: Tx,
  given: {
    amount: number
    intent: Stripe.PaymentIntent | null
    means: Means | null
    payer: PayerDetails
    description?: string | null
    sourceTransfer?: string
  },
): Stripe.Charge {
  const { amount, intent, means, payer } = given
  const isCard = means?.type === 'card'
  return {
    // Anything but a card is called a payment, with ids and balance transactions of that name.
    id: newId(isCard ? 'ch' : 'py'),
    object: 'charge',
    amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, phone: null, tax_id: null, ...payer },
    calculated_statement_descriptor: 'SANDBOX',
    captured: false,
    created: tx.now,
    currency: 'usd',
    customer: null,
    description: given.description ?? intent?.description ?? null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent?.metadata ?? {},
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent?.id ?? null,
    payment_method: means === null ? null : newId('pm'),
    payment_method_details: means === null ? null : methodDetails(amount, means),
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: given.sourceTransfer ?? null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'pending',
    transfer_data: null,
    transfer_group: intent?.transfer_group ?? null,
  } satisfies Stripe.Charge
}

function methodDetails(amount: number, means: Means): Stripe.Charge.PaymentMethodDetails {
  if (means.type === 'us_bank_account')
    return {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'SANDBOX BANK',
        fingerprint: null,
        last4: means.last4,
        payment_reference: null,
        routing_number: '110000000',
      },
    }
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand: means.brand ?? 'visa',
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: 'pass',
      },
      country: 'US',
      electronic_commerce_indicator: null,
      exp_month: 12,
      exp_year: 2040,
      fingerprint: means.fingerprint ?? null,
      funding: 'credit',
      installments: null,
      last4: means.last4,
      mandate: null,
      network: means.brand ?? 'visa',
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** The payer's bank approved: the money goes to the balance, usually at once. */
export function succeed(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  pending: Stripe.Charge,
  means: Means,
): Stripe.Charge {
  const isLater = readSetting(tx.store, 'asynchronous_capture')
  const charged: Stripe.Charge = {
    ...pending,
    amount_captured: pending.amount,
    captured: true,
    paid: true,
    status: 'succeeded',
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
  }
  const charge = isLater
    ? charged
    : { ...charged, balance_transaction: bookTransaction(tx, charged, means) }
  storeCharge(tx, charge, means)
  const succeeded = updateObject(tx, 'payment_intent', intent, {
    amount_received: charge.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
    payment_method: charge.payment_method,
    status: 'succeeded',
  })
  recordEvent(tx, 'charge.succeeded', charge)
  recordEvent(tx, 'payment_intent.succeeded', succeeded)
  return charge
}

export interface Decline {
  code: Stripe.PaymentIntent.LastPaymentError['code'] & string
  declineCode: string
  message: string
}

export function fail(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  pending: Stripe.Charge,
  means: Means,
  decline: Decline,
): Stripe.Charge {
  const charge: Stripe.Charge = {
    ...pending,
    failure_code: decline.code,
    failure_message: decline.message,
    status: 'failed',
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: decline.declineCode,
      network_status: 'declined_by_network',
      reason: decline.declineCode,
      risk_level: 'normal',
      seller_message: 'The bank returned the decline code.',
      type: 'issuer_declined',
    },
  }
  storeCharge(tx, charge, means)
  const failed = updateObject(tx, 'payment_intent', intent, {
    latest_charge: charge.id,
    last_payment_error: {
      type: 'card_error',
      charge: charge.id,
      code: decline.code,
      decline_code: decline.declineCode,
      message: decline.message,
    },
    next_action: null,
    status: 'requires_payment_method',
  })
  recordEvent(tx, 'charge.failed', charge)
  recordEvent(tx, 'payment_intent.payment_failed', failed)
  return charge
}

/** A charge is stored once it was tried; a debit's charge exists since the debit was started. */
export function storeCharge(tx: Tx, charge: Stripe.Charge, means: Means): void {
  const isStored = tx.store.one('select 1 from objects where id = ?', charge.id) !== undefined
  if (isStored) updateObject(tx, 'charge', charge, {})
  else insertObject(tx, 'charge', charge, means)
}

/** Books a charge whose balance transaction was deferred. */
export function bookCharge(tx: Tx, charge: Stripe.Charge): Stripe.Charge {
  const booked = updateObject(tx, 'charge', charge, {
    balance_transaction: bookTransaction(tx, charge, hiddenOf<Means>(tx, charge.id)),
  })
  recordEvent(tx, 'charge.updated', booked, { balance_transaction: null })
  return booked
}

function bookTransaction(tx: Tx, charge: Stripe.Charge, means: Means): string {
  return addBalanceTransaction(tx, {
    type: means.type === 'card' ? 'charge' : 'payment',
    category: 'charge',
    amount: charge.amount,
    fee: processingFee(charge.amount),
    source: charge.id,
    ...(charge.description === null ? {} : { description: charge.description }),
    delaySeconds: means.bypassesDelay ? 0 : readSetting(tx.store, 'available_delay_seconds'),
  }).id
}

export const paymentRoutes = [
  route({
    method: 'GET',
    path: '/v1/payment_intents/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'payment_intent', id),
  }),
  route({
    method: 'GET',
    path: '/v1/charges/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'charge', id),
  }),
]
