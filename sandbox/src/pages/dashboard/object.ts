/** Page for one object: its data, the available actions, and its events. */
import type Stripe from 'stripe'
import type { AccountRecord } from '../../account-record.ts'
import { viewAccountV2 } from '../../accounts.ts'
import { balanceOf, viewTransaction } from '../../balance.ts'
import { type Found, findAny, listEvents, type StoredEvent } from '../../inspect.ts'
import { asAccount, PLATFORM, type Tx } from '../../tx.ts'
import { alert, done } from '../forms.ts'
import { breakable, html, type Html } from '../html.ts'
import { icon } from '../icons.ts'
import { message, type Page, type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { dollars, moment, words } from '../wording.ts'
import { type Action, actionsOf, doneText } from './actions.ts'
import { control } from './ask.ts'
import { desk, LISTS } from './desk.ts'
import { eventLine } from './event-view.ts'
import { jsonView } from './json.ts'
import { madeAt, objectLink, rowOf, stateOf } from './rows.ts'

const EVENTS_SHOWN = 30

export const objectPages: PageRoute[] = [
  { method: 'GET', path: '/dashboard/objects/:id', run: look },
  { method: 'POST', path: '/dashboard/objects/:id/:action', run: act },
]

function look({ sandbox, ids: [id = ''], request }: PageCall): PageAnswer {
  return sandbox.transaction((tx) => {
    const found = findAny(tx, id)
    const did = request.url.searchParams.get('done')
    if (found !== undefined) return show(objectPage(tx, found, { did }))
    if (listEvents(tx, { id }).length > 0) return seeOther(`/dashboard/events/${id}`)
    const movement = transactionPage(tx, id)
    return movement === undefined ? nothing() : show(movement)
  })
}

async function act(call: PageCall): Promise<PageAnswer> {
  const { sandbox, ids, fields } = call
  const [id = '', name] = ids
  const action = sandbox.transaction((tx) => {
    const found = findAny(tx, id)
    return found && actionsOf(tx, found).find((one) => one.name === name)
  })
  const { body, refusal } =
    action === undefined
      ? { refusal: 'This is no longer possible: the object has changed.' }
      : await control(call, 'POST', action.path, action.body?.(fields))
  const problem = refusal ?? declinedBecause(body)
  if (problem === undefined) return seeOther(`/dashboard/objects/${id}?done=${name}`)
  return sandbox.transaction((tx) => {
    const found = findAny(tx, id)
    return found === undefined ? nothing() : show(objectPage(tx, found, { problem, status: 409 }))
  })
}

/** A declined card is a successful response, not an error, but the operator should still see it. */
function declinedBecause(body: unknown): string | undefined {
  const payment = body as { outcome?: string; message?: string } | undefined
  return payment?.outcome === 'declined' ? payment.message : undefined
}

interface Shown {
  did?: string | null
  problem?: string
  status?: number
}

function objectPage(tx: Tx, found: Found, { did, problem, status = 200 }: Shown): Page {
  const { kind, object, account } = found
  const list = LISTS.find((one) => one.kind === kind)
  const name = list?.one ?? words(kind)
  const row = rowOf(found)
  const note = doneText(found, did ?? '')
  const events = listEvents(tx, { objectId: object.id, limit: EVENTS_SHOWN })
  return desk({
    title: `${name} ${object.id}`,
    current: list ? `/dashboard/${list.path}` : '',
    above: list
      ? { to: `/dashboard/${list.path}`, text: list.many }
      : { to: '/dashboard', text: 'Overview' },
    status,
    content: html`<div class="stack tight">
<h1 class="any" dir="auto">${breakable(row.what)}</h1>
<p class="mono muted any">${object.id}</p>
</div>
${problem && alert(html`<strong>${problem}</strong>`)}
${note && done(note)}
<div class="split">
<div class="first card"><dl class="pairs">
<div><dt>Type</dt><dd>${name}</dd></div>
${row.amount !== undefined && html`<div><dt>Amount</dt><dd class="money">${dollars(row.amount)}</dd></div>`}
<div><dt>State</dt><dd>${stateOf(row)}</dd></div>
<div><dt>Created</dt><dd><time>${moment(madeAt(object))} UTC</time></dd></div>
${account !== PLATFORM && html`<div><dt>Account</dt><dd>${objectLink(account)}</dd></div>`}
${kind === 'account' && accountBalance(tx, object.id)}
</dl></div>
<section class="rest card stack" aria-labelledby="whole"><h2 id="whole">API response</h2>
${jsonView(kind === 'account' ? wholeAccount(object as unknown as AccountRecord) : object)}</section>
<div class="side stack">
${actionCard(object.id, actionsOf(tx, found), payLink(found))}
${eventCard(events)}
</div>
</div>`,
  })
}

function accountBalance(tx: Tx, id: string): Html {
  const { available, pending } = balanceOf(asAccount(tx, id))
  return html`<div><dt>Available</dt><dd class="money">${dollars(available)}</dd></div>
<div><dt>Pending</dt><dd class="money">${dollars(pending)}</dd></div>`
}

const wholeAccount = (record: AccountRecord) =>
  viewAccountV2(record, ['configuration.recipient', 'defaults', 'identity', 'requirements'])

function payLink({ kind, object }: Found): Html | undefined {
  const session = object as Partial<Stripe.Checkout.Session>
  if (kind !== 'checkout.session' || session.status !== 'open') return undefined
  return html`<a class="button second slim" href="/c/pay/${object.id}">${icon('card')}Open the payment page</a>`
}

function actionCard(id: string, actions: Action[], link: Html | undefined): Html | undefined {
  if (actions.length === 0 && link === undefined) return undefined
  return html`<section class="card stack" aria-labelledby="actions"><h2 id="actions">Actions</h2>
${link}
${actions.map(
  (action) => html`<form class="stack tight" method="post"
 action="/dashboard/objects/${id}/${action.name}">
${action.inputs}
<button class="button slim ${action.tone ?? 'second'}">${action.label}</button></form>`,
)}
</section>`
}

function eventCard(events: StoredEvent[]): Html {
  return html`<section class="card flush" aria-labelledby="told">
<div class="head"><h2 id="told">Events about this object</h2></div>
${
  events.length === 0
    ? html`<p class="none muted">None yet.</p>`
    : html`<ul class="things">${events.map(eventLine)}</ul>`
}
</section>`
}

/** Page for a balance transaction, which is not in the objects table. */
function transactionPage(tx: Tx, id: string): Page | undefined {
  const row = tx.store.one<{ account: string; json: string }>(
    'select account, json from balance_transactions where id = ?',
    id,
  )
  if (row === undefined) return undefined
  const movement = viewTransaction(tx, JSON.parse(row.json) as Stripe.BalanceTransaction)
  return desk({
    title: `Balance transaction ${id}`,
    current: '',
    above: { to: '/dashboard/balance', text: 'Balance' },
    content: html`<div class="stack tight"><h1>${words(movement.type)}</h1>
<p class="mono muted any">${id}</p></div>
<div class="card"><dl class="pairs">
<div><dt>Amount</dt><dd class="money">${dollars(movement.amount)}</dd></div>
<div><dt>Fee</dt><dd class="money">${dollars(movement.fee)}</dd></div>
<div><dt>Account</dt><dd>${row.account === PLATFORM ? 'Our own account' : objectLink(row.account)}</dd></div>
</dl></div>
<div class="card">${jsonView(movement)}</div>`,
  })
}

function nothing(): PageAnswer {
  return message({
    title: 'Object not found',
    text: 'The sandbox was reset, or the id is incomplete.',
    status: 404,
    link: { to: '/dashboard', text: 'Go to overview' },
  })
}
