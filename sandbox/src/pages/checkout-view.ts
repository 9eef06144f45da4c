/** The view of the hosted checkout: the amount, what it is for, and the ways to pay. */
import type Stripe from 'stripe'
import { TEST_CARDS } from '../cards.ts'
import { inGroups } from './card-fields.ts'
import { COUNTRIES } from './countries.ts'
import { alert, type Fields, field, type Problems, problemList } from './forms.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { frame, MERCHANT, outside, type Page } from './layout.ts'
import { dollars } from './wording.ts'

export interface Checkout {
  session: Stripe.Checkout.Session
  items: Stripe.LineItem[]
}

/** The form's current values and the result of the last submit. */
export interface Tried {
  fields?: Fields
  problems?: Problems
  /** Why the payment failed. */
  refusal?: string
  status?: number
}

const payPath = (sessionId: string) => `/c/pay/${encodeURIComponent(sessionId)}`

/** Where the payer is sent after the payment. */
export function successUrl({ id, success_url }: Stripe.Checkout.Session): string | undefined {
  return outside(success_url?.replaceAll('{CHECKOUT_SESSION_ID}', id))
}

export function checkoutPage({ session, items }: Checkout, tried: Tried = {}): Page {
  const { problems = {}, refusal, status = 200 } = tried
  const amount = dollars(session.amount_total ?? 0)
  const back = outside(session.cancel_url)
  // Payers see a bank debit only if the merchant offers it; testers need it everywhere.
  const isDebitOffered = session.payment_method_types.includes('us_bank_account')
  const content = html`<div class="split roomy">
<section class="first stack" aria-labelledby="amount">
${back && html`<div><a class="backlink" href="${back}">${icon('back')}Back to ${MERCHANT}</a></div>`}
<div>
<p class="muted">Pay ${MERCHANT}</p>
<h1 id="amount" class="big money">${amount}</h1>
</div>
${order(items, amount)}
</section>
<section class="side stack" aria-label="Pay">
<div class="card stack">
${refusal && alert(html`<strong>${refusal}</strong>`)}
${problemList(problems)}
${cardForm(session, { fields: () => '', problems, amount, ...tried })}
${isDebitOffered && html`<p class="or">or</p>${debitForm(session)}`}
</div>
${back && html`<p class="center"><a class="button plain" href="${back}">Cancel</a></p>`}
</section>
<section class="rest" aria-label="For tests">
${testCards(!isDebitOffered && debitForm(session))}
</section>
</div>`
  return {
    title: `Pay ${amount}`,
    status,
    leadsTo: [session.success_url, session.cancel_url],
    content: frame('two', content),
  }
}

function order(items: Stripe.LineItem[], amount: string): Html | undefined {
  if (items.length === 0) return undefined
  return html`<dl class="pairs total">
${items.map(
  ({ description, quantity, amount_total }) =>
    html`<div><dt dir="auto">${description}${
      quantity !== null && quantity > 1 && html` × ${quantity}`
    }</dt><dd class="money">${dollars(amount_total)}</dd></div>`,
)}
<div><dt>Total today</dt><dd class="money">${amount}</dd></div>
</dl>`
}

function cardForm(
  session: Stripe.Checkout.Session,
  { fields, problems, amount }: { fields: Fields; problems: Problems; amount: string },
): Html {
  const typed = (name: string) => ({ name, value: fields(name), problem: problems[name] })
  /** Secrets are never echoed back into a page: the payer types them again. */
  const secret = (name: string) => ({ name, problem: problems[name] })
  const email = { label: 'E-mail', type: 'email', autocomplete: 'email' }
  return html`<form class="stack" method="post" action="${payPath(session.id)}" data-card-form novalidate>
<h2>Pay by card</h2>
<input type="hidden" name="method" value="card">
${field(
  session.customer_email === null
    ? { ...email, ...typed('email') }
    : { ...email, name: 'email', value: session.customer_email, isReadOnly: true },
)}
${field({
  ...secret('number'),
  label: 'Card number',
  autocomplete: 'cc-number',
  inputmode: 'numeric',
  placeholder: '1234 1234 1234 1234',
  maxlength: 25,
})}
<div class="pair">
${field({
  ...typed('expiry'),
  label: 'Expiration date',
  autocomplete: 'cc-exp',
  inputmode: 'numeric',
  placeholder: 'MM / YY',
  maxlength: 9,
})}
${field({
  ...secret('cvc'),
  label: 'CVC',
  autocomplete: 'cc-csc',
  inputmode: 'numeric',
  placeholder: '123',
  maxlength: 4,
})}
</div>
${field({ ...typed('name'), label: 'Name on the card', autocomplete: 'cc-name', maxlength: 100 })}
<div class="pair roomy">
${field({
  ...typed('country'),
  label: 'Country',
  value: fields('country') || 'US',
  autocomplete: 'country',
  options: COUNTRIES,
})}
${field({ ...typed('zip'), label: 'ZIP', autocomplete: 'postal-code', isOptional: true, maxlength: 12 })}
</div>
<button class="button wide money" data-busy="Paying …">Pay ${amount}</button>
</form>`
}

function debitForm(session: Stripe.Checkout.Session): Html {
  return html`<form method="post" action="${payPath(session.id)}">
<input type="hidden" name="method" value="bank_debit">
<button class="button second wide" data-busy="One moment …">${icon('bank')}Pay by bank debit</button>
<p class="hint center">Takes a few days: the money arrives once your bank confirms it.</p>
</form>`
}

function testCards(debit: Html | false): Html {
  return html`<details class="card" open>
<summary>${icon('next')}Test cards</summary>
<p class="muted small">Use any future date and any CVC. Real cards are refused.</p>
<ul class="testcards">${TEST_CARDS.map(
    ({ number, label }) => html`<li>
<span><span class="mono figures">${inGroups(number)}</span><span class="muted small">${label}</span></span>
<button class="button second slim" type="button" data-card="${inGroups(number)}" hidden
 aria-label="Use the card ending in ${number.slice(-4)}">Use</button></li>`,
  )}</ul>
${debit}
</details>`
}

/** The confirmation page of the payer's bank. */
export function confirmPage(
  session: Stripe.Checkout.Session,
  { ticket, last4 }: { ticket: string; last4: string },
): Page {
  const amount = dollars(session.amount_total ?? 0)
  const content = html`<form class="card stack" method="post" action="${payPath(session.id)}/confirm">
<input type="hidden" name="ticket" value="${ticket}">
<h1>Your bank asks: is this you?</h1>
<dl class="pairs">
<div><dt>To</dt><dd>${MERCHANT}</dd></div>
<div><dt>Amount</dt><dd class="money">${amount}</dd></div>
<div><dt>Card</dt><dd class="figures">•••• ${last4}</dd></div>
</dl>
<button class="button wide" name="answer" value="yes">Yes, pay ${amount}</button>
<button class="button second wide" name="answer" value="no">No, this isn’t me</button>
</form>`
  return {
    title: 'Confirm your payment',
    leadsTo: [session.success_url],
    content: frame('one', content),
  }
}
