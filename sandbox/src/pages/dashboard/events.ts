/** Pages for events and their deliveries, and for holding and releasing deliveries. */
import { listEndpoints } from '../../endpoints.ts'
import { bodyOf } from '../../events.ts'
import { findAny, listDeliveries, listEvents } from '../../inspect.ts'
import { readSetting } from '../../settings.ts'
import { alert, done, field } from '../forms.ts'
import { breakable, html, type Html } from '../html.ts'
import { message, type Page, type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { control } from './ask.ts'
import { desk, press } from './desk.ts'
import { deliveryCard, eventLine, eventState } from './event-view.ts'
import { jsonView } from './json.ts'
import { objectLink } from './rows.ts'

const SHOWN = 50
const HERE = '/dashboard/events'

const NOTES: Record<string, string> = {
  hold: 'Deliveries are paused.',
  normal: 'Deliveries are sent at once again.',
  release: 'All held deliveries were sent.',
  resend: 'The event was sent again.',
}

export const eventPages: PageRoute[] = [
  { method: 'GET', path: HERE, run: (call) => show(eventsPage(call)) },
  { method: 'GET', path: `${HERE}/:id`, run: (call) => eventPage(call) },
  {
    method: 'POST',
    path: `${HERE}/:id/resend`,
    async run(call) {
      const id = call.ids[0] ?? ''
      const { refusal } = await control(call, 'POST', `events/${encodeURIComponent(id)}/resend`)
      return refusal === undefined
        ? seeOther(`${HERE}/${id}?done=resend`)
        : eventPage(call, refusal)
    },
  },
  { method: 'POST', path: '/dashboard/deliveries/:what', run: changeDeliveries },
]

async function changeDeliveries(call: PageCall): Promise<PageAnswer> {
  const what = call.ids[0] ?? ''
  const { refusal } =
    what === 'release'
      ? await control(call, 'POST', 'deliveries/release', { order: call.fields('order') })
      : await control(call, 'POST', 'deliveries', { mode: what })
  return refusal === undefined ? seeOther(`${HERE}?done=${what}`) : show(eventsPage(call, refusal))
}

function eventsPage({ sandbox, request }: PageCall, refusal?: string): Page {
  const params = request.url.searchParams
  const startingAfter = params.get('after') ?? undefined
  const { events, endpoints, isHeld } = sandbox.transaction((tx) => ({
    events: listEvents(tx, { limit: SHOWN + 1, startingAfter }),
    endpoints: listEndpoints(tx),
    isHeld: readSetting(tx.store, 'hold_deliveries'),
  }))
  const shown = events.slice(0, SHOWN)
  const note = NOTES[params.get('done') ?? '']
  return desk({
    title: 'Events',
    current: HERE,
    status: refusal === undefined ? 200 : 400,
    content: html`<h1>Events</h1>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${note && done(note)}
<div class="split">
<div class="rest stack">
<div class="card flush">
${
  shown.length === 0
    ? html`<div class="head muted">No events yet.</div>`
    : html`<ul class="things">${shown.map(eventLine)}</ul>`
}
</div>
<div class="pager">
${startingAfter ? html`<a class="button second slim" href="${HERE}">Newest</a>` : html`<span></span>`}
${events.length > SHOWN && html`<a class="button second slim" href="${HERE}?after=${shown.at(-1)!.id}">Older</a>`}
</div>
</div>
<div class="side stack">
${holdCard(isHeld)}
<section class="card stack tight" aria-labelledby="listeners"><h2 id="listeners">Who listens</h2>
${
  endpoints.length === 0
    ? html`<p class="muted">Nobody.</p>`
    : html`<ul class="stack tight">${endpoints.map(
        ({ kind, url }) =>
          html`<li><p class="any">${breakable(url)}</p>
<p class="muted small">${LISTENERS[kind]}</p></li>`,
      )}</ul>`
}
</section>
</div>
</div>`,
  })
}

const LISTENERS = {
  account: 'Events of our own account',
  connect: 'Events of workers’ accounts',
  v2: 'Thin events',
}

function holdCard(isHeld: boolean): Html {
  return html`<section class="card stack" aria-labelledby="sending"><h2 id="sending">Sending</h2>
${
  isHeld
    ? html`<p>Paused. No deliveries are sent until you resume.</p>
<form class="stack tight" method="post" action="/dashboard/deliveries/release">
${field({
  name: 'order',
  label: 'Send held deliveries',
  options: [
    ['fifo', 'In order'],
    ['lifo', 'Newest first'],
    ['shuffle', 'In random order'],
  ],
})}
<button class="button slim second">Send</button></form>
${press('/dashboard/deliveries/normal', 'Resume deliveries')}`
    : html`<p class="muted">Deliveries are sent at once.</p>
${press('/dashboard/deliveries/hold', 'Pause deliveries')}`
}
</section>`
}

function eventPage({ sandbox, ids: [id = ''], request }: PageCall, refusal?: string): PageAnswer {
  return sandbox.transaction((tx) => {
    const [event] = listEvents(tx, { id })
    if (event === undefined) return noEvent()
    const deliveries = listDeliveries(tx, { eventId: id })
    const note = NOTES[request.url.searchParams.get('done') ?? '']
    const sent = JSON.parse(bodyOf(event.shape, JSON.stringify(event.event))) as unknown
    return show(
      desk({
        title: `Event ${id}`,
        current: HERE,
        above: { to: HERE, text: 'Events' },
        status: refusal === undefined ? 200 : 409,
        content: html`<div class="stack tight"><h1 class="any">${breakable(event.type)}</h1>
<p class="mono muted any">${id}</p></div>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${note && done(note)}
<div class="split">
<section class="rest card stack" aria-labelledby="sent"><h2 id="sent">Payload</h2>${jsonView(sent)}</section>
<div class="side stack">
<section class="card stack" aria-labelledby="state">
<div class="head"><h2 id="state">Delivery</h2>${eventState(event)}</div>
${findAny(tx, event.object_id) && html`<p>About ${objectLink(event.object_id)}</p>`}
${press(`${HERE}/${id}/resend`, 'Send again')}
</section>
${deliveries.length > 0 && html`<ul class="stack">${deliveries.map(deliveryCard)}</ul>`}
</div>
</div>`,
      }),
    )
  })
}

function noEvent(): PageAnswer {
  return message({
    title: 'Event not found',
    text: 'The sandbox was reset, or the id is incomplete.',
    status: 404,
    link: { to: HERE, text: 'Go to events' },
  })
}
