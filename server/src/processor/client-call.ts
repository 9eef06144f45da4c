/**
 * Calls the processor and judges the answer.
 *
 * The package takes whatever JSON has no `error` for a success, a proxy's 503 as well. So nothing counts as one here
 * unless the processor itself must have written it: a status below 300, the object that was asked for, its id.
 */
import Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Outcome } from './outcome.ts'

const API_VERSION = '2026-10-28.endive'
/** The package's longest pause between two tries. */
const PAUSE_MAX_MS = 5000
const GRACE_MS = 1000
const SECRET = /\b(?:[sr]k_(?:live|test)_|whsec_)\w+/g
const REQUEST_ID = /\breq_\w+/g
const STRIPES_OWN_REFUSALS = [400, 401, 402, 403, 404]

/** What an answer must be: `object`, and an id unless such objects have none. */
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

/** A body that is no object (`"OK"`, `5`, `null`) makes the package lose the call and reject where nobody listens. */
function openHttp(): Stripe.HttpClient {
  const http = Stripe.createNodeHttpClient()
  return {
    getClientName: () => http.getClientName(),
    async makeRequest(...request) {
      const response = await http.makeRequest(...request)
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

/** Every request goes through here. */
export function openCall(stripe: Stripe, config: Config, livemode: boolean): Call {
  // A silent connection is given up by the package; one that trickles would be waited for without end.
  const { STRIPE_TIMEOUT_MS: timeoutMs, STRIPE_RETRIES: retries } = config
  const patienceMs = timeoutMs * (retries + 2) + PAUSE_MAX_MS * retries + GRACE_MS

  return async (expected, request, read) => {
    const tooLong = Promise.withResolvers<never>()
    const timer = setTimeout(() => tooLong.reject(new Error('no whole answer')), patienceMs)
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

/** What shows that the processor has not written this answer, if anything. */
function faultOf(answer: unknown, expected: Expected, livemode: boolean): string | undefined {
  const { object, id, livemode: mode, lastResponse } = answer as Record<string, unknown>
  const { statusCode } = (lastResponse ?? {}) as { statusCode?: number }
  if (statusCode === undefined || statusCode >= 300) return `answer ${statusCode} without an error`
  if (object !== expected.object) return `answer is no ${expected.object}`
  if (expected.hasId !== false && !(typeof id === 'string' && id !== ''))
    return `${expected.object} without an id`
  if (mode !== undefined && mode !== livemode) return `${expected.object} of the other mode`
  return undefined
}

function judge(error: unknown): Outcome<never> {
  if (!(error instanceof Stripe.errors.StripeError))
    return ambiguous(`answer of a wrong shape: ${String(error)}`)
  const { statusCode, code, rawType, message } = error
  const detail = error.detail as unknown as { code?: string } | undefined

  // Anybody's gateway says `error`; a type or a code inside it is how the processor says it.
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
  return ambiguous(`answer ${statusCode} ${name}: ${message}`, { isAnswer: statusCode >= 500 })
}

function ambiguous(cause: string, { isAnswer } = { isAnswer: false }): Outcome<never> {
  // The same failure is told by the same words, so it must not name the request that it came to.
  return { kind: 'ambiguous', cause: withoutSecrets(cause.replaceAll(REQUEST_ID, '')), isAnswer }
}

/** The newer interface has error classes of its own, with statuses of their own. */
function isRefusal(error: Stripe.errors.StripeError, statusCode: number): boolean {
  if (STRIPES_OWN_REFUSALS.includes(statusCode)) return true
  return statusCode < 500 && statusCode > 404 && !(error instanceof Stripe.errors.StripeAPIError)
}

/** A closed or foreign account is refused by the same status as a key that may not do this. */
function isKeyRefused(statusCode: number, code: string): boolean {
  return statusCode === 401 || (statusCode === 403 && code !== 'account_invalid')
}

function pauseOf(headers: Record<string, string> | undefined): { afterMs?: number } {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? { afterMs: Math.ceil(seconds * 1000) } : {}
}

/** Errors are logged and shown to operators; a key must not be read there. */
function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET, '[secret]').slice(0, 500)
}
