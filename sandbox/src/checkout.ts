/** Checkout sessions: a page for a one-time payment, and its result. */
import type Stripe from 'stripe'
import { ApiError, invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { getObject, hiddenOf, insertObject, listObjects, updateObject } from './objects.ts'
import {
  boolean,
  currency,
  integer,
  list,
  metadata,
  object,
  oneOf,
  paging,
  range,
  required,
  text,
  url,
} from './params.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { readSetting } from './settings.ts'
import type { Tx } from './tx.ts'

const MINUTE = 60
const DAY = 24 * 3600
const AMOUNT_MIN = 50
const AMOUNT_MAX = 99_999_999

/** The input from which a session creates its payment. */
export interface SessionPlan {
  line_items: { name: string; amount: number; quantity: number }[]
  payment: {
    metadata?: Record<string, string> | undefined
    description?: string | undefined
    transfer_group?: string | undefined
    statement_descriptor_suffix?: string | undefined
  }
}

const lineItem = object({
  quantity: integer({ min: 1, max: 999_999 }),
  price_data: required(
    object({
      currency: required(currency),
      unit_amount: required(integer({ min: 0 })),
      product_data: required(
        object({
          name: required(text(250)),
          description: text(),
          images: list(url),
          metadata,
        }),
      ),
    }),
  ),
})

const createParams = {
  mode: required(oneOf('payment')),
  ui_mode: oneOf('hosted_page'),
  line_items: required(list(lineItem)),
  client_reference_id: text(200),
  customer_email: text(512),
  metadata,
  payment_intent_data: object({
    metadata,
    description: text(),
    transfer_group: text(),
    statement_descriptor_suffix: text(22),
  }),
  adaptive_pricing: object({ enabled: boolean }),
  allowed_payment_method_types: list(text()),
  expires_at: integer(),
  locale: text(),
  submit_type: oneOf('auto', 'book', 'donate', 'pay'),
  success_url: required(url),
  cancel_url: url,
}

export const checkoutRoutes = [
  route({
    method: 'POST',
    path: '/v1/checkout/sessions',
    params: createParams,
    run(tx, { params }) {
      const items = params.line_items.map((item) => ({
        name: item.price_data.product_data.name,
        amount: item.price_data.unit_amount,
        quantity: item.quantity ?? 1,
      }))
      const amount = items.reduce((sum, item) => sum + item.amount * item.quantity, 0)
      checkAmount(amount)
      const expiresAt = expiryOf(tx, params.expires_at ?? tx.now + DAY)
      const id = newId('cs_test', 58)
      const session = {
        id,
        object: 'checkout.session',
        adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? true },
        after_expiration: null,
        allow_promotion_codes: null,
        allowed_payment_method_types: params.allowed_payment_method_types ?? null,
        amount_subtotal: amount,
        amount_total: amount,
        automatic_tax: { enabled: false, liability: null, provider: null, status: null },
        billing_address_collection: null,
        cancel_url: params.cancel_url ?? null,
        client_reference_id: params.client_reference_id ?? null,
        client_secret: null,
        collected_information: null,
        consent: null,
        consent_collection: null,
        created: tx.now,
        currency: 'usd',
        currency_conversion: null,
        custom_fields: [],
        custom_text: {
          after_submit: null,
          shipping_address: null,
          submit: null,
          terms_of_service_acceptance: null,
        },
        customer: null,
        customer_account: null,
        customer_creation: 'if_required',
        customer_details: null,
        customer_email: params.customer_email ?? null,
        discounts: [],
        expires_at: expiresAt,
        integration_identifier: null,
        invoice: null,
        invoice_creation: null,
        livemode: false,
        locale: params.locale ?? null,
        managed_payments: null,
        metadata: params.metadata ?? {},
        mode: 'payment',
        origin_context: null,
        payment_intent: null,
        payment_link: null,
        payment_method_collection: 'if_required',
        payment_method_configuration_details: null,
        payment_method_options: {},
        payment_method_types: params.allowed_payment_method_types ?? ['card', 'us_bank_account'],
        payment_status: 'unpaid',
        permissions: null,
        recovered_from: null,
        saved_payment_method_options: null,
        setup_intent: null,
        shipping_address_collection: null,
        shipping_cost: null,
        shipping_options: [],
        status: 'open',
        submit_type: params.submit_type ?? null,
        subscription: null,
        success_url: params.success_url,
        total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
        ui_mode: params.ui_mode ?? 'hosted_page',
        url: `${tx.publicUrl}/c/pay/${id}`,
        wallet_options: null,
      } satisfies Stripe.Checkout.Session
      const plan: SessionPlan = { line_items: items, payment: params.payment_intent_data ?? {} }
      return insertObject(tx, 'checkout.session', session, plan)
    },
  }),

  route({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'checkout.session', id),
  }),

  route({
    method: 'GET',
    path: '/v1/checkout/sessions',
    params: {
      ...paging,
      created: range,
      payment_intent: text(),
      status: oneOf('complete', 'expired', 'open'),
    },
    run: (tx, { params: { created, payment_intent, status, ...page }, path }) =>
      listObjects(tx, 'checkout.session', path, {
        where: { payment_intent, status },
        created,
        ...page,
      }),
  }),

  route({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const session = getObject(tx, 'checkout.session', id)
      if (session.status !== 'open')
        throw invalidRequest(
          'Only Checkout Sessions with a status in ["open"] can be expired. ' +
            `This Checkout Session has a status of \`${session.status}\`.`,
        )
      return expireSession(tx, session)
    },
  }),
]

