/**
 * Acts as a client from outside: calls the API, opens the processor's pages and fills in their forms. The scripts that
 * play a marketplace use it for everything that an agent, a worker or a payer does.
 */
import assert from 'node:assert/strict'

/** Response bodies are untyped: the scripts know their shape, the compiler doesn't. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = Record<string, any>

export type Client = ReturnType<typeof withKey>

/** `from` is the address that a trusted proxy would report for this client. */
export function withKey(api: string, key: string, { from }: { from?: string } = {}) {
  const options = { key, ...(from === undefined ? {} : { from }) }
  const send =
    (method: string) =>
    (to: string, body?: Body, expected = 0) =>
      call(api, method, to, { ...options, ...(body ? { body } : {}), expected })
  return { get: send('GET'), post: send('POST'), put: send('PUT'), patch: send('PATCH') }
}

export async function call(
  api: string,
  method: string,
  to: string,
  {
    key,
    from,
    body,
    expected = 0,
  }: { key?: string; from?: string; body?: Body; expected?: number } = {},
): Promise<Body> {
  const response = await fetch(api + to, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Body
  const isRight = expected === 0 ? response.ok : response.status === expected
  assert(isRight, `${method} ${to}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

export interface OpenPage {
  url: string
  html: string
}

/** Opens a page as a browser would: follows redirects and keeps the cookies set along the way. */
export async function openPage(url: string, init: RequestInit = {}): Promise<OpenPage> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const next = response.headers.get('location')
  if (next === null) return { url, html: await response.text() }
  const cookie = response.headers.getSetCookie().map((given) => given.split(';')[0])
  return openPage(new URL(next, url).href, { headers: { cookie: cookie.join('; ') } })
}

/** Fills in the form of a page and sends it as a browser does, including hidden fields. */
export async function send(
  { url, html }: OpenPage,
  filled: Record<string, string>,
): Promise<OpenPage> {
  const [form] = /<form[^]*?<\/form>/.exec(html) ?? []
  assert(form, `there is no form on ${url}`)
  const attribute = (tag: string, name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const body = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input[^>]*>/g))
    if (!tag.includes('type="radio"') || tag.includes(' checked'))
      body.set(attribute(tag, 'name'), attribute(tag, 'value'))
  for (const [, name, options] of form.matchAll(
    /<select[^>]* name="(\w+)"[^>]*>([^]*?)<\/select>/g,
  ))
    body.set(name!, /value="(\w+)" selected/.exec(options!)?.[1] ?? '')
  for (const [name, value] of Object.entries(filled)) body.set(name, value)
  const action = new URL(attribute(form, 'action'), url).href
  return openPage(action, { method: 'POST', body })
}

/** Polls until there is a result, for a limited time. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  { seconds = 10 } = {},
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    assert(performance.now() < end, `what was waited for did not come within ${seconds} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
