/** Requests of test mode have database connections of their own, so that they never wait in front of live ones. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../kit/db.ts'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { unavailable } from '../kit/errors.ts'

const RETRY_AFTER_SECONDS = 5
const HOLD_MS = 2000
/** Each held request keeps its connection open. */
const HELD_MAX = 1000
const TEST_KEY = /^(?:bearer +)?lw_test_/i

export interface TestModeParts {
  db: Db
  testMode: {
    db: Db
    /** Whether the connections of test mode have as many requests waiting as they may. */
    isFull(): boolean
  }
}

/** The database connections that a request uses, by the mode of its caller. */
export function dbFor(
  { db, testMode }: TestModeParts,
  { isTestMode = false }: Pick<AnyEndpoint, 'isTestMode'>,
  { agent, worker }: Pick<FastifyRequest, 'agent' | 'worker'>,
): Db {
  return isTestMode || agent?.mode === 'test' || worker?.mode === 'test' ? testMode.db : db
}

/**
 * Refuses requests with a test key while test mode is full, before they cost anything: no look-up of the key, no
 * counters, no body. A test key is recognized by its first letters.
 *
 * The refusal is held back for two seconds, and the request is served if there is room by then. A crowd that repeats
 * every refused request at once would otherwise cost more by its refusals than by its work.
 */
export function openTestModeGate(testMode: Pick<TestModeParts['testMode'], 'isFull'>) {
  let held = 0

  return async function refuseWhenFull({
    headers,
  }: Pick<FastifyRequest, 'headers'>): Promise<void> {
    if (!testMode.isFull()) return
    const key = headers.authorization ?? headers['x-api-key']
    if (typeof key !== 'string' || !TEST_KEY.test(key)) return
    if (held < HELD_MAX) {
      held += 1
      await sleep(HOLD_MS)
      held -= 1
      if (!testMode.isFull()) return
    }
    throw unavailable({ retry_after_seconds: RETRY_AFTER_SECONDS })
  }
}