function checkAmount(amount: number): void {
  if (amount < AMOUNT_MIN)
    throw invalidRequest(
      'The Checkout Session’s total amount due must add up to at least $0.50 usd',
      { code: 'amount_too_small', param: 'line_items' },
    )
  if (amount > AMOUNT_MAX)
    throw invalidRequest(
      'The Checkout Session’s total amount due must add up to no more than $999,999.99 usd',
      { code: 'amount_too_large', param: 'line_items' },
    )
}

/**
 * Must be between 30 minutes and 24 hours from now. The caller uses a clock that the control API doesn't move; a value
 * that is valid by that clock is shifted accordingly.
 */
function expiryOf(tx: Tx, given: number): number {
  const skew = Math.round(readSetting(tx.store, 'skew_ms') / 1000)
  const found = [given, given + skew].find(
    // One second of tolerance: the caller read its clock a little earlier.
    (moment) => moment >= tx.now + 30 * MINUTE - 1 && moment <= tx.now + DAY + 1,
  )
  if (found === undefined)
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    )
  return found
}

export function expireSession(tx: Tx, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  const expired = updateObject(tx, 'checkout.session', session, { status: 'expired', url: null })
  // A failed attempt left an intent behind; cancel it, because it can no longer be paid.
  if (typeof session.payment_intent === 'string') {
    const intent = getObject(tx, 'payment_intent', session.payment_intent)
    const canceled = updateObject(tx, 'payment_intent', intent, {
      status: 'canceled',
      canceled_at: tx.now,
      cancellation_reason: 'automatic',
    })
    recordEvent(tx, 'payment_intent.canceled', canceled)
  }
  recordEvent(tx, 'checkout.session.expired', expired)
  return expired
}

/** Called by the clock: expires sessions whose time is up. */
export function expireSessions(tx: Tx): void {
  const due = tx.store.all<{ json: string }>(
    `select json from objects indexed by sessions_open
       where kind = 'checkout.session' and json_extract(json, '$.status') = 'open'
         and json_extract(json, '$.expires_at') <= ? limit 1000`,
    tx.now,
  )
  for (const { json } of due) expireSession(tx, JSON.parse(json) as Stripe.Checkout.Session)
}

export const planOf = (tx: Tx, sessionId: string) => hiddenOf<SessionPlan>(tx, sessionId)

/** The line items, as the API shows them when asked to expand them. */
export function lineItemsOf(tx: Tx, sessionId: string): Stripe.ApiList<Stripe.LineItem> {
  return {
    object: 'list',
    data: planOf(tx, sessionId).line_items.map(
      ({ name, amount, quantity }, index) =>
        ({
          id: `li_${sessionId.slice(-20)}${index}`,
          object: 'item',
          adjustable_quantity: null,
          amount_discount: 0,
          amount_subtotal: amount * quantity,
          amount_tax: 0,
          amount_total: amount * quantity,
          currency: 'usd',
          description: name,
          metadata: {},
          price: null,
          quantity,
        }) satisfies Stripe.LineItem,
    ),
    has_more: false,
    url: `/v1/checkout/sessions/${sessionId}/line_items`,
  }
}

export function openSession(tx: Tx, sessionId: string): Stripe.Checkout.Session {
  const session = getObject(tx, 'checkout.session', sessionId)
  if (session.status !== 'open')
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'checkout_session_not_open',
      message: `This checkout session is ${session.status}.`,
    })
  return session
}
