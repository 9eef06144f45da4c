/** Simulates the people and banks that don't exist here: the payer, the bank, the worker, the processor itself. */
import type Stripe from 'stripe'
import { OUTCOMES, setCapability, submitAccount } from './accounts.ts'
import { addBalanceTransaction } from './balance.ts'
import {
  createTopup,
  PAYOUT_FAILURES,
  payOutAll,
  reverseTopup,
  settlePayout,
} from './bank-payouts.ts'
import { expireSession, openSession } from './checkout.ts'
import { bookCharges } from './clock.ts'
import { type ControlRoute, control, inTx } from './control-route.ts'
import { closeDispute, escalateInquiry, openDispute, warnOfFraud } from './disputes.ts'
import { ownerOf } from './inspect.ts'
import { getObject } from './objects.ts'
import { boolean, integer, object, oneOf, required, text } from './params.ts'
import { payByBankDebit, payWithCard, settleDebit } from './pay.ts'
import { bookCharge } from './payments.ts'
import { failRefund, refundCharge, succeedRefund } from './refunds.ts'
import { asAccount, PLATFORM } from './tx.ts'

const AMOUNT = required(integer({ min: 1, max: 99_999_999 }))
const CAPABILITY = oneOf('active', 'pending', 'rejected', 'restricted', 'unsupported')

export const peopleRoutes: ControlRoute[] = [
  control(
    'POST',
    'sessions/:id/pay',
    { card: text(), confirmed: boolean },
    inTx((tx, { id, params: { card = '4242424242424242', confirmed } }) =>
      card === 'bank_debit'
        ? payByBankDebit(tx, { sessionId: id })
        : payWithCard(tx, {
            sessionId: id,
            number: card,
            // A payment made with one request has already confirmed the bank's question.
            confirmed: confirmed ?? true,
          }),
    ),
  ),
  control(
    'POST',
    'sessions/:id/settle',
    { ok: required(boolean) },
    inTx((tx, { id, params: { ok } }) => settleDebit(tx, { sessionId: id, ok })),
  ),
  control(
    'POST',
    'sessions/:id/expire',
    {},
    inTx((tx, { id }) => expireSession(tx, openSession(tx, id))),
  ),
  control(
    'POST',
    'charges/:id/dispute',
    { amount: integer({ min: 1 }), reason: text(), inquiry: boolean },
    inTx((tx, { id, params }) => openDispute(tx, id, params)),
  ),
  control(
    'POST',
    'charges/:id/warn',
    {},
    inTx((tx, { id }) => warnOfFraud(tx, id)),
  ),
  control(
    'POST',
    'charges/:id/refund',
    { amount: integer({ min: 1 }) },
    inTx((tx, { id, params }) => refundCharge(tx, getObject(tx, 'charge', id), params)),
  ),
  control(
    'POST',
    'disputes/:id/escalate',
    {},
    inTx((tx, { id }) => escalateInquiry(tx, id)),
  ),
  control(
    'POST',
    'charges/:id/capture',
    {},
    inTx((tx, { id }) => {
      const charge = getObject(tx, 'charge', id)
      return charge.balance_transaction === null && charge.status === 'succeeded'
        ? bookCharge(tx, charge)
        : charge
    }),
  ),
  control(
    'POST',
    'captures',
    {},
    inTx((tx) => ({ data: bookCharges(tx, Infinity) })),
  ),
  control(
    'POST',
    'disputes/:id/close',
    { status: required(oneOf('won', 'lost', 'warning_closed')) },
    inTx((tx, { id, params: { status } }) => closeDispute(tx, id, status)),
  ),
  control(
    'POST',
    'refunds/:id/fail',
    {},
    inTx((tx, { id }) => failRefund(tx, id)),
  ),
  control(
    'POST',
    'refunds/:id/succeed',
    {},
    inTx((tx, { id }) => succeedRefund(tx, id)),
  ),
  control(
    'POST',
    'accounts/:id/submit',
    {
      outcome: required(oneOf(...OUTCOMES)),
      name: text(),
      country: text(2),
      bank: object({ routing: required(text()), number: required(text()) }),
    },
    inTx((tx, { id, params }) => submitAccount(tx, id, params)),
  ),
  control(
    'POST',
    'accounts/:id/capability',
    { status: required(CAPABILITY) },
    inTx((tx, { id, params: { status } }) =>
      setCapability(tx, getObject(tx, 'account', id), status),
    ),
  ),
  control(
    'POST',
    'accounts/:id/payout',
    {},
    inTx((tx, { id }) => payOutAll(asAccount(tx, getObject(tx, 'account', id).id))),
  ),
  control(
    'POST',
    'payouts/:id',
    { status: required(oneOf('paid', 'failed')), code: oneOf(...PAYOUT_FAILURES) },
    inTx((tx, { id, params }) => settlePayout(asAccount(tx, ownerOf(tx, id)), id, params)),
  ),
  control(
    'POST',
    'topups',
    { amount: AMOUNT, description: text() },
    inTx((tx, { params }) => createTopup(tx, params)),
  ),
  control(
    'POST',
    'topups/:id/reverse',
    {},
    inTx((tx, { id }) => reverseTopup(tx, id)),
  ),
  control(
    'POST',
    'fees',
    { amount: AMOUNT, description: text() },
    inTx((tx, { params: { amount, description = 'Connect fees' } }) =>
      addBalanceTransaction(tx, {
        type: 'stripe_fee',
        category: 'fee',
        amount: -amount,
        source: null,
        description,
      }),
    ),
  ),
  control(
    'POST',
    'odd',
    { amount: required(integer()), type: text(), description: text(), account: text() },
    inTx((tx, { params }) =>
      addBalanceTransaction(asAccount(tx, params.account ?? PLATFORM), {
        type: (params.type ?? 'reserved_funds') as Stripe.BalanceTransaction['type'],
        amount: params.amount,
        source: null,
        description: params.description ?? 'Unexpected transaction',
      }),
    ),
  ),
]
