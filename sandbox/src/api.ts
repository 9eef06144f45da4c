/** The API: authentication, routing, and each request as one transaction. Faults are injected here too. */
import { setTimeout as sleep } from 'node:timers/promises'
import { accountRoutes } from './accounts.ts'
import { balanceRoutes } from './balance.ts'
import { bankRoutes } from './bank-payouts.ts'
import { checkoutRoutes } from './checkout.ts'
import { disputeRoutes } from './disputes.ts'
import { endpointRoutes } from './endpoints.ts'
import { ApiError, InvalidParameter, unknownRoute } from './errors.ts'
import { API_VERSION, eventRoutes } from './events.ts'
import { expand } from './expand.ts'
import { type Fault, takeFault } from './faults.ts'
import { type Answer, findAnswer, hashRequest, keepAnswer, keyInUse } from './idempotency.ts'
import { linkRoutes } from './links.ts'
import { findObject } from './objects.ts'
import { parseForm, parseJson, readParams } from './params.ts'
import { paymentRoutes } from './payments.ts'
import { newId } from './random.ts'
import { refundRoutes } from './refunds.ts'
import { type Route, routeFinder } from './route.ts'
import type { Sandbox } from './sandbox.ts'
import { transferRoutes } from './transfers.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

const ROUTES: Route[] = [
  ...checkoutRoutes,
  ...paymentRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...transferRoutes,
  ...balanceRoutes,
  ...bankRoutes,
  ...accountRoutes,
  ...linkRoutes,
  ...eventRoutes,
  ...endpointRoutes,
]

const findRoute = routeFinder(ROUTES)

const HANG_MAX_MS = 60_000
const SLOW_MS = 1000

export interface ApiRequest {
  method: string
  path: string
  query: string
  body: string
  authorization: string | undefined
  /** The headers `Stripe-Account` (or `Stripe-Context`), `Idempotency-Key` and `Stripe-Version`. */
  account: string | undefined
  key: string | undefined
  version: string | undefined
  /** Aborted when the client disconnects. */
  gone: AbortSignal
}

/** Returns undefined if the connection is to be cut without a response. */
export async function answerApi(
  sandbox: Sandbox,
  request: ApiRequest,
): Promise<Answer | undefined> {
  const requestId = newId('req', 14)
  const answer = await tryAnswer(sandbox, request, requestId)
  if (answer === undefined) return undefined
  return {
    ...answer,
    headers: {
      'content-type': 'application/json',
      ...answer.headers,
      'request-id': requestId,
      'stripe-version': request.version ?? API_VERSION,
      ...(request.key === undefined ? {} : { 'idempotency-key': request.key }),
      ...(request.account === undefined ? {} : { 'stripe-account': request.account }),
    },
  }
}

async function tryAnswer(
  sandbox: Sandbox,
  request: ApiRequest,
  requestId: string,
): Promise<Answer | undefined> {
  try {
    checkKey(request.authorization)
    const fault = takeFault(sandbox.store, `${request.method} ${request.path}`)
    if (fault === undefined) return perform(sandbox, request, requestId)
    return await answerWithFault(sandbox, request, requestId, fault)
  } catch (error) {
    return errorAnswer(error)
  }
}

function checkKey(authorization: string | undefined): void {
  const key = /^Bearer +(\S+)$/.exec(authorization ?? '')?.[1]
  if (key === undefined)
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using ' +
        'Bearer auth (e.g. ‘Authorization: Bearer YOUR_SECRET_KEY’).',
    )
  if (/^[sr]k_live_/.test(key))
    throw unauthorized(
      'Invalid API Key provided: this is a live key, but the sandbox accepts only test keys. No real money moves here.',
    )
  if (!/^[sr]k_test_\w+$/.test(key))
    throw unauthorized(`Invalid API Key provided: ${key.slice(0, 7)}****`)
}

const unauthorized = (message: string) =>
  new ApiError(401, { type: 'invalid_request_error', message })

/** Executes one request in one transaction. */
function perform(
  sandbox: Sandbox,
  request: ApiRequest,
  requestId: string,
  lost?: { instead: Answer },
): Answer {
  const found = findRoute(request.method, request.path)
  if (found === undefined) throw unknownRoute(request.method, request.path)
  const isSecondVersion = request.path.startsWith('/v2/')
  const isKeyed = request.method === 'POST' || (isSecondVersion && request.method === 'DELETE')
  const key = isKeyed ? request.key : undefined
  if (key !== undefined && sandbox.keysInUse.has(key)) throw keyInUse(key)
  const { account = PLATFORM } = request
  const who = { account, request: { id: requestId, idempotency_key: request.key ?? null } }

  return sandbox.transaction((tx) => {
    checkAccount(tx)
    const hash =
      key === undefined
        ? ''
        : hashRequest({ method: request.method, path: request.path, account, body: request.body })
    const before = key === undefined ? undefined : findAnswer(tx, key, hash)
    if (before !== undefined) return before

    const { answer, isKept } = attempt(tx, found, request, isSecondVersion)
    if (key !== undefined && isKept) keepAnswer(tx, key, hash, lost?.instead ?? answer)
    return answer
  }, who)
}

function checkAccount(tx: Tx): void {
  if (tx.account === PLATFORM) return
  if (findObject(asAccount(tx, PLATFORM), 'account', tx.account) === undefined)
    throw new ApiError(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message:
        `The provided key does not have access to account '${tx.account}' (or that account does not exist). ` +
        'Application access may have been revoked.',
    })
}

