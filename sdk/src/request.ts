/**
 * One API call, with its time limit, retries, idempotency key and errors. It uses only `fetch` and other globals that
 * Node, browsers and edge runtimes share.
 */
import type { CallOptions } from './call-options.ts'
import { ERROR_CLASSES } from './error-classes.ts'
import {
  ConnectionError,
  isPassing,
  LegworkError,
  MissingKeyError,
  TimeLimitError,
} from './errors.ts'
import type { Answer, Body, Query, Route } from './routes.ts'
import { VERSION } from './version.ts'

const DEFAULT_URL = 'https://legwork.example/api/v1'
const TIMEOUT_MS = 30_000
const RETRIES_MAX = 3
const PAUSE_MS = 500
const PAUSE_MAX_MS = 8000
/** A longer `Retry-After` is reported to the caller instead of waited for. */
const RETRY_AFTER_MAX_S = 60

export interface ClientOptions {
  /** The base URL of the API; LEGWORK_URL by default, else the API at legwork.example. */
  baseUrl?: string | undefined
  /** A custom `fetch`, for example with a proxy. */
  fetch?: Fetch | undefined
  /** Time limit of each attempt, 30 seconds by default. Long polls get their waiting time on top. */
  timeoutMs?: number | undefined
  /** Number of retries after a temporary failure, 3 by default. */
  retriesMax?: number | undefined
  /** Your user agent, sent beside this package's: `my-agent/1.2`. */
  userAgent?: string | undefined
}

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

export interface Parts<R extends Route> {
  /** Replaces `{id}` in the route. */
  id?: string | undefined
  query?: Query<R> | undefined
  body?: Body<R> | undefined
  /** Seconds for which the server may hold the response. */
  holdS?: number | undefined
}

export interface RawCall {
  method: string
  url: string
  headers?: Record<string, string> | undefined
  body?: NonNullable<RequestInit['body']> | undefined
  holdS?: number | undefined
  /** Whether an attempt without a response may be retried. */
  isRepeatable?: boolean | undefined
  /** Whether the caller reads the body of a successful response. */
  isStream?: boolean | undefined
}

export type Send = <R extends Route>(
  route: R,
  parts?: Parts<R>,
  options?: CallOptions,
) => Promise<Answer<R>>

export interface Requests {
  baseUrl: string
  send: Send
  /** A call whose request or response body is not JSON, with an unread response. Throws unless the status is 2xx. */
  raw(call: RawCall, options?: CallOptions): Promise<Response>
}

interface Reply {
  response: Response
  /** The body, unless the caller reads it. */
  text: string
}

/** The client's options that apply to each attempt. */
interface Transport {
  /** Called without `this`: a browser's own `fetch` refuses to be a method of another object. */
  fetchNow: Fetch
  timeoutMs: number
  headers: Record<string, string>
}

export function openRequests(
  options: ClientOptions,
  credential: {
    what: 'API key' | 'token'
    read(): string | undefined
    isNeeded(route: Route): boolean
  },
): Requests {
  const baseUrl = (options.baseUrl ?? readEnv('LEGWORK_URL') ?? DEFAULT_URL).replace(/\/+$/, '')
  const retriesMax = options.retriesMax ?? RETRIES_MAX
  const transport: Transport = {
    fetchNow: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    headers: userAgent(options.userAgent),
  }

  const send: Send = async (route, parts = {}, callOptions = {}) => {
    const [method, path] = route.split(' ') as [string, string]
    const key = credential.read()
    if (key === undefined && credential.isNeeded(route)) throw new MissingKeyError(credential.what)
    const { body } = parts as { body?: unknown }
    const { response, text } = await run(
      {
        method,
        url:
          baseUrl + path.replace('{id}', encodeURIComponent(parts.id ?? '')) + search(parts.query),
        headers: {
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${sendable(key)}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          // Created once, before the first attempt, so that retries reuse it.
          ...(method === 'POST'
            ? { 'idempotency-key': callOptions.idempotencyKey ?? randomKey() }
            : {}),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        holdS: parts.holdS,
      },
      callOptions,
    )
    if (response.status === 204) return undefined as Answer<typeof route>
    const answer = readAnswer(text, baseUrl + path)
    for (const warning of answer.warnings ?? [])
      globalThis.console?.warn(
        warning.message === undefined
          ? `legwork: ${route} takes no field ${warning.path}; it had no effect`
          : `legwork: ${route}: ${warning.message}`,
      )
    return answer as Answer<typeof route>
  }

  async function run(call: RawCall, callOptions: CallOptions): Promise<Reply> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(call, callOptions, transport)
      } catch (error) {
        callOptions.signal?.throwIfAborted()
        const pauseMs = tries < retriesMax ? pauseAfter(error, tries, call.isRepeatable) : undefined
        if (pauseMs === undefined) throw error
        await pause(pauseMs, callOptions.signal)
      }
    }
  }

  return {
    baseUrl,
    send,
    raw: async (call, callOptions = {}) =>
      (await run({ ...call, isStream: true }, callOptions)).response,
  }
}

