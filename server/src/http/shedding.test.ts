import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { marketplace, startOn } from '../../test/harness.ts'
import { atEnd } from '../../test/hooks.ts'
import { endpoint } from '../kit/endpoint.ts'

const BLOCKED_MS = 400
const WAIT_MS_MAX = 30_000

/** Blocks the event loop, like a request that computes too much. */
const blockFor = (path: string, ms: number) =>
  endpoint({
    method: 'GET',
    path,
    auth: 'none',
    access: { by: 'anyone' },
    summary: 'Holds the event loop',
    success: { status: 200, body: z.object({ done: z.boolean() }) },
    errors: [],
    async handler() {
      const end = performance.now() + ms
      while (performance.now() < end);
      return { done: true }
    },
  })
const block = blockFor('/test/block', BLOCKED_MS)
const blockOnce = blockFor('/test/block-once', 3000)
/** Responds when the test releases it. */
const held = Promise.withResolvers<void>()
const wait = endpoint({
  method: 'GET',
  path: '/test/wait',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Waits',
  success: { status: 200, body: z.object({ done: z.boolean() }) },
  errors: [],
  async handler() {
    await held.promise
    return { done: true }
  },
})

const market = await marketplace({
  settings: { LOG_LEVEL: 'silent', EVENT_LOOP_DELAY_MAX_MS: 150 },
  moreEndpoints: [block, blockOnce, wait],
})
const unbounded = await startOn(market.url, {
  settings: { LOG_LEVEL: 'silent', EVENT_LOOP_DELAY_MAX_MS: 0 },
  moreEndpoints: [block, wait],
})
atEnd(() => unbounded.stop())

/** Blocks the event loop repeatedly until another request was refused or the rounds are used up. */
async function overload(base: string, rounds: number) {
  const refused: Response[] = []
  for (let i = 0; i < rounds && refused.length === 0; i += 1) {
    const blocking = [1, 2].map(() => fetch(`${base}/test/block`))
    const response = await fetch(`${base}/worker/app`)
    if (response.status === 503) refused.push(response)
    else await response.body?.cancel()
    for (const one of await Promise.all(blocking)) await one.body?.cancel()
  }
  return refused[0]
}

const metric = async (name: string) => {
  const text = await (await fetch(`${market.server.addresses.ops}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

describe('a blocked event loop', () => {
  test('503 with Retry-After for new requests; running ones and health checks get a response', async () => {
    const base = market.server.addresses.api!
    const underWay = fetch(`${base}/test/wait`)
    await sleep(50)

    const refused = await overload(base, 40)
    const health = await fetch(`${market.server.addresses.ops}/healthz`)
    held.resolve()

    assert(refused, 'nothing was shed')
    const body = (await refused.json()) as { code: string; retry_after_seconds: number }
    assert.equal(body.code, 'unavailable')
    assert.equal(refused.headers.get('retry-after'), String(body.retry_after_seconds))
    assert.equal(health.status, 200)
    assert.equal((await underWay).status, 200)
    assert((await metric('legwork_http_shed_total')) >= 1)
    assert((await metric('legwork_event_loop_delay_seconds_count')) >= 1)
  })

  test('serves again when it is free', async () => {
    const end = performance.now() + WAIT_MS_MAX
    let status = 503
    while (status === 503 && performance.now() < end) {
      await sleep(200)
      status = (await market.call('GET', '/worker/app')).status
    }

    assert.equal(status, 200)
    assert.equal(await metric('legwork_shedding'), 0)
  })

  test('refuses nobody after a single pause', async () => {
    const base = market.server.addresses.api!
    const paused = await fetch(`${base}/test/block-once`)
    await paused.body?.cancel()

    const statuses: number[] = []
    for (let i = 0; i < 20; i += 1) {
      statuses.push((await market.call('GET', '/worker/app')).status)
      await sleep(20)
    }

    assert.equal(paused.status, 200)
    assert.deepEqual([...new Set(statuses)], [200])
  })

  test('refuses nobody if the limit is off', async () => {
    const refused = await overload(unbounded.addresses.api!, 5)

    assert.equal(refused, undefined)
  })
})
