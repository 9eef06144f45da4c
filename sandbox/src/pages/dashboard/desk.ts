/** The layout of the operator's pages: navigation at the side or on top, with the current page marked. */
import type { Kind } from '../../objects.ts'
import { html, type Html } from '../html.ts'
import { icon } from '../icons.ts'
import { brand, type Page } from '../layout.ts'

/** Kinds with their own list: the path of the list, and the plural and singular names. */
export const LISTS = [
  { path: 'sessions', kind: 'checkout.session', many: 'Sessions', one: 'Session' },
  { path: 'charges', kind: 'charge', many: 'Charges', one: 'Charge' },
  { path: 'refunds', kind: 'refund', many: 'Refunds', one: 'Refund' },
  { path: 'disputes', kind: 'dispute', many: 'Disputes', one: 'Dispute' },
  { path: 'transfers', kind: 'transfer', many: 'Transfers', one: 'Transfer' },
  { path: 'accounts', kind: 'account', many: 'Accounts', one: 'Account' },
  { path: 'bank-payouts', kind: 'payout', many: 'Bank payouts', one: 'Bank payout' },
  { path: 'top-ups', kind: 'topup', many: 'Top-ups', one: 'Top-up' },
] as const satisfies { path: string; kind: Kind; many: string; one: string }[]

const MAIN = [
  ['/dashboard', 'Overview'],
  ['/dashboard/events', 'Events'],
  ['/dashboard/faults', 'Faults'],
] as const

interface Desk {
  title: string
  /** The URL to mark as current in the navigation. */
  current: string
  /** The parent page. */
  above?: { to: string; text: string } | undefined
  status?: number
  content: Html
}

export function desk({ title, current, above, status = 200, content }: Desk): Page {
  const link = (to: string, text: string) =>
    html`<a href="${to}"${to === current && html` aria-current="page"`}>${text}</a>`
  return {
    title,
    status,
    content: html`<div class="desk">
<header class="rail">
<div class="bar">${brand('Processor', '/dashboard')}</div>
<nav aria-label="Pages">
<div class="links">${MAIN.map(([to, text]) => link(to, text))}</div>
<div class="links kinds">${LISTS.map(({ path, many }) => link(`/dashboard/${path}`, many))}</div>
</nav>
</header>
<main id="main" tabindex="-1"><div class="stack">
${above && html`<div><a class="backlink" href="${above.to}">${icon('back')}${above.text}</a></div>`}
${content}
</div></main>
</div>`,
  }
}

/** A form that is a single button, like most actions. */
export function press(
  action: string,
  text: string,
  { tone = 'second', fields = {} }: { tone?: string; fields?: Record<string, string> } = {},
): Html {
  return html`<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="button slim ${tone}">${text}</button></form>`
}
