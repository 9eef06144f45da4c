/** Test mode has its own database connections, so that its requests never delay live ones. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../kit/db.ts'
import type { AnyEndpoint, Mode } from '../kit/endpoint.ts'
import { unavailable } from '../kit/errors.ts'

const RETRY_AFTER_SECONDS = 5
const HOLD_MS = 2000
/** Each delayed request keeps its connection open. */
const HELD_MAX = 1000
const TEST_KEY = /^(?:bearer +)?lw_test_/i

export interface TestModeParts {
  db: Db
  testMode: {
    db: Db
    /** Whether the queue for test mode's connections is full. */
    isFull(): boolean
  }
}

/** Selects the database connections by the caller's mode. */
export function dbFor(
  { db, testMode }: TestModeParts,
  { isTestMode = false }: Pick<AnyEndpoint, 'isTestMode'>,
  { agent, worker }: Pick<FastifyRequest, 'agent' | 'worker'>,
): Db {
  return isTestMode || agent?.mode === 'test' || worker?.mode === 'test' ? testMode.db : db
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
