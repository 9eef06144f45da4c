/** The hosted checkout: the payer opens a session's URL, pays, and is sent back to the merchant. */
import type Stripe from 'stripe'
import { lineItemsOf } from '../checkout.ts'
import { findObject } from '../objects.ts'
import { type Payment, payByBankDebit, payWithCard } from '../pay.ts'
import type { Tx } from '../tx.ts'
import { readCard } from './card-fields.ts'
import { checkoutPage, confirmPage, successUrl, type Tried } from './checkout-view.ts'
import type { Fields } from './forms.ts'
import { MERCHANT, message, outside, type PageAnswer, seeOther, show } from './layout.ts'
import type { PageCall, PageRoute } from './route.ts'
import { issueTicket, readTicket } from './tickets.ts'

const CONFIRM_MINUTES = 15

export const checkoutPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/c/pay/:session',
    run: (call) => withOpenSession(call, (tx, session) => form(tx, session)),
  },
  {
    method: 'POST',
    path: '/c/pay/:session',
    run: (call) => withOpenSession(call, (tx, session) => pay(tx, session, call)),
  },
  {
    method: 'POST',
    path: '/c/pay/:session/confirm',
    run: (call) => withOpenSession(call, (tx, session) => confirm(tx, session, call)),
  },
]

/** Checks and pays the session in one transaction: of two concurrent payers, one is told that the session is closed. */
function withOpenSession(
  { sandbox, ids: [id = ''] }: PageCall,
  work: (tx: Tx, session: Stripe.Checkout.Session) => PageAnswer,
): PageAnswer {
  return sandbox.transaction((tx) => {
    const session = findObject(tx, 'checkout.session', id)
    if (session?.status === 'open') return work(tx, session)
    return session === undefined ? unknown() : over(session)
  })
}

const form = (tx: Tx, session: Stripe.Checkout.Session, tried?: Tried) =>
  show(checkoutPage({ session, items: lineItemsOf(tx, session.id).data }, tried))

function pay(tx: Tx, session: Stripe.Checkout.Session, { sandbox, fields }: PageCall): PageAnswer {
  const sessionId = session.id
  if (fields('method') === 'bank_debit')
    return answer(tx, session, payByBankDebit(tx, { sessionId }), fields)

  const { number, name, problems } = readCard(fields, new Date(tx.nowMs))
  const email = session.customer_email ?? fields('email')
  if (!email.includes('@')) problems.email = 'Enter your email address.'
  if (Object.keys(problems).length > 0) return form(tx, session, { fields, problems, status: 400 })

  const payment = payWithCard(tx, { sessionId, number, name, email })
  if (payment.outcome !== 'confirm') return answer(tx, session, payment, fields)
  const ticket = issueTicket(sandbox.token, {
    purpose: 'confirm',
    subject: JSON.stringify({ sessionId, number, name, email }),
    expiresAt: new Date(tx.nowMs + CONFIRM_MINUTES * 60_000),
  })
  return show(confirmPage(session, { ticket, last4: number.slice(-4) }))
}

/** The payer has responded to the bank. */
function confirm(
  tx: Tx,
  session: Stripe.Checkout.Session,
  { sandbox, fields }: PageCall,
): PageAnswer {
  const subject = readTicket(sandbox.token, {
    purpose: 'confirm',
    ticket: fields('ticket'),
    now: new Date(tx.nowMs),
  })
  const asked = JSON.parse(subject ?? '{}') as Partial<Parameters<typeof payWithCard>[1]>
  if (asked.number === undefined || asked.sessionId !== session.id)
    return form(tx, session, { refusal: 'The confirmation timed out. Try again.', status: 400 })
  const { number, name = '', email = '' } = asked
  const confirmed = fields('answer') === 'yes'
  const payment = payWithCard(tx, { sessionId: session.id, number, name, email, confirmed })
  return answer(tx, session, payment, (field) =>
    field === 'name' ? name : field === 'email' ? email : '',
  )
}

function answer(
  tx: Tx,
  session: Stripe.Checkout.Session,
  payment: Payment,
  fields: Fields,
): PageAnswer {
  if (payment.outcome !== 'paid' && payment.outcome !== 'processing') {
    const refusal = refusalOf(payment.outcome === 'declined' ? payment : undefined)
    return form(tx, session, { fields, refusal, status: 402 })
  }
  const location = successUrl(session)
  return location === undefined ? over(payment.session) : seeOther(location)
}

/** Decline reasons of the processor, and what the payer can do about them. */
const REFUSALS: Record<string, string> = {
  authentication_required:
    'Your bank could not confirm your identity. Try again, or use another card.',
  incorrect_number:
    'This is not a test card. Choose one from the list; the sandbox accepts no others.',
}

function refusalOf(decline: { decline_code: string; message: string } | undefined): string {
  if (decline === undefined) return 'Your card was declined. Try another card.'
  return REFUSALS[decline.decline_code] ?? `${decline.message} Try another card.`
}

function over(session: Stripe.Checkout.Session): PageAnswer {
  if (session.status === 'expired') {
    const back = outside(session.cancel_url)
    return message({
      title: 'This payment has expired',
      text: 'You were not charged. To pay, go back and start again.',
      status: 410,
      link: back === undefined ? undefined : { to: back, text: `Back to ${MERCHANT}` },
    })
  }
  const on = successUrl(session)
  const isPaid = session.payment_status === 'paid'
  return message({
    title: isPaid ? 'Payment complete' : 'Payment processing',
    text: isPaid
      ? 'The payment went through. There is nothing more to do here.'
      : 'The debit is on its way to your bank. There is nothing more to do here.',
    status: 200,
    link: on === undefined ? undefined : { to: on, text: `Continue to ${MERCHANT}` },
  })
}

function unknown(): PageAnswer {
  return message({
    title: 'Payment not found',
    text: 'The link is incomplete, or the sandbox was reset. Go back and start again.',
    status: 404,
  })
}