/** Makes one attempt. */
async function once(
  call: RawCall,
  { signal, timeoutMs }: CallOptions,
  { fetchNow, timeoutMs: usualMs, headers }: Transport,
): Promise<Reply> {
  signal?.throwIfAborted()
  const limitMs = (timeoutMs ?? usualMs) + (call.holdS ?? 0) * 1000
  const stop = new AbortController()
  const onAbort = () => stop.abort()
  signal?.addEventListener('abort', onAbort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop.abort()
  }, limitMs)
  try {
    const response = await fetchNow(call.url, {
      method: call.method,
      headers: { ...call.headers, ...headers },
      signal: stop.signal,
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    // The time limit and the retries include reading the body, but not downloading a file.
    const text = response.ok && call.isStream ? '' : await response.text()
    if (!response.ok) throw toError(response, { text, url: bare(call.url) })
    return { response, text }
  } catch (error) {
    if (error instanceof LegworkError) throw error
    signal?.throwIfAborted()
    throw isLate
      ? new TimeLimitError(bare(call.url), limitMs)
      : new ConnectionError(bare(call.url), error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Rejects a key that a header can't carry, which `fetch` would report as a lost connection. The key stays secret. */
function sendable(key: string): string {
  if (/^[!-~]*$/.test(key)) return key
  throw new TypeError(
    'The API key or token contains a space, a line break or another invalid character',
  )
}

/** Milliseconds until the next attempt, or undefined to give up. */
function pauseAfter(error: unknown, tries: number, isRepeatable = true): number | undefined {
  if (!isPassing(error)) return undefined
  // A response with Retry-After had no effect; any other failed attempt may have had one.
  if (!isRepeatable && error.retryAfterS === undefined) return undefined
  if (error.retryAfterS !== undefined && error.retryAfterS > RETRY_AFTER_MAX_S) return undefined
  return pauseMs(tries, error.retryAfterS)
}

/** Exponential backoff with jitter, at least as long as `Retry-After`. */
export function pauseMs(tries: number, retryAfterS = 0): number {
  const growing = Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS) * (0.5 + Math.random() / 2)
  return retryAfterS > 0 ? retryAfterS * 1000 + Math.random() * PAUSE_MS : growing
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what the caller gave as the reason
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

function toError(response: Response, { text, url }: { text: string; url: string }): LegworkError {
  const body = readObject(text)
  const code = typeof body?.code === 'string' ? body.code : 'unreadable_answer'
  const { error, code: _, request_id, hint, doc_url, ...fields } = body ?? {}
  const ErrorClass = ERROR_CLASSES[code] ?? LegworkError
  return new ErrorClass(typeof error === 'string' ? error : `${url} answered ${response.status}`, {
    status: response.status,
    code,
    requestId: optionalText(request_id) ?? response.headers.get('x-request-id') ?? undefined,
    hint: optionalText(hint),
    docUrl: optionalText(doc_url),
    retryAfterS: retryAfter(response.headers.get('retry-after'), fields.retry_after_seconds),
    isReplay: response.headers.get('idempotency-replayed') === 'true',
    fields,
  })
}

/** Reads `Retry-After` (seconds or a date), or the body if a browser hides the header. */
function retryAfter(header: string | null, inBody: unknown): number | undefined {
  if (header !== null && /^\d+$/.test(header.trim())) return Number(header)
  const at = header === null ? Number.NaN : Date.parse(header)
  if (!Number.isNaN(at)) return Math.max(0, Math.ceil((at - Date.now()) / 1000))
  return typeof inBody === 'number' ? inBody : undefined
}

function readAnswer(
  text: string,
  url: string,
): { warnings?: { path: string; message?: string }[] } {
  const answer = readObject(text)
  if (answer) return answer
  throw new LegworkError(`${url} answered with what is not JSON; is it the address of the API?`, {
    status: 200,
    code: 'unreadable_answer',
  })
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const optionalText = (value: unknown) => (typeof value === 'string' ? value : undefined)

function search(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}

/** The URL without its query, which may contain a signature. */
const bare = (url: string) => url.split('?')[0]!

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Browsers set their own User-Agent, and some send a preflight for a custom one. */
function userAgent(own: string | undefined): Record<string, string> {
  if ('document' in globalThis) return {}
  return { 'user-agent': `legwork-sdk/${VERSION}${own === undefined ? '' : ` ${own}`}` }
}

/** Reads an environment variable, if the runtime has any. */
export function readEnv(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
