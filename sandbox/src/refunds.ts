/** Refunds: money goes back to the payer, and sometimes returns days later because the bank rejected it. */
import type Stripe from 'stripe'
import { addBalanceTransaction, balanceOf } from './balance.ts'
import { invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { getObject, hiddenOf, insertObject, listObjects, updateObject } from './objects.ts'
import { boolean, integer, metadata, oneOf, paging, range, text } from './params.ts'
import type { Means } from './payments.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { readSetting } from './settings.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

export const refundRoutes = [
  route({
    method: 'POST',
    path: '/v1/refunds',
    params: {
      amount: integer({ min: 1 }),
      charge: text(),
      payment_intent: text(),
      metadata,
      reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
      reverse_transfer: boolean,
      refund_application_fee: boolean,
    },
    run: (tx, { params }) => refundCharge(tx, findCharge(tx, params), params),
  }),

  route({
    method: 'GET',
    path: '/v1/refunds/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'refund', id),
  }),

  route({
    method: 'GET',
    path: '/v1/refunds',
    params: { ...paging, created: range, charge: text(), payment_intent: text() },
    run: (tx, { params: { created, charge, payment_intent, ...page }, path }) =>
      listObjects(tx, 'refund', path, { where: { charge, payment_intent }, created, ...page }),
  }),
]

export function refundCharge(
  tx: Tx,
  charge: Stripe.Charge,
  given: {
    amount?: number | undefined
    metadata?: Stripe.Metadata | undefined
    reason?: Stripe.Refund.Reason | undefined
  },
): Stripe.Refund {
  const left = charge.amount - charge.amount_refunded
  checkRefundable(charge, left, given.amount)
  const amount = given.amount ?? left
  const isCard = hiddenOf<Means>(tx, charge.id).type === 'card'
  const id = newId(isCard ? 're' : 'pyr')
  const pendingReason = pendingReasonOf(tx, amount)
  const refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: addBalanceTransaction(tx, {
      type: isCard ? 'refund' : 'payment_refund',
      category: 'refund',
      amount: -amount,
      source: id,
      description: `REFUND FOR ${charge.description ?? charge.id}`,
    }).id,
    charge: charge.id,
    created: tx.now,
    currency: 'usd',
    customer: null,
    customer_account: null,
    metadata: given.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(pendingReason === undefined ? {} : { pending_reason: pendingReason }),
    reason: given.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pendingReason === undefined ? 'succeeded' : 'pending',
    transfer_reversal: null,
  } satisfies Stripe.Refund
  insertObject(tx, 'refund', refund)
  const refunded = updateObject(tx, 'charge', charge, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  })
  recordEvent(tx, 'refund.created', refund)
  recordEvent(tx, 'charge.refunded', refunded, { amount_refunded: charge.amount_refunded })
  return refund
}

function findCharge(
  tx: Tx,
  given: { charge: string | undefined; payment_intent: string | undefined },
): Stripe.Charge {
  if (given.charge !== undefined) return getObject(tx, 'charge', given.charge, 'charge')
  if (given.payment_intent === undefined)
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  const intent = getObject(tx, 'payment_intent', given.payment_intent, 'payment_intent')
  if (typeof intent.latest_charge !== 'string')
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      {
        param: 'payment_intent',
      },
    )
  return getObject(tx, 'charge', intent.latest_charge)
}

function checkRefundable(charge: Stripe.Charge, left: number, amount: number | undefined): void {
  if (charge.status !== 'succeeded')
    throw invalidRequest(`Charge ${charge.id} has not succeeded and cannot be refunded.`, {
      code: 'charge_not_refundable',
    })
  if (charge.disputed)
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  if (amount !== undefined && amount > left)
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    )
}

/** An uncovered refund is deducted anyway, and stays pending until there is money. */
function pendingReasonOf(tx: Tx, amount: number): Stripe.Refund.PendingReason | undefined {
  if (balanceOf(tx).available < amount) return 'insufficient_funds'
  return readSetting(tx.store, 'pending_refunds') ? 'processing' : undefined
}

/** The payer's bank has accepted the money. */
export function succeedRefund(tx: Tx, refundId: string): Stripe.Refund {
  const refund = getObject(tx, 'refund', refundId)
  if (refund.status !== 'pending') throw invalidRequest('This refund is not pending.')
  const { pending_reason: _, ...rest } = refund
  const succeeded = { ...rest, status: 'succeeded' }
  tx.store.run('update objects set json = ? where id = ?', JSON.stringify(succeeded), refund.id)
  recordEvent(tx, 'refund.updated', succeeded, { status: 'pending' })
  return succeeded
}

/** The payer's bank has returned the money, possibly days after the refund succeeded. */
export function failRefund(tx: Tx, refundId: string): Stripe.Refund {
  const refund = getObject(tx, 'refund', refundId)
  if (refund.status !== 'pending' && refund.status !== 'succeeded')
    throw invalidRequest(`This refund is already ${refund.status}.`)
  const returned = addBalanceTransaction(tx, {
    type: refund.id.startsWith('pyr') ? 'payment_failure_refund' : 'refund_failure',
    category: 'refund_failure',
    amount: refund.amount,
    source: refund.id,
    description: `REFUND FAILURE FOR ${refund.id}`,
  })
  const failed = updateObject(tx, 'refund', refund, {
    failure_balance_transaction: returned.id,
    failure_reason: 'lost_or_stolen_card',
    status: 'failed',
  })
  const charge = getObject(tx, 'charge', refund.charge as string)
  updateObject(tx, 'charge', charge, {
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  })
  recordEvent(tx, 'refund.updated', failed, { status: refund.status })
  recordEvent(tx, 'refund.failed', failed)
  return failed
}

/**
 * Called by the clock: completes refunds that waited for money, oldest first, once the balance is no longer negative.
 */
export function fundRefunds(tx: Tx): void {
  const ours = asAccount(tx, PLATFORM)
  const waiting = ours.store.all<{ id: string }>(
    `select id from objects indexed by refunds_unfunded
       where kind = 'refund' and json_extract(json, '$.pending_reason') = 'insufficient_funds'
         and json_extract(json, '$.status') = 'pending'
       order by seq limit 100`,
  )
  if (waiting.length === 0 || balanceOf(ours).available < 0) return
  for (const { id } of waiting) succeedRefund(ours, id)
}
