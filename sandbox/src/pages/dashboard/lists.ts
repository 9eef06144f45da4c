/** The lists of objects, one page per kind. */
import { listKind } from '../../inspect.ts'
import { PLATFORM } from '../../tx.ts'
import { alert, done, field } from '../forms.ts'
import { html, type Html } from '../html.ts'
import { type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { centsOf } from '../wording.ts'
import { control } from './ask.ts'
import { desk, LISTS } from './desk.ts'
import { line } from './rows.ts'

const SHOWN = 50

export const listPages: PageRoute[] = [
  ...LISTS.map(
    (list): PageRoute => ({
      method: 'GET',
      path: `/dashboard/${list.path}`,
      run: (call) => show(listPage(call, list)),
    }),
  ),
  { method: 'POST', path: '/dashboard/top-ups', run: topUp },
]

function listPage(
  { sandbox, request }: PageCall,
  { path, kind, many }: (typeof LISTS)[number],
  refusal?: string,
) {
  const params = request.url.searchParams
  const startingAfter = params.get('after') ?? undefined
  // A connected account's side of a transfer is also a charge; it is shown with the transfer instead.
  const account = kind === 'charge' ? PLATFORM : undefined
  const objects = sandbox.transaction((tx) =>
    listKind(tx, kind, { limit: SHOWN + 1, startingAfter, account }),
  )
  const shown = objects.slice(0, SHOWN)
  const current = `/dashboard/${path}`
  return desk({
    title: many,
    current,
    above: { to: '/dashboard', text: 'Overview' },
    status: refusal === undefined ? 200 : 400,
    content: html`<h1>${many}</h1>
${refusal && alert(html`<strong>${refusal}</strong>`)}
${params.get('done') && done('Done.')}
${kind === 'topup' && topUpForm()}
<div class="card flush">
${
  shown.length === 0
    ? html`<div class="head muted">${startingAfter ? 'Nothing older.' : 'Nothing yet.'}</div>`
    : html`<ul class="things">${shown.map((object) => line({ kind, object }))}</ul>`
}
</div>
<div class="pager">
${startingAfter ? html`<a class="button second slim" href="${current}">Newest</a>` : html`<span></span>`}
${
  objects.length > SHOWN &&
  html`<a class="button second slim" href="${current}?after=${shown.at(-1)!.id}">Older</a>`
}
</div>`,
  })
}

function topUpForm(): Html {
  return html`<form class="card inline" method="post" action="/dashboard/top-ups" novalidate>
${field({
  name: 'amount',
  label: 'Add money to our balance',
  inputmode: 'decimal',
  autocomplete: 'off',
  placeholder: '500.00',
})}
<button class="button">Add a top-up</button>
</form>`
}

async function topUp(call: PageCall): Promise<PageAnswer> {
  const list = LISTS.find(({ kind }) => kind === 'topup')!
  const amount = centsOf(call.fields('amount'))
  if (amount === undefined) return show(listPage(call, list, 'Enter an amount such as 500.00.'))
  const { refusal } = await control(call, 'POST', 'topups', { amount })
  return refusal === undefined
    ? seeOther('/dashboard/top-ups?done=yes')
    : show(listPage(call, list, refusal))
}
