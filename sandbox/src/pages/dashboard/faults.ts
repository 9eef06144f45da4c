/** Faults: requests that fail on purpose while a fault is switched on. */
import { FAULT_MODES, type Fault, type FaultMode, listFaults } from '../../faults.ts'
import { badge } from '../badges.ts'
import { alert, done, type Fields, field } from '../forms.ts'
import { html, type Html } from '../html.ts'
import { type Page, type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { control } from './ask.ts'
import { desk, press } from './desk.ts'

const HERE = '/dashboard/faults'

/**
 * What the caller sees, in plain words. "Before": nothing was done. "After": it was done, but the caller isn't told.
 */
const MODES: Record<FaultMode, string> = {
  error_before: 'Error, nothing done',
  error_after: 'Error, but it was done',
  hang_before: 'No response, nothing done',
  hang_after: 'No response, but it was done',
  reset_before: 'Connection closed, nothing done',
  reset_after: 'Connection closed, but it was done',
  rate_limit: 'Too many requests',
  lock_timeout: 'The object is locked',
  html502: 'An HTML page instead of JSON',
  slow: 'Slow, then correct',
  json_without_error: 'A malformed response',
}

const COMMON = [
  'POST /v1/transfers',
  'POST /v1/checkout/sessions',
  'POST /v1/refunds',
  'POST /v2/core/accounts',
  'GET /v1/',
]

export const faultPages: PageRoute[] = [
  { method: 'GET', path: HERE, run: (call) => show(faultsPage(call)) },
  { method: 'POST', path: HERE, run: add },
  {
    method: 'POST',
    path: `${HERE}/clear`,
    async run(call) {
      await control(call, 'DELETE', 'faults')
      return seeOther(`${HERE}?done=clear`)
    },
  },
]

const NOTES: Record<string, string> = {
  add: 'The fault is on.',
  clear: 'All faults are off.',
}

async function add(call: PageCall): Promise<PageAnswer> {
  const { fields } = call
  const { refusal } = await control(call, 'POST', 'faults', readFault(fields))
  return refusal === undefined
    ? seeOther(`${HERE}?done=add`)
    : show(faultsPage(call, { refusal, fields }))
}

/** Empty fields are not sent; numbers and probabilities are sent as typed and validated by the control API. */
function readFault(fields: Fields): Record<string, unknown> {
  const percent = fields('percent')
  const given = {
    match: fields('match'),
    mode: fields('mode'),
    times: fields('times'),
    ms: fields('ms'),
    probability: percent === '' ? '' : Number(percent) / 100,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

function faultsPage(
  { sandbox, request }: PageCall,
  { refusal, fields = () => '' }: { refusal?: string; fields?: Fields } = {},
): Page {
  const faults = listFaults(sandbox.store)
  const note = NOTES[request.url.searchParams.get('done') ?? '']
  return desk({
    title: 'Faults',
    current: HERE,
    status: refusal === undefined ? 200 : 400,
    content: html`<div class="stack tight"><h1>Faults</h1>
<p class="muted">Make requests to the processor fail and see how the service reacts.</p></div>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${note && done(note)}
<div class="columns">
<section class="card flush" aria-labelledby="on">
<div class="head"><h2 id="on">Faults</h2>
${faults.length > 0 && press(`${HERE}/clear`, 'Turn all off', { tone: 'danger' })}</div>
${
  faults.length === 0
    ? html`<p class="none muted">No faults: every request gets its normal response.</p>`
    : html`<ul class="things">${faults.map(faultLine)}</ul>`
}
</section>
${addForm(fields)}
</div>`,
  })
}

function faultLine({ match, mode, remaining, struck, probability }: Fault): Html {
  const chance = probability === undefined ? '' : `, at ${Math.round(probability * 100)} %`
  return html`<li class="thing">
<span class="what mono any">${match}</span>
<span class="state">${remaining === 0 ? badge('over', 'Used up') : badge('restricted', 'On')}</span>
<span class="about">${MODES[mode]}${chance} · ${often(remaining)} · triggered ${struck}×</span></li>`
}

function often(remaining: number | null): string {
  if (remaining === null) return 'unlimited'
  if (remaining === 0) return 'no more'
  return remaining === 1 ? 'once more' : `${remaining} times more`
}

function addForm(fields: Fields): Html {
  const number = { inputmode: 'numeric', autocomplete: 'off' } as const
  return html`<form class="card stack" method="post" action="${HERE}" novalidate>
<h2>Turn on a fault</h2>
${field({
  name: 'match',
  label: 'Which requests',
  value: fields('match') || COMMON[0],
  hint: `The beginning of the request, or a regular expression. For example: ${COMMON.slice(1).join(' · ')}`,
  autocomplete: 'off',
})}
${field({
  name: 'mode',
  label: 'What happens',
  value: fields('mode'),
  options: FAULT_MODES.map((mode) => [mode, MODES[mode]] as const),
})}
<div class="pair">
${field({ ...number, name: 'times', label: 'How often', value: fields('times') || '1' })}
${field({ ...number, name: 'percent', label: 'Probability in %', value: fields('percent'), isOptional: true })}
</div>
${field({
  ...number,
  name: 'ms',
  label: 'Milliseconds',
  value: fields('ms'),
  hint: 'Duration of slow responses and timeouts.',
  isOptional: true,
})}
<button class="button">Turn on</button>
</form>`
}
