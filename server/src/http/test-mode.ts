/** Test mode has its own database connections, so that its requests never delay live ones. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Db, Shards } from '../kit/db.ts'
import type { AnyEndpoint, Mode } from '../kit/endpoint.ts'
import { unavailable } from '../kit/errors.ts'
import { shardOfLinkToken } from '../kit/secrets.ts'

const RETRY_AFTER_SECONDS = 5
const HOLD_MS = 2000
/** Each delayed request keeps its connection open. */
const HELD_MAX = 1000
const TEST_KEY = /^(?:bearer +)?lw_test_/i

export interface TestModeParts {
  shards: Shards
  testMode: {
    shards: Shards
    /** Whether the queue for test mode's connections is full. */
    isFull(): boolean
  }
}

/**
 * Selects the database connections by the caller's mode, and the schema by the endpoint: that of the caller, of the
 * object in the path, of the emailed link in the request, or the global one if there is none of them.
 */
export function dbFor(
  { shards, testMode }: TestModeParts,
  { isTestMode = false, at = 'caller', access }: Pick<AnyEndpoint, 'isTestMode' | 'at' | 'access'>,
  request: Pick<FastifyRequest, 'agent' | 'worker' | 'token' | 'params' | 'body' | 'query'>,
): Db {
  const { agent, worker, token, params } = request
  const isTest = isTestMode || agent?.mode === 'test' || worker?.mode === 'test'
  const { at: shardAt, of: shardNumbered, global } = isTest ? testMode.shards : shards
  if (at !== 'global' && access?.by?.startsWith('mailed link'))
    return shardNumbered(shardOfLinkToken(tokenOf(request)))
  const callerId = (agent ?? worker)?.id ?? token?.workerId
  const id = at === 'object' ? (params as { id: string }).id : callerId
  return at === 'global' || id === undefined ? global : shardAt(id)
}

/** The token of an emailed link, before the input is checked; empty if there is none. */
function tokenOf({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): string {
  const { token } = { ...(query as object), ...(body as object | undefined) } as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

/** The mode of a request, also of one that was refused before its caller was known. */
export function modeOf({
  agent,
  worker,
  headers,
  routeOptions,
}: Pick<FastifyRequest, 'agent' | 'worker' | 'headers' | 'routeOptions'>): Mode {
  if (routeOptions.config.endpoint?.isTestMode || hasTestKey(headers)) return 'test'
  return agent?.mode ?? worker?.mode ?? 'live'
}

function hasTestKey(headers: FastifyRequest['headers']): boolean {
  const key = headers.authorization ?? headers['x-api-key']
  return typeof key === 'string' && TEST_KEY.test(key)
}

/**
 * Refuses requests with a test key while test mode is full, before they cost anything: no key lookup, no counters, no
 * body. A test key is recognized by its prefix.
 *
 * The refusal is delayed by two seconds, and the request is served if there is room by then. Otherwise many clients
 * that retry immediately would cost more through refusals than through their work.
 */
export function openTestModeGate(testMode: Pick<TestModeParts['testMode'], 'isFull'>) {
  let held = 0

  return async function refuseWhenFull({
    headers,
  }: Pick<FastifyRequest, 'headers'>): Promise<void> {
    if (!testMode.isFull() || !hasTestKey(headers)) return
    if (held < HELD_MAX) {
      held += 1
      await sleep(HOLD_MS)
      held -= 1
      if (!testMode.isFull()) return
    }
    throw unavailable({ retry_after_seconds: RETRY_AFTER_SECONDS })
  }
}
