/** Properties of every limiter, and how a verdict is reported to the client. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exceededPolicy, type Limiter, rateLimitHeaders } from './limiter.ts'
import { memoryLimiter } from './limiter-memory.ts'
import { redisLimiter } from './limiter-redis.ts'
import type { Check, Policy } from './limits.ts'

const url = process.env.TEST_REDIS_URL
assert(url, 'TEST_REDIS_URL is not set: run `npm test`, or start redis-server and export its URL')

const redis = redisLimiter({
  url,
  timeoutMs: 5_000,
  fallback: memoryLimiter(),
  onDown: (error) => {
    throw error
  },
  onUp: () => {},
})
after(() => redis.close())

interface Bench {
  limiter: Limiter
  wait(ms: number): Promise<void>
}

const benches: Record<string, () => Bench> = {
  memory() {
    let now = 0
    return {
      limiter: memoryLimiter({ now: () => now }),
      wait: async (ms) => {
        now += ms
      },
    }
  },
  redis: () => ({ limiter: redis, wait: (ms) => sleep(ms) }),
}

const create: Policy = { name: 'create', limit: 3, windowMs: 1_000 }
const global: Policy = { name: 'global', limit: 5, windowMs: 2_000 }

for (const [store, bench] of Object.entries(benches)) {
  describe(`the limiter in ${store}`, { concurrency: true }, () => {
    test('admits exactly the limit of concurrent requests', async () => {
      const { limiter } = bench()
      const check = { policy: create, key: randomUUID() }

      const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.take([check])))

      assert.deepEqual(
        verdicts.map((verdict) => verdict.admitted),
        Array.from({ length: 20 }, (_, i) => i < 3),
      )
    })

    test('returns the remainder, the reset time and the exceeded policy', async () => {
      const { limiter } = bench()
      const checks = [
        { policy: create, key: randomUUID() },
        { policy: global, key: randomUUID() },
      ]

      const first = await limiter.take(checks)
      await limiter.take(checks)
      await limiter.take(checks)
      const refused = await limiter.take(checks)

      assert.deepEqual(first.states, [
        { policy: create, remaining: 2, resetSeconds: 1, exceeded: false },
        { policy: global, remaining: 4, resetSeconds: 2, exceeded: false },
      ])
      assert.equal(first.retryAfterSeconds, 0)
      assert.deepEqual(refused.states, [
        { policy: create, remaining: 0, resetSeconds: 1, exceeded: true },
        { policy: global, remaining: 2, resetSeconds: 2, exceeded: false },
      ])
      assert.equal(refused.retryAfterSeconds, 1)
    })

    test('does not count a refused request in any policy', async () => {
      const { limiter } = bench()
      const full = { policy: create, key: randomUUID() }
      const roomy = { policy: global, key: randomUUID() }
      for (let i = 0; i < 3; i++) await limiter.take([full])

      const refused = await limiter.take([roomy, full])
      const untouched = await limiter.take([roomy])

      assert.equal(refused.admitted, false)
      assert.deepEqual(refused.states[0], {
        policy: global,
        remaining: 5,
        resetSeconds: 0,
        exceeded: false,
      })
      assert.equal(untouched.states[0]?.remaining, 4)
    })

    test('is not extended by refused requests', async () => {
      const { limiter, wait } = bench()
      const check = { policy: create, key: randomUUID() }
      for (let i = 0; i < 3; i++) await limiter.take([check])

      for (let i = 0; i < 4; i++) {
        await wait(200)
        await limiter.take([check])
      }
      await wait(201)
      const verdict = await limiter.take([check])

      assert.equal(verdict.admitted, true)
    })

    test('frees each entry when its own window ends, not all together', async () => {
      const { limiter, wait } = bench()
      const check = { policy: create, key: randomUUID() }
      await limiter.take([check])
      await wait(500)
      await limiter.take([check])
      await limiter.take([check])

      await wait(505)
      const admitted = await limiter.take([check])
      const refused = await limiter.take([check])

      assert.equal(admitted.admitted, true)
      assert.equal(refused.admitted, false)
    })

    test('keeps the logs of keys and of policies separate', async () => {
      const { limiter } = bench()
      const key = randomUUID()
      for (let i = 0; i < 3; i++) await limiter.take([{ policy: create, key }])

      const otherKey = await limiter.take([{ policy: create, key: randomUUID() }])
      const otherPolicy = await limiter.take([{ policy: global, key }])

      assert.equal(otherKey.states[0]?.remaining, 2)
      assert.equal(otherPolicy.states[0]?.remaining, 4)
    })

    test('returns the longest wait, and the first exceeded policy in the given order', async () => {
      const { limiter } = bench()
      const short = { policy: { ...create, limit: 1 }, key: randomUUID() }
      const long = { policy: { ...global, limit: 1 }, key: randomUUID() }
      await limiter.take([short, long])

      const refused = await limiter.take([short, long])
      const turned = await limiter.take([long, short])

      assert.equal(refused.retryAfterSeconds, 2)
      assert.equal(exceededPolicy(refused)?.name, 'create')
      assert.equal(exceededPolicy(turned)?.name, 'global')
    })

    test('admits 20 of 20 clients that wait for Retry-After', async () => {
      const { limiter, wait } = bench()
      const clients = Array.from({ length: 20 }, () => ({ policy: create, key: randomUUID() }))
      const refused = []
      for (const check of clients) {
        for (let i = 0; i < 3; i++) await limiter.take([check])
        refused.push(await limiter.take([check]))
      }

      await wait(Math.max(...refused.map((verdict) => verdict.retryAfterSeconds)) * 1_000)
      const verdicts = await Promise.all(clients.map((check) => limiter.take([check])))

      assert(refused.every((verdict) => !verdict.admitted && verdict.retryAfterSeconds === 1))
      assert.equal(verdicts.filter((verdict) => verdict.admitted).length, 20)
    })

    test('counts a duplicate check once', async () => {
      const { limiter } = bench()
      const check = { policy: create, key: randomUUID() }

      const verdict = await limiter.take([check, { ...check }])

      assert.deepEqual(
        verdict.states.map((state) => state.remaining),
        [2],
      )
    })

    test('applies a lowered limit, with the exact wait', async () => {
      const { limiter, wait } = bench()
      const key = randomUUID()
      await limiter.take([{ policy: global, key }])
      await wait(1_200)
      await limiter.take([{ policy: global, key }])
      const lowered: Check = { policy: { ...global, limit: 1 }, key }

      const refused = await limiter.take([lowered])
      await wait(refused.retryAfterSeconds * 1_000)
      const verdict = await limiter.take([lowered])

      assert.deepEqual(refused.states, [
        { policy: lowered.policy, remaining: 0, resetSeconds: 2, exceeded: true },
      ])
      assert.equal(verdict.admitted, true)
    })

    test('admits a request without checks', async () => {
      const { limiter } = bench()

      const verdict = await limiter.take([])

      assert.equal(verdict.admitted, true)
      assert.deepEqual(rateLimitHeaders(verdict), {})
    })
  })
}

describe('the headers of a rate limit result', () => {
  test('follow the draft, and parse as structured fields', async () => {
    const limiter = memoryLimiter({ now: () => 0 })
    const checks = [
      { policy: { ...global, limit: 100, windowMs: 60_000 }, key: 'a' },
      { policy: { ...create, limit: 30, windowMs: 60_000 }, key: 'k' },
    ]

    const headers = rateLimitHeaders(await limiter.take(checks))

    assert.deepEqual(headers, {
      'RateLimit-Policy': '"global";q=100;w=60, "create";q=30;w=60',
      RateLimit: '"global";r=99;t=60, "create";r=29;t=60',
    })
    assert.deepEqual(parseList(headers['RateLimit-Policy']), [
      { item: 'global', parameters: { q: 100, w: 60 } },
      { item: 'create', parameters: { q: 30, w: 60 } },
    ])
    assert.deepEqual(parseList(headers.RateLimit), [
      { item: 'global', parameters: { r: 99, t: 60 } },
      { item: 'create', parameters: { r: 29, t: 60 } },
    ])
  })

  test('have Retry-After in a refusal, and no later reset', async () => {
    const limiter = memoryLimiter({ now: () => 0 })
    const checks = [
      { policy: global, key: 'a' },
      { policy: { ...create, limit: 1 }, key: 'k' },
    ]
    await limiter.take(checks)

    const headers = rateLimitHeaders(await limiter.take(checks))

    assert.equal(headers['Retry-After'], '1')
    assert.deepEqual(parseList(headers.RateLimit), [
      { item: 'global', parameters: { r: 4 } },
      { item: 'create', parameters: { r: 0, t: 1 } },
    ])
  })

  test('show the tighter result of a policy that was checked twice', async () => {
    const limiter = memoryLimiter({ now: () => 0 })
    const login: Policy = { name: 'login', limit: 10, windowMs: 900_000 }
    await limiter.take([{ policy: login, key: 'account:ada' }])

    const verdict = await limiter.take([
      { policy: login, key: 'address:203.0.113.7' },
      { policy: login, key: 'account:ada' },
    ])

    assert.deepEqual(rateLimitHeaders(verdict), {
      'RateLimit-Policy': '"login";q=10;w=900',
      RateLimit: '"login";r=8;t=900',
    })
  })

  test('join the results of one request', async () => {
    const limiter = memoryLimiter({ now: () => 0 })
    const address: Policy = { name: 'address', limit: 1_000, windowMs: 60_000 }
    const before = await limiter.take([{ policy: address, key: '203.0.113.7' }])
    const one = [{ policy: { ...global, limit: 1 }, key: 'a' }]
    await limiter.take(one)

    const headers = rateLimitHeaders(before, await limiter.take(one))

    assert.deepEqual(headers, {
      'RateLimit-Policy': '"address";q=1000;w=60, "global";q=1;w=2',
      RateLimit: '"address";r=999, "global";r=0;t=2',
      'Retry-After': '2',
    })
  })
})

/** Parses a List of Strings with Integer parameters (RFC 9651), the only syntax that our fields use. */
function parseList(field: string | undefined) {
  assert(field, 'the field is missing')
  const member = /^"((?:[^"\\]|\\["\\])*)"((?:; *[a-z*][a-z0-9_.*-]*=-?\d{1,15})*)$/
  return field.split(/[ \t]*,[ \t]*/).map((text) => {
    const match = member.exec(text)
    assert(match, `${text} is not a String with Integer parameters`)
    const parameters = (match[2] ?? '')
      .split(';')
      .slice(1)
      .map((parameter) => parameter.trim().split('='))
      .map(([name = '', value]) => [name, Number(value)] as const)
    return { item: match[1], parameters: Object.fromEntries(parameters) }
  })
}
