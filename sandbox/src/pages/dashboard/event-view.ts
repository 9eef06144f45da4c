/** Views of an event and its deliveries. */
import type { Delivery, StoredEvent } from '../../inspect.ts'
import { badge } from '../badges.ts'
import { breakable, html, type Html } from '../html.ts'
import { dateOf, moment, shortId } from '../wording.ts'

/** An event that was given up but then resent by hand counts as delivered. */
export function eventState({ waiting, delivered, failed }: StoredEvent): Html {
  if (waiting > 0) return badge('pending', 'Waiting')
  if (delivered > 0) return badge('delivered')
  return failed > 0 ? badge('failed', 'Not delivered') : badge('nobody', 'No endpoint')
}

export function eventLine(event: StoredEvent): Html {
  return html`<li><a class="thing" href="/dashboard/events/${event.id}">
<span class="what mono any">${breakable(event.type)}</span>
<span class="state">${eventState(event)}</span>
<span class="about"><span class="mono any">${shortId(event.object_id)}</span>
 · <time>${moment(dateOf(event.created))}</time></span></a></li>`
}

export function deliveryCard(delivery: Delivery): Html {
  const { state, attempts } = delivery
  const isRetried = state === 'waiting' && attempts.length > 0
  return html`<li class="card stack tight">
<div class="head"><strong class="any">${breakable(delivery.url ?? 'A deleted endpoint')}</strong>
${isRetried ? badge('retrying', 'Will be retried') : badge(state === 'waiting' ? 'pending' : state)}</div>
<ol class="stack tight">${attempts.map(
    (attempt, at) => html`<li>
<div class="pairs"><div><span class="muted">${at + 1}. <time>${moment(new Date(attempt.at))}</time></span>
<span class="figures">${attempt.status ?? 'No response'} in ${attempt.ms} ms</span></div></div>
${attempt.answer !== '' && html`<pre class="json">${attempt.answer}</pre>`}</li>`,
  )}</ol>
<p class="muted small">${nextTry(delivery)}</p>
</li>`
}

function nextTry({ attempts, next_try_at }: Delivery): string {
  if (attempts.length === 0) return 'Not sent yet.'
  return next_try_at === null ? '' : `Next attempt ${moment(new Date(next_try_at))} UTC.`
}
