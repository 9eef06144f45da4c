/** Summarizes an object in one line: what it is about, its amount, and its state. */
import type Stripe from 'stripe'
import type { AccountRecord } from '../../account-record.ts'
import type { Found } from '../../inspect.ts'
import type { Kind, Objects } from '../../objects.ts'
import { badge } from '../badges.ts'
import { breakable, html, type Html } from '../html.ts'
import { dateOf, dollars, moment, shortId, words } from '../wording.ts'

export interface Row {
  what: string
  amount?: number
  state: string
  /** Text for the state, if its name isn't clear enough. */
  stateText?: string
}

const ROWS: { [K in Kind]: (object: Objects[K]) => Row } = {
  'checkout.session': (session) => ({
    what: session.customer_email ?? session.client_reference_id ?? 'Someone',
    amount: session.amount_total ?? 0,
    state: sessionState(session),
  }),
  payment_intent: ({ amount, description, status }) => ({
    what: description ?? 'Payment intent',
    amount,
    state: status,
  }),
  charge: (charge) => ({
    what: charge.description ?? charge.billing_details.email ?? 'Charge',
    amount: charge.amount,
    state: chargeState(charge),
  }),
  refund: ({ amount, reason, status }) => ({
    what: reason === null ? 'Refund' : words(reason),
    amount,
    state: status ?? 'succeeded',
  }),
  dispute: ({ amount, reason, status }) => ({ what: words(reason), amount, state: status }),
  transfer: (transfer) => ({
    what: transfer.description ?? `To ${idOf(transfer.destination)}`,
    amount: transfer.amount,
    ...transferState(transfer),
  }),
  transfer_reversal: ({ amount, transfer }) => ({
    what: `Back from ${idOf(transfer)}`,
    amount,
    state: 'succeeded',
  }),
  payout: ({ amount, description, automatic, status }) => ({
    what: description ?? (automatic ? 'Scheduled' : 'Manual'),
    amount,
    state: status,
  }),
  topup: ({ amount, description, status }) => ({
    what: description ?? 'Top-up',
    amount,
    state: status,
  }),
  'radar.early_fraud_warning': ({ fraud_type }) => ({ what: words(fraud_type), state: 'open' }),
  account: (account) => ({
    what: account.legal_name ?? account.display_name ?? account.email ?? account.id,
    ...accountState(account),
  }),
}

export function rowOf({ kind, object }: Pick<Found, 'kind' | 'object'>): Row {
  // The table has a function for each kind; which one applies is known only at run time.
  return (ROWS[kind] as (object: unknown) => Row)(object)
}

/** Stored objects are never expanded: references are ids. */
const idOf = (named: string | { id: string } | null) =>
  typeof named === 'string' ? named : (named?.id ?? '')

function sessionState({ status, payment_status }: Stripe.Checkout.Session): string {
  if (status !== 'complete') return status ?? 'open'
  return payment_status === 'paid' ? 'paid' : 'unpaid'
}

function chargeState(charge: Stripe.Charge): string {
  if (charge.disputed) return 'disputed'
  if (charge.refunded) return 'refunded'
  return charge.amount_refunded > 0 ? 'partially_refunded' : charge.status
}

function transferState({ reversed, amount_reversed }: Stripe.Transfer): Omit<Row, 'what'> {
  if (reversed) return { state: 'reversed' }
  return amount_reversed > 0
    ? { state: 'partially_reversed' }
    : { state: 'succeeded', stateText: 'Sent' }
}

function accountState(account: AccountRecord): Omit<Row, 'what'> {
  if (account.closed) return { state: 'closed' }
  return account.details_submitted
    ? { state: account.transfers }
    : { state: 'pending', stateText: 'Onboarding' }
}

export const stateOf = ({ state, stateText }: Row): Html => badge(state, stateText)

export const objectLink = (id: string): Html =>
  html`<a class="mono any" href="/dashboard/objects/${encodeURIComponent(id)}">${id}</a>`

/** A list row that links to the object. */
export function line({ kind, object }: Pick<Found, 'kind' | 'object'>): Html {
  const row = rowOf({ kind, object })
  return html`<li><a class="thing" href="/dashboard/objects/${object.id}">
<span class="what any" dir="auto">${breakable(row.what)}</span>
<span class="amount money">${row.amount !== undefined && dollars(row.amount)}</span>
<span class="about"><span class="mono any">${shortId(object.id)}</span> · <time>${moment(madeAt(object))}</time></span>
<span class="state">${stateOf(row)}</span></a></li>`
}

/** Every object of the processor has a creation time. */
export const madeAt = (object: Found['object']): Date =>
  dateOf((object as unknown as { created: number }).created)
