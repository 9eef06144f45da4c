/**
 * Calls of the test API, each shown in the panel. The test agent is created once for this window; the docs use the same
 * key. Nothing here can reach a live agent: only keys of test mode are accepted.
 */
import { shortened } from '../example.ts'
import { make } from './page.ts'

const KEY = 'legwork.docs.key'
const TEST_KEY = /^lw_test_[\w-]+$/
const SECRET = /\b(lw_test_|whsec_)[\w+/=-]{6,}/g
const SHOWN_MAX = 20_000

/** The server refused, and this says why in words for the visitor. */
export class Refused extends Error {}

interface Response {
  status: number
  body: unknown
}

export function openCalls(panel: HTMLElement) {
  panel.replaceChildren()

  async function send(method: string, path: string, body?: object): Promise<Response> {
    const key = storedKey()
    const startedAt = performance.now()
    const response = await fetch(`/api/v1${path}`, {
      method,
      credentials: 'omit',
      headers: {
        ...(key === null || path === '/test/agents' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    panel.append(renderCall({ method, path, body, status: response.status, ms, text }))
    return { status: response.status, body: parse(text) }
  }

  async function createAgent(): Promise<void> {
    const { status, body } = await send('POST', '/test/agents', {})
    const { agent } = (body ?? {}) as { agent?: { test_api_key: string } }
    if (!agent) throw new Refused(wordsFor(status, body))
    sessionStorage.setItem(KEY, agent.test_api_key)
  }

  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    if (storedKey() === null) await createAgent()
    let response = await send(method, path, body)
    // The stored agent may have ended: test agents live for a week.
    if (response.status === 401) {
      await createAgent()
      response = await send(method, path, body)
    }
    if (response.status >= 300) throw new Refused(wordsFor(response.status, response.body))
    return response.body as Answer
  }

  return {
    get: <Answer>(path: string) => call<Answer>('GET', path),
    post: <Answer>(path: string, body?: object) => call<Answer>('POST', path, body),
  }
}

function storedKey(): string | null {
  const key = sessionStorage.getItem(KEY)
  return key !== null && TEST_KEY.test(key) ? key : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wordsFor(status: number, body: unknown): string {
  const { error, retry_after_seconds: wait } = (body ?? {}) as {
    error?: string
    retry_after_seconds?: number
  }
  if (status === 429) return `There were many runs from your network. Try again ${whenIn(wait)}.`
  if (status === 503) return `Test mode is busy. Try again ${whenIn(wait)}.`
  return `The server couldn’t do this${error === undefined ? '' : `: ${error}`}. Try again in a moment.`
}

function whenIn(wait: number | undefined): string {
  if (wait === undefined) return 'in a moment'
  if (wait < 90) return `in ${wait} seconds`
  return `in ${Math.ceil(wait / 60)} minutes`
}

interface Shown {
  method: string
  path: string
  body: object | undefined
  status: number
  ms: number
  text: string
}

function renderCall({ method, path, body, status, ms, text }: Shown): HTMLElement {
  const answer = parse(text)
  const shown = answer === undefined ? text : JSON.stringify(answer, null, 2)
  return make(
    'details',
    path === '/verify' ? { open: '' } : {},
    make(
      'summary',
      {},
      make('span', { class: 'method' }, method),
      ' ',
      make('span', { class: 'path' }, shortened(path)),
      ' ',
      make('span', { class: 'result' }, `${status} · ${ms} ms`),
    ),
    make(
      'pre',
      { tabindex: '0', role: 'region', 'aria-label': `${method} ${path}` },
      make(
        'code',
        {},
        body === undefined ? '' : `${JSON.stringify(body, null, 2)}\n\n`,
        make('span', { class: 'after' }, `→ ${status}`),
        `\n${shown.replaceAll(SECRET, '$1…').slice(0, SHOWN_MAX)}`,
      ),
    ),
  )
}
