/**
 * Calls the processor and classifies the response.
 *
 * The Stripe package treats any JSON without `error` as a success, even a proxy's 503. So a response counts as success
 * here only if the processor must have written it: a status below 300, the requested object, its id.
 */
import Stripe from 'stripe'
import type { Config } from '../config.ts'
import { inSpan, SpanKind, traceparentOf } from '../kit/traces.ts'
import type { Outcome } from './outcome.ts'

const API_VERSION = '2026-10-28.endive'
/** The Stripe package's longest backoff between two tries. */
const PAUSE_MAX_MS = 5000
const GRACE_MS = 1000
const SECRET = /\b(?:[sr]k_(?:live|test)_|whsec_)\w+/g
const REQUEST_ID = /\breq_\w+/g
const STRIPES_OWN_REFUSALS = [400, 401, 402, 403, 404]

/** What a response must contain: `object`, and an id unless such objects have none. */
interface Expected {
  object: string
  hasId?: boolean
}

export type Call = <T extends object, R>(
  expected: Expected,
  request: (stripe: Stripe) => Promise<T>,
  read: (answer: T) => R,
) => Promise<Outcome<R>>

export function openStripe(config: Config, secretKey: string): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: config.STRIPE_RETRIES,
    timeout: config.STRIPE_TIMEOUT_MS,
    telemetry: false,
    httpClient: openHttp(),
    ...(config.STRIPE_API_BASE === undefined ? {} : addressOf(new URL(config.STRIPE_API_BASE))),
  })
}

function addressOf({ protocol, hostname, port }: URL) {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const)
  return { protocol: scheme, host: hostname, port: port || (scheme === 'http' ? '80' : '443') }
}

/** Ids in paths would make each span's name unique. */
const ID = /(?<=\/)[a-z0-9]+_\w+/gi

/**
 * Traces each request, and rejects bodies that are not objects (`"OK"`, `5`, `null`): they make the Stripe package
 * lose the call and cause an unhandled rejection.
 */
function openHttp(): Stripe.HttpClient {
  const http = Stripe.createNodeHttpClient()
  return {
    getClientName: () => http.getClientName(),
    async makeRequest(host, port, path, method, headers, ...rest) {
      const route = path.replace(/\?.*/s, '').replaceAll(ID, ':id')
      const response = await inSpan(
        `processor ${method} ${route}`,
        { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method } },
        async (span) => {
          const sent = span ? { ...headers, traceparent: traceparentOf(span) } : headers
          const got = await http.makeRequest(host, port, path, method, sent, ...rest)
          span?.setAttribute('http.response.status_code', got.getStatusCode())
          return got
        },
      )
      const toJSON = response.toJSON.bind(response)
      response.toJSON = async () => {
        const body: unknown = await toJSON()
        if (typeof body !== 'object' || body === null) throw new SyntaxError('not an object')
        return body
      }
      return response
    },
  }
}

/** All requests go through this function. */
export function openCall(stripe: Stripe, config: Config, livemode: boolean): Call {
  // The Stripe package times out a silent connection, but would wait forever for one that trickles.
  const { STRIPE_TIMEOUT_MS: timeoutMs, STRIPE_RETRIES: retries } = config
  const patienceMs = timeoutMs * (retries + 2) + PAUSE_MAX_MS * retries + GRACE_MS

  return async (expected, request, read) => {
    const tooLong = Promise.withResolvers<never>()
    const timer = setTimeout(() => tooLong.reject(new Error('incomplete response')), patienceMs)
    try {
      const answer = await Promise.race([request(stripe), tooLong.promise])
      const fault = faultOf(answer, expected, livemode)
      if (fault !== undefined) return ambiguous(fault)
      return { kind: 'ok', value: read(answer) }
    } catch (error) {
      return judge(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Describes why the processor can't have written this response; undefined if nothing is wrong. */
function faultOf(answer: unknown, expected: Expected, livemode: boolean): string | undefined {
  const { object, id, livemode: mode, lastResponse } = answer as Record<string, unknown>
  const { statusCode } = (lastResponse ?? {}) as { statusCode?: number }
  if (statusCode === undefined || statusCode >= 300)
    return `response ${statusCode} without an error`
  if (object !== expected.object) return `the response is not a ${expected.object}`
  if (expected.hasId !== false && !(typeof id === 'string' && id !== ''))
    return `${expected.object} without an id`
  if (mode !== undefined && mode !== livemode) return `${expected.object} of the other mode`
  return undefined
}

function judge(error: unknown): Outcome<never> {
  if (!(error instanceof Stripe.errors.StripeError))
    return ambiguous(`malformed response: ${String(error)}`)
  const { statusCode, code, rawType, message } = error
  const detail = error.detail as unknown as { code?: string } | undefined

  // Any gateway may send `error`; only the processor puts a type or a code inside it.
  const name = [code, rawType].find((word) => typeof word === 'string' && word !== '')
  const isStripes = name !== undefined && !(error instanceof Stripe.errors.StripeOAuthError)
  if (statusCode === undefined || !isStripes)
    return ambiguous(`${detail?.code ?? ''} ${message}`.trim())

  if (statusCode === 409 || statusCode === 429 || ['lock_timeout', 'rate_limit'].includes(name))
    return { kind: 'retry_later', code: name, ...pauseOf(error.headers) }
  if (isRefusal(error, statusCode))
    return {
      kind: 'definite',
      code: name,
      message: withoutSecrets(message),
      ...(isKeyRefused(statusCode, name) ? { isKeyRefused: true } : {}),
    }
  return ambiguous(`response ${statusCode} ${name}: ${message}`, { isAnswer: statusCode >= 500 })
}

function ambiguous(cause: string, { isAnswer } = { isAnswer: false }): Outcome<never> {
  // Identical failures must have identical causes, so remove the request id.
  return { kind: 'ambiguous', cause: withoutSecrets(cause.replaceAll(REQUEST_ID, '')), isAnswer }
}

/** The v2 API has its own error classes, with their own statuses. */
function isRefusal(error: Stripe.errors.StripeError, statusCode: number): boolean {
  if (STRIPES_OWN_REFUSALS.includes(statusCode)) return true
  return statusCode < 500 && statusCode > 404 && !(error instanceof Stripe.errors.StripeAPIError)
}

/** A closed or foreign account gets the same status as an API key without permission. */
function isKeyRefused(statusCode: number, code: string): boolean {
  return statusCode === 401 || (statusCode === 403 && code !== 'account_invalid')
}

function pauseOf(headers: Record<string, string> | undefined): { afterMs?: number } {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? { afterMs: Math.ceil(seconds * 1000) } : {}
}

/** Errors are logged and shown to operators, so they must not contain API keys. */
function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET, '[secret]').slice(0, 500)
}
