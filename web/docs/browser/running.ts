/** The Run button: sends a curl sample to this server with the reader's test key, and shows the response below. */
import { barOf } from './copying.ts'
import { storeIds, storedIds, storedKey } from './session-values.ts'
import { make, panels, say, slot } from './page.ts'

const WAIT_MAX_S = 10
const SHOWN_MAX = 20_000

export function addRunning(): void {
  for (const panel of panels()) {
    const { method, path } = panel.dataset
    if (method === undefined || path === undefined) continue
    const button = make('button', { type: 'button', class: 'act run' }, 'Run in test mode')
    button.addEventListener('click', () => void run(panel, button))
    barOf(panel).prepend(button)
  }
}

async function run(panel: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const key = storedKey()
  if (key === null) {
    const details = slot('key')!.querySelector('details')!
    details.open = true
    details.querySelector('input')!.focus()
    return show(panel, 'bad', 'Add a test key first. Paste or create one at the top of the page.')
  }
  const { method, path, body } = panel.dataset
  const missing = [...`${path!}${body ?? ''}`.matchAll(/\$([A-Z_]+)/g)].find(
    ([, name]) => storedIds()[name!] === undefined,
  )
  if (missing)
    return show(panel, 'bad', `${missing[0]} has no value yet. First run a call that creates one.`)
  const fill = (text: string) =>
    text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => storedIds()[name]!)
  button.disabled = true
  const startedAt = performance.now()
  try {
    const response = await fetch(
      `/api/v1${fill(path!).replace(/wait=\d+/, `wait=${WAIT_MAX_S}`)}`,
      {
        method: method!,
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: fill(body) }),
      },
    )
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    storeIds(text)
    show(panel, response.ok ? 'ok' : 'bad', `${response.status} in ${ms} ms`, pretty(text))
  } catch {
    show(panel, 'bad', 'Can’t reach the server. Try again in a moment.')
  } finally {
    button.disabled = false
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function show(panel: HTMLElement, kind: 'ok' | 'bad', words: string, answer?: string): void {
  panel.querySelector('.result')?.remove()
  panel.append(
    make(
      'div',
      { class: 'result' },
      make('p', {}, make('span', { class: kind }, words)),
      ...(answer === undefined
        ? []
        : [make('pre', { tabindex: '0' }, make('code', {}, answer.slice(0, SHOWN_MAX)))]),
    ),
  )
  say(words)
}
