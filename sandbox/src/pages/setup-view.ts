/** The view of the hosted onboarding: who the worker is, the bank account, and the outcome that a tester wants. */
import type { Outcome } from '../accounts.ts'
import { bankFields } from './bank.ts'
import { COUNTRIES } from './countries.ts'
import { type Fields, field, type Problems, problemList } from './forms.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { frame, MERCHANT, outside, type Page } from './layout.ts'

/** What becomes of the application: its label, and what the account may do then. */
const OUTCOMES: Record<Outcome, readonly [string, string]> = {
  verified: ['Verified', 'The account can receive payments at once.'],
  pending: ['Pending', 'The account is under review. Payments wait.'],
  needs_information: ['More information needed', 'A document is missing. Payments wait.'],
  rejected: ['Rejected', 'The account can’t receive payments.'],
}

export const isOutcome = (text: string): text is Outcome => Object.hasOwn(OUTCOMES, text)

interface SetupForm {
  /** The form's URL; the form carries its own ticket. */
  action: string
  ticket: string
  fields: Fields
  problems?: Problems
  returnUrl: string | null
  refreshUrl: string | null
}

export function setupPage({
  action,
  ticket,
  fields,
  problems = {},
  returnUrl,
  refreshUrl,
}: SetupForm): Page {
  const isWrong = Object.keys(problems).length > 0
  const back = outside(returnUrl)
  const content = html`<div class="stack loose">
<div class="stack tight">
<h1>Set up your payouts</h1>
<p class="muted">${MERCHANT} pays out through this account. It takes about two minutes.</p>
</div>
${problemList(problems)}
<form class="stack steps" method="post" action="${action}" novalidate>
<input type="hidden" name="ticket" value="${ticket}">
${person({ fields, problems })}
<div class="card"><fieldset><legend>Your bank account</legend>${bankFields({ fields, problems })}</fieldset></div>
${outcomes(fields('outcome'), problems.outcome)}
<button class="button wide" data-busy="Sending …">Submit</button>
${back && html`<a class="button plain wide" href="${back}">Not now</a>`}
</form>
</div>`
  return {
    title: 'Set up your payouts',
    status: isWrong ? 400 : 200,
    leadsTo: [returnUrl, refreshUrl],
    content: frame('one', content),
  }
}

function person({ fields, problems }: { fields: Fields; problems: Problems }): Html {
  return html`<div class="card"><fieldset><legend>About you</legend><div class="stack">
${field({
  name: 'name',
  label: 'Legal name',
  value: fields('name'),
  problem: problems.name,
  hint: 'As shown in your passport.',
  autocomplete: 'name',
  maxlength: 100,
})}
${birthday({ fields, problem: problems.day })}
${field({
  name: 'country',
  label: 'Country',
  value: fields('country'),
  problem: problems.country,
  autocomplete: 'country',
  options: COUNTRIES,
})}
</div></fieldset></div>`
}

/** Three short fields, so that nobody has to scroll a calendar back to their birth year. */
function birthday({ fields, problem }: { fields: Fields; problem: string | undefined }): Html {
  const part = (name: string, label: string, digits: number) => html`<div>
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${fields(name)}" required inputmode="numeric"
 autocomplete="bday-${name}" maxlength="${digits}" aria-describedby="${problem ? 'day-problem' : 'birthday-hint'}"${
   problem && html` aria-invalid="true"`
 }></div>`
  return html`<fieldset><legend>Date of birth</legend>
<div class="three">${part('month', 'Month', 2)}${part('day', 'Day', 2)}${part('year', 'Year', 4)}</div>
<p class="hint" id="birthday-hint">For example 3, 27 and 1990.</p>
${problem && html`<p class="wrong" id="day-problem">${icon('warning')}${problem}</p>`}
</fieldset>`
}

function outcomes(chosen: string, problem: string | undefined): Html {
  return html`<div class="card"><fieldset><legend>For testers: what should happen?</legend>
<div class="choices">${Object.entries(OUTCOMES).map(
    ([value, [name, effect]]) => html`<label class="choice">
<input type="radio" name="outcome" value="${value}"${value === chosen && html` checked`}>
<span><strong>${name}</strong><span class="muted">${effect}</span></span></label>`,
  )}</div>
${problem && html`<p class="wrong" id="outcome">${icon('warning')}${problem}</p>`}
</fieldset></div>`
}