/**
 * An error rolls back everything written before it, and is a response like any other, stored under the idempotency key.
 */
function attempt(
  tx: Tx,
  { route, ids }: { route: Route; ids: string[] },
  request: ApiRequest,
  isSecondVersion: boolean,
): { answer: Answer; isKept: boolean } {
  try {
    const body = tx.store.attempt(() => {
      const params = readParams(route.params, givenParams(request, isSecondVersion))
      const answered = route.run(tx, { params, ids, path: request.path })
      return expand(tx, answered, (params.expand as string[] | undefined) ?? [])
    })
    return { answer: { status: 200, body: JSON.stringify(body), headers: {} }, isKept: true }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Version 2 re-executes a failed request; version 1 replays its response, unless the parameters were invalid.
    const isKept = !isSecondVersion && !(error instanceof InvalidParameter)
    return { answer: errorAnswer(error), isKept }
  }
}

function givenParams(request: ApiRequest, isSecondVersion: boolean): Record<string, unknown> {
  if (request.method !== 'POST') return parseForm(request.query)
  return isSecondVersion ? parseJson(request.body) : parseForm(request.body)
}

function errorAnswer(error: unknown): Answer {
  if (error instanceof ApiError)
    return {
      status: error.status,
      body: JSON.stringify({ error: error.body }),
      headers: error.headers,
    }
  console.error('the sandbox failed:', error)
  const message = 'The sandbox failed; see its log.'
  return {
    status: 500,
    body: JSON.stringify({ error: { type: 'api_error', message } }),
    headers: {},
  }
}

/**
 * "Before": nothing happens and nothing is stored. "After": the effect happens, the response is lost, and the next
 * retry gets what is stored under the idempotency key.
 */
async function answerWithFault(
  sandbox: Sandbox,
  request: ApiRequest,
  requestId: string,
  fault: Fault,
): Promise<Answer | undefined> {
  switch (fault.mode) {
    case 'error_before':
      return faultAnswer(fault, 500, { type: 'api_error', message: 'A fault before the effect.' })
    case 'rate_limit':
      return faultAnswer(fault, 429, {
        type: 'invalid_request_error',
        code: 'rate_limit',
        message:
          'Request rate limit exceeded. You can learn more about rate limits in the documentation.',
      })
    case 'lock_timeout':
      return faultAnswer(
        fault,
        429,
        {
          type: 'invalid_request_error',
          code: 'lock_timeout',
          message:
            'This object cannot be accessed right now because another API request or Stripe process is ' +
            'currently accessing it.',
        },
        { 'stripe-should-retry': 'true' },
      )
    case 'html502':
      return {
        status: fault.status ?? 502,
        body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
        headers: { 'content-type': 'text/html' },
      }
    case 'json_without_error':
      return {
        status: fault.status ?? 503,
        body: JSON.stringify({ message: 'The upstream server is not available.' }),
        headers: {},
      }
    case 'reset_before':
      return undefined
    case 'hang_before':
      return hang(sandbox, request, fault)
    case 'slow':
      return performSlowly(sandbox, request, requestId, fault)
    case 'error_after':
    case 'hang_after':
    case 'reset_after': {
      const error = faultAnswer(
        fault,
        500,
        { type: 'api_error', message: 'A fault after the effect.' },
        { 'stripe-should-retry': 'false' },
      )
      // Version 2 never stores a failure: a repeated request gets the result.
      const keeps = request.path.startsWith('/v2/')
        ? 'answer'
        : (fault.stores ?? (fault.mode === 'error_after' ? 'error' : 'answer'))
      perform(sandbox, request, requestId, keeps === 'error' ? { instead: error } : undefined)
      if (fault.mode === 'reset_after') return undefined
      if (fault.mode === 'hang_after') return hang(sandbox, request, fault)
      return keeps === 'error' ? error : { ...error, headers: {} }
    }
  }
}

function faultAnswer(
  fault: Fault,
  status: number,
  error: { type: string; message: string; code?: string },
  headers: Record<string, string> = {},
): Answer {
  const body = { ...error, ...(fault.code === undefined ? {} : { code: fault.code }) }
  return { status: fault.status ?? status, body: JSON.stringify({ error: body }), headers }
}

/** Sends nothing until the client gives up, or for at most a minute. */
async function hang(sandbox: Sandbox, request: ApiRequest, fault: Fault): Promise<undefined> {
  await pause(fault.ms ?? HANG_MAX_MS, AbortSignal.any([request.gone, sandbox.stopping]))
  return undefined
}

/** The idempotency key is in use for the duration: the same request is told to retry later. */
async function performSlowly(
  sandbox: Sandbox,
  request: ApiRequest,
  requestId: string,
  fault: Fault,
): Promise<Answer | undefined> {
  const { key } = request
  if (key !== undefined && sandbox.keysInUse.has(key)) throw keyInUse(key)
  if (key !== undefined) sandbox.keysInUse.add(key)
  try {
    await pause(fault.ms ?? SLOW_MS, sandbox.stopping)
  } finally {
    if (key !== undefined) sandbox.keysInUse.delete(key)
  }
  if (sandbox.stopping.aborted) return undefined
  return perform(sandbox, request, requestId)
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
