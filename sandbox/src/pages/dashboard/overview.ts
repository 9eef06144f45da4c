/**
 * The dashboard's first page: the balance, the clock, how many objects of each kind exist, and the current settings.
 */
import type Stripe from 'stripe'
import { balanceOf } from '../../balance.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { listFaults } from '../../faults.ts'
import { PLATFORM, type Tx } from '../../tx.ts'
import { alert, done, field } from '../forms.ts'
import { html, type Html } from '../html.ts'
import { icon } from '../icons.ts'
import { type Page, type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { dateOf, dollars, moment, words } from '../wording.ts'
import { control } from './ask.ts'
import { desk, LISTS, press } from './desk.ts'

const SECONDS: Record<string, number> = { minutes: 60, hours: 3600, days: 86_400 }
const UNITS = Object.keys(SECONDS).map((unit) => [unit, words(unit)] as const)
const GIVEN_UP = `
  select 1 from deliveries as lost where state = 'failed' and not exists (
    select 1 from deliveries as other where other.event_id = lost.event_id and state <> 'failed'
  ) limit 1`
const MOVEMENTS_SHOWN = 100

const NOTES: Record<string, string> = {
  clock: 'The clock was advanced.',
  behaviour: 'Saved.',
  reset: 'The sandbox was reset.',
}

export const overviewPages: PageRoute[] = [
  { method: 'GET', path: '/dashboard', run: (call) => show(overviewPage(call)) },
  { method: 'POST', path: '/dashboard/clock', run: advance },
  { method: 'POST', path: '/dashboard/behaviour', run: behave },
  {
    method: 'POST',
    path: '/dashboard/reset',
    run: (call) => ask(call, 'reset', 'reset', {}),
  },
  { method: 'GET', path: '/dashboard/balance', run: (call) => show(balancePage(call)) },
]

async function ask(
  call: PageCall,
  name: string,
  path: string,
  given: Record<string, unknown>,
): Promise<PageAnswer> {
  const { refusal } = await control(call, 'POST', path, given)
  return refusal === undefined
    ? seeOther(`/dashboard?done=${name}`)
    : show(overviewPage(call, refusal))
}

function advance(call: PageCall): PageAnswer | Promise<PageAnswer> {
  const { fields } = call
  const unit = SECONDS[fields('unit')]
  if (!/^\d{1,6}$/.test(fields('by')) || unit === undefined)
    return show(overviewPage(call, 'Enter how far to advance the clock, as a whole number.'))
  return ask(call, 'clock', 'clock/advance', { seconds: Number(fields('by')) * unit })
}

function behave(call: PageCall): Promise<PageAnswer> {
  const { fields } = call
  return ask(call, 'behaviour', 'settings', {
    available_delay_seconds: fields('available_delay_seconds'),
    asynchronous_capture: fields('asynchronous_capture') === 'on',
    pending_refunds: fields('pending_refunds') === 'on',
  })
}

function overviewPage({ sandbox, request }: PageCall, refusal?: string): Page {
  const { balance, now, counts, settings, faults, hasFailed } = sandbox.transaction((tx) => ({
    balance: balanceOf(tx),
    now: new Date(tx.nowMs),
    counts: countShown(tx),
    settings: readSettings(tx.store),
    faults: listFaults(tx.store).filter(({ remaining }) => remaining !== 0).length,
    hasFailed: tx.store.one(GIVEN_UP) !== undefined,
  }))
  const note = NOTES[request.url.searchParams.get('done') ?? '']
  return desk({
    title: 'Overview',
    current: '/dashboard',
    status: refusal === undefined ? 200 : 400,
    content: html`<h1>Overview</h1>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${note && done(note)}
${notices({ faults, hasFailed, isHeld: settings.hold_deliveries })}
<dl class="tiles">
<div class="tile"><dt>Available</dt><dd class="money">${dollars(balance.available)}</dd></div>
<div class="tile"><dt>Pending</dt><dd class="money">${dollars(balance.pending)}</dd></div>
<div class="tile"><dt>Clock (UTC)</dt><dd class="figures">${moment(now)}</dd></div>
</dl>
<div class="columns">
<section class="card flush" aria-labelledby="kinds"><div class="head"><h2 id="kinds">Objects</h2></div>
<ul class="things">
${LISTS.map(({ path, kind, many }) => counted(`/dashboard/${path}`, many, counts.kinds[kind]))}
${counted('/dashboard/balance', 'Balance transactions', counts.movements)}
${counted('/dashboard/events', 'Events', counts.events)}
</ul></section>
<div class="stack">
${clockCard(settings)}
${behaviourCard(settings)}
<details class="card"><summary>${icon('next')}Log out or reset</summary><div class="stack">
<p class="muted">A reset deletes every object, event and fault, and resets the clock. Webhook endpoints stay.</p>
<div class="buttons">${press('/dashboard/log-out', 'Log out')}
${press('/dashboard/reset', 'Reset the sandbox', { tone: 'danger' })}</div>
</div></details>
</div>
</div>`,
  })
}

function counted(to: string, text: string, count = 0): Html {
  return html`<li><a class="thing" href="${to}"><span class="what">${text}</span>
<span class="amount figures">${count.toLocaleString('en-US')}</span></a></li>`
}

/** Counts what the lists show: connected accounts have additional charges and balance transactions for transfers. */
function countShown(tx: Tx): { kinds: Record<string, number>; movements: number; events: number } {
  const rows = tx.store.all<{ kind: string; count: number }>(
    `select kind, count(*) as count from objects where kind <> 'charge' or account = ? group by kind`,
    PLATFORM,
  )
  const one = tx.store.one<{ movements: number; events: number }>(
    `select (select count(*) from balance_transactions where account = ?) as movements,
            (select count(*) from events) as events`,
    PLATFORM,
  )!
  return { kinds: Object.fromEntries(rows.map(({ kind, count }) => [kind, count])), ...one }
}

/** Warnings about settings that are easy to forget and then cause surprises. */
function notices(state: { faults: number; isHeld: boolean; hasFailed: boolean }): Html[] {
  const notice = (isOn: boolean, text: string, to: string, link: string) =>
    isOn
      ? [
          html`<p class="alert warn">${icon('warning')}<span>${text} <a href="${to}">${link}</a></span></p>`,
        ]
      : []
  const faults = state.faults === 1 ? 'One fault is on.' : `${state.faults} faults are on.`
  return [
    ...notice(state.faults > 0, faults, '/dashboard/faults', 'See the faults'),
    ...notice(state.isHeld, 'Deliveries are paused.', '/dashboard/events', 'Resume deliveries'),
    ...notice(
      state.hasFailed,
      'Some deliveries failed for good.',
      '/dashboard/events',
      'See the events',
    ),
  ]
}

function clockCard({ skew_ms }: Settings): Html {
  return html`<form class="card stack" method="post" action="/dashboard/clock" novalidate>
<div class="head"><h2>Clock</h2><p class="muted small">${
    skew_ms === 0 ? 'Same as the system clock' : `Ahead of the system clock by ${inWords(skew_ms)}`
  }</p></div>
<div class="pair">
${field({ name: 'by', label: 'Advance by', value: '1', inputmode: 'numeric', autocomplete: 'off', maxlength: 6 })}
${field({ name: 'unit', label: 'Unit', value: 'days', options: UNITS })}
</div>
<button class="button second">Advance</button>
</form>`
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const
  const text = parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
  return text === '' ? 'less than a minute' : text
}

function behaviourCard(settings: Settings): Html {
  const choice = (name: keyof Settings, text: string, about: string) => html`<label class="choice">
<input type="checkbox" name="${name}" value="on"${settings[name] === true && html` checked`}>
<span><strong>${text}</strong><span class="muted">${about}</span></span></label>`
  return html`<form class="card stack" method="post" action="/dashboard/behaviour" novalidate>
<h2>Behavior</h2>
${field({
  name: 'available_delay_seconds',
  label: 'Charges are pending for (seconds)',
  value: String(settings.available_delay_seconds),
  inputmode: 'numeric',
  autocomplete: 'off',
  maxlength: 8,
})}
<div class="choices">
${choice('asynchronous_capture', 'Capture charges later', 'The fee is known only then.')}
${choice('pending_refunds', 'Refunds start as pending', 'They end when you choose.')}
</div>
<button class="button second">Save</button>
</form>`
}

function balancePage({ sandbox, request }: PageCall): Page {
  const account = request.url.searchParams.get('account') ?? PLATFORM
  const { balance, movements } = sandbox.transaction((tx) => ({
    balance: balanceOf({ ...tx, account }),
    movements: tx.store
      .all<{ json: string }>(
        'select json from balance_transactions where account = ? order by seq desc limit ?',
        account,
        MOVEMENTS_SHOWN,
      )
      .map(({ json }) => JSON.parse(json) as Stripe.BalanceTransaction),
  }))
  return desk({
    title: 'Balance',
    current: '/dashboard/balance',
    above: { to: '/dashboard', text: 'Overview' },
    content: html`<h1>Balance</h1>
<dl class="tiles">
<div class="tile"><dt>Available</dt><dd class="money">${dollars(balance.available)}</dd></div>
<div class="tile"><dt>Pending</dt><dd class="money">${dollars(balance.pending)}</dd></div>
</dl>
<section class="card flush" aria-labelledby="movements"><div class="head"><h2 id="movements">Transactions</h2>
${movements.length === MOVEMENTS_SHOWN && html`<p class="muted small">The newest ${MOVEMENTS_SHOWN}</p>`}</div>
${
  movements.length === 0
    ? html`<p class="none muted">Nothing yet.</p>`
    : html`<ul class="things">${movements.map(
        (movement) => html`<li><a class="thing" href="/dashboard/objects/${movement.id}">
<span class="what">${words(movement.type)}</span>
<span class="amount money">${dollars(movement.net)}</span>
<span class="about"><time>${moment(dateOf(movement.created))}</time>${
          movement.fee !== 0 &&
          ` · ${dollars(movement.amount)} minus a fee of ${dollars(movement.fee)}`
        }</span></a></li>`,
      )}</ul>`
}
</section>`,
  })
}
