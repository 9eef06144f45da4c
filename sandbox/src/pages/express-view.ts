/** The worker's view of the account: balance, incoming payments and payouts. */
import type Stripe from 'stripe'
import { badge } from './badges.ts'
import { bankFields } from './bank.ts'
import { alert, done, type Fields, field, type Problems, problemList } from './forms.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { frame, MERCHANT, type Page } from './layout.ts'
import { dateOf, day, dollars } from './wording.ts'

/** Data for the account page; each list is newest first. */
export interface ExpressAccount {
  name: string
  available: number
  pending: number
  transfers: Stripe.Transfer[]
  payouts: Stripe.Payout[]
  bank: { bank_name: string; last4: string } | undefined
}

/** What was typed, and the result. */
export interface Said {
  fields?: Fields
  problems?: Problems
  refusal?: string | undefined
  note?: string | undefined
  status?: number
}

export function expressPage(
  account: ExpressAccount,
  { fields = () => '', problems = {}, refusal, note, status = 200 }: Said = {},
): Page {
  const content = html`<div class="stack">
<div class="stack tight">
<p class="muted" dir="auto">${account.name}</p>
<h1>Your earnings</h1>
</div>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${problemList(problems)}
${note && done(note)}
${balance(account, { fields, problems })}
${bank(account, { fields, problems })}
${payouts(account.payouts)}
${transfers(account.transfers)}
</div>`
  const logOut = html`<form method="post" action="/express/log-out">
<button class="button second slim">${icon('out')}Log out</button></form>`
  return { title: 'Your earnings', status, content: frame('middle', content, logOut) }
}

function balance(account: ExpressAccount, { fields, problems }: FieldParts): Html {
  const canPayOut = account.available > 0 && account.bank !== undefined
  return html`<section class="card stack" aria-labelledby="balance">
<div>
<h2 id="balance" class="muted">Available now</h2>
<p class="big money">${dollars(account.available)}</p>
${account.pending !== 0 && html`<p class="muted"><span class="money">${dollars(account.pending)}</span> pending</p>`}
</div>
${
  canPayOut
    ? html`<form class="inline" method="post" action="/express/payouts" novalidate>
${field({
  name: 'amount',
  label: 'Pay out to your bank',
  value: fields('amount') || dollars(account.available).replaceAll(/[$,]/g, ''),
  problem: problems.amount,
  inputmode: 'decimal',
  autocomplete: 'off',
  maxlength: 12,
})}
<button class="button" data-busy="Paying out …">Pay out now</button>
</form>`
    : html`<p class="muted small">${
        account.bank === undefined
          ? 'Add a bank account to get paid.'
          : `Payments from ${MERCHANT} appear here, and you can pay them out to your bank.`
      }</p>`
}
</section>`
}

interface FieldParts {
  fields: Fields
  problems: Problems
}

function bank({ bank }: ExpressAccount, { fields, problems }: FieldParts): Html {
  const isWrong = problems.routing !== undefined || problems.account !== undefined
  return html`<section class="card" aria-labelledby="bank">
<div class="head">
<h2 id="bank">Bank account</h2>
<p class="figures">${bank ? html`${bank.bank_name} •••• ${bank.last4}` : 'None yet'}</p>
</div>
<details${isWrong && html` open`}>
<summary>${icon('next')}Change bank account</summary>
<form class="stack" method="post" action="/express/bank" novalidate>
${bankFields({ fields, problems })}
<div><button class="button second" data-busy="Saving …">Save bank account</button></div>
</form>
</details>
</section>`
}

function payouts(list: Stripe.Payout[]): Html {
  return html`<section class="card flush" aria-labelledby="payouts">
<div class="head"><h2 id="payouts">Paid out to your bank</h2></div>
${
  list.length === 0
    ? html`<p class="none muted">Nothing yet.</p>`
    : html`<ul class="things">${list.map(
        (payout) => html`<li class="thing">
<span class="what">${arrival(payout)}</span>
<span class="amount money">${dollars(payout.amount)}</span>
<span class="about">${payout.failure_message ?? html`Started <time>${day(dateOf(payout.created))}</time>`}</span>
<span class="state">${badge(payout.status)}</span></li>`,
      )}</ul>`
}
</section>`
}

function arrival({ status, arrival_date }: Stripe.Payout): string {
  if (status === 'paid') return 'Arrived'
  if (status === 'failed' || status === 'canceled') return 'Returned to your balance'
  return `Arrives ${day(dateOf(arrival_date))}`
}

function transfers(list: Stripe.Transfer[]): Html {
  return html`<section class="card flush" aria-labelledby="transfers">
<div class="head"><h2 id="transfers">Received from ${MERCHANT}</h2></div>
${
  list.length === 0
    ? html`<p class="none muted">Nothing yet.</p>`
    : html`<ul class="things">${list.map(
        (transfer) => html`<li class="thing">
<span class="what light" dir="auto">${transfer.description ?? 'Payment for a task'}</span>
<span class="amount money">${dollars(transfer.amount)}</span>
<span class="about"><time>${day(dateOf(transfer.created))}</time>${
          transfer.amount_reversed > 0 && ` · ${dollars(transfer.amount_reversed)} reversed`
        }</span></li>`,
      )}</ul>`
}
</section>`
}
