import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { Json } from './harness.ts'

/** The kinds of clients; each sends the headers that its usual library sends. */
export type Author = 'Python' | 'Go' | 'PHP' | 'curl'

const USUAL_HEADERS: Record<Author, Record<string, string>> = {
  Python: {
    'user-agent': 'python-requests/2.32.3',
    'accept-encoding': 'gzip, deflate',
    accept: '*/*',
    connection: 'keep-alive',
  },
  Go: { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' },
  PHP: { 'user-agent': 'GuzzleHttp/7' },
  curl: { 'user-agent': 'curl/8.5.0', accept: '*/*' },
}

export interface Sent {
  by: Author
  method: string
  url: string
  /** Undefined removes a header that is sent by default. */
  headers: Record<string, string | undefined>
  /** The bytes of the body as the library writes them. */
  body?: string | Buffer | undefined
  /** Sends a stream, without a content-length. */
  chunked?: boolean | undefined
}

export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: Json
}

/** Sends one request with exactly the library's bytes: only Host, Connection and the length are added. */
export function send({ by, method, url, headers, body, chunked }: Sent): Promise<Received> {
  const all: Record<string, string | undefined> = {
    ...USUAL_HEADERS[by],
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, agent: false })
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) request.setHeader(name, value)
    if (chunked) request.setHeader('transfer-encoding', 'chunked')
    else if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body))
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          body: text.startsWith('{') ? (JSON.parse(text) as Json) : {},
        })
      })
    })
    const isAsked = all.expect !== undefined
    // curl and PHP wait for 100 Continue before they send a large body.
    if (isAsked) request.on('continue', () => request.end(body))
    if (isAsked) request.flushHeaders()
    else request.end(body)
  })
}

/**
 * Asserts that everything expected is present: the named fields of an object, a pattern for a string, a predicate for
 * anything. Additional values are allowed.
 */
export function assertHas(actual: unknown, expected: unknown, path = 'body'): void {
  if (expected instanceof RegExp) {
    assert.equal(typeof actual, 'string', `${path} is a text`)
    assert.match(actual as string, expected, path)
  } else if (typeof expected === 'function') {
    assert(
      (expected as (value: unknown) => boolean)(actual),
      `${path} is ${JSON.stringify(actual)}`,
    )
  } else if (Array.isArray(expected)) {
    assert(Array.isArray(actual), `${path} is a list`)
    assert.equal(actual.length, expected.length, `${path} has as many items`)
    for (const [i, item] of expected.entries()) assertHas(actual[i], item, `${path}.${i}`)
  } else if (typeof expected === 'object' && expected !== null) {
    assert(typeof actual === 'object' && actual !== null, `${path} is an object`)
    for (const [name, value] of Object.entries(expected))
      assertHas((actual as Json)[name], value, `${path}.${name}`)
  } else assert.deepEqual(actual, expected, path)
}
