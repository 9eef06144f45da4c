import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/postgres.ts'
import { type Knocked, type Knocking, mostInAnyWindow } from '../../test/limits-child.ts'
import type { Limiter } from './limiter.ts'
import { memoryLimiter } from './limiter-memory.ts'
import { redisLimiter } from './limiter-redis.ts'
import type { Check, Policy } from './limits.ts'

const url = process.env.TEST_REDIS_URL ?? ''
assert(url, 'TEST_REDIS_URL is not set: run `npm test`, or start redis-server and export its URL')

const second = 1_000_000

describe('over four processes', () => {
  test('exactly the limit is admitted in the fullest window, and in the first', async () => {
    const check: Check = {
      policy: { name: 'create', limit: 30, windowMs: 1_000 },
      key: randomUUID(),
    }

    const { asked, admissions } = await knockFromFour({ requests: [[check]], forMs: 3_200 })

    const times = (admissions[`create:${check.key}`] ?? []).toSorted((a, b) => a - b)
    const first = times[0] ?? 0
    assert(asked > 1_000, `only ${asked} requests were made`)
    assert.equal(mostInAnyWindow(times, second), 30)
    assert.equal(times.filter((time) => time < first + second).length, 30)
    assert(times.length >= 90, `only ${times.length} were admitted in three windows`)
  })

  test('control: a fixed window admits twice the limit, and the measure shows it', () => {
    const counts = new Map<number, number>()
    const asked = Array.from({ length: 400 }, (_, i) => 0.8 * second + i * 1000)

    const admitted = asked.filter((time) => {
      const window = Math.floor(time / second)
      counts.set(window, (counts.get(window) ?? 0) + 1)
      return counts.get(window)! <= 30
    })

    assert.equal(mostInAnyWindow(admitted, second), 60)
  })

  test('all policies apply at once, each to the last request', async () => {
    const [agent, apiKey, address, other, account] = Array.from({ length: 5 }, () => randomUUID())
    assert(agent && apiKey && address && other && account)
    const global: Policy = { name: 'global', limit: 100, windowMs: 1_000 }
    const create: Policy = { name: 'create', limit: 30, windowMs: 1_000 }
    const register: Policy = { name: 'register', limit: 20, windowMs: 2_000 }
    const login: Policy = { name: 'login', limit: 10, windowMs: 1_000 }
    const requests: Check[][] = [
      [{ policy: global, key: agent }],
      [
        { policy: global, key: agent },
        { policy: create, key: apiKey },
      ],
      [
        { policy: global, key: address },
        { policy: register, key: address },
      ],
      [
        { policy: global, key: other },
        { policy: login, key: other },
        { policy: login, key: account },
      ],
    ]

    const { admissions } = await knockFromFour({ requests, forMs: 2_300 })

    const most = (policy: Policy, key: string) =>
      mostInAnyWindow(admissions[`${policy.name}:${key}`] ?? [], policy.windowMs * 1_000)
    assert.equal(most(global, agent), 100)
    assert.equal(most(create, apiKey), 30)
    assert.equal(most(register, address), 20)
    assert.equal(most(login, other), 10)
    assert.equal(most(login, account), 10)
  })
})

describe('the log in Redis', () => {
  test('expires, and not before its last entry is free', async () => {
    await using redis = client()
    await using limiter = watched(url)
    const policy: Policy = { name: 'create', limit: 3, windowMs: 1_000 }
    const key = randomUUID()

    const { at } = await limiter.take([{ policy, key }])
    const expiresAtMs = await redis.pexpiretime(`rl:create:${key}`)

    assert(expiresAtMs * 1_000 >= at + second, 'the log expires before its entry is free')
    assert(expiresAtMs * 1_000 <= at + second + 2_000, 'the log outlives its entries')
  })

  test('survives SCRIPT FLUSH', async () => {
    await using redis = client()
    await using limiter = watched(url)
    const check: Check = {
      policy: { name: 'create', limit: 3, windowMs: 1_000 },
      key: randomUUID(),
    }
    await limiter.take([check])

    await redis.script('FLUSH')
    const verdict = await limiter.take([check])

    assert.equal(verdict.states[0]?.remaining, 1)
  })

  test('holds when the clock steps back, and returns the exact wait', async () => {
    await using redis = client()
    await using limiter = watched(url)
    const policy: Policy = { name: 'create', limit: 2, windowMs: 10_000 }
    const key = randomUUID()
    const ahead = Date.now() * 1_000 + 5 * second
    await redis.rpush(`rl:create:${key}`, ahead)

    const admitted = await limiter.take([{ policy, key }])
    const refused = await limiter.take([{ policy, key }])
    const stamps = await redis.lrange(`rl:create:${key}`, 0, -1)

    assert.equal(admitted.admitted, true)
    assert.equal(refused.admitted, false)
    assert.deepEqual(stamps, [String(ahead), String(ahead)])
    assert.equal(refused.retryAfterSeconds, 15)
  })

  test('is dropped when the clock steps back by more than its window', async () => {
    await using redis = client()
    await using limiter = watched(url)
    const policy: Policy = { name: 'create', limit: 1, windowMs: 10_000 }
    const key = randomUUID()
    await redis.rpush(`rl:create:${key}`, Date.now() * 1_000 + 3_600 * second)

    const admitted = await limiter.take([{ policy, key }])
    const refused = await limiter.take([{ policy, key }])

    assert.equal(admitted.admitted, true)
    assert.equal(refused.retryAfterSeconds, 10)
  })
})

describe('an outage of Redis', { concurrency: true }, () => {
  const policy: Policy = { name: 'create', limit: 5, windowMs: 1_000 }

  test('killed: requests continue under the fallback, with one alarm, until it is back', async () => {
    const port = await freePort()
    const killed = await startRedis(port)
    await using limiter = await connected(local(port))
    const key = randomUUID()
    const before = await burst(limiter, { policy, key }, 20)

    await killed.stop()
    const during = await burst(limiter, { policy, key }, 20)
    await sleep(1_010)
    const later = await burst(limiter, { policy, key }, 20)
    await using _restarted = await startRedis(port)
    await until(() => limiter.calls.up === 1)
    const after = await burst(limiter, { policy, key: randomUUID() }, 20)

    assert.deepEqual({ before, during, later, after }, { before: 5, during: 5, later: 5, after: 5 })
    assert.equal(limiter.calls.down, 1)
    assert.equal(limiter.calls.up, 1)
    assert.equal(limiter.calls.fallback, 40)
  })

  test('hung: only the first request waits, and no longer than the timeout', async () => {
    const port = await freePort()
    await using server = await startRedis(port)
    await using limiter = await connected(local(port))
    const check = { policy, key: randomUUID() }
    await limiter.take([check])
    const quietBegan = performance.now()
    await burst(limiter, { policy, key: randomUUID() }, 1_000)
    const quietMs = performance.now() - quietBegan

    server.kill('SIGSTOP')
    const began = performance.now()
    const first = await limiter.take([check])
    const firstMs = performance.now() - began
    const rest = await burst(limiter, check, 1_000)
    const restMs = performance.now() - began - firstMs
    await sleep(1_500)
    server.kill('SIGCONT')
    await until(() => limiter.calls.up === 1)
    const after = await burst(limiter, { policy, key: randomUUID() }, 20)

    assert.equal(first.admitted, true)
    const spareMs = Math.max(400, 2 * quietMs)
    assert(firstMs >= 499 && firstMs < 500 + spareMs, `the first waited ${firstMs} ms`)
    assert.equal(rest, 4)
    assert(restMs < spareMs, `the rest waited ${restMs} ms`)
    assert.equal(after, 5)
    assert.equal(limiter.calls.down, 1)
    assert.equal(limiter.calls.up, 1)
  })

  test('behind a dead connection: a new one is opened', async () => {
    const port = await freePort()
    await using _server = await startRedis(port)
    await using proxy = await startProxy(port)
    await using limiter = await connected(local(proxy.port))
    const check = { policy, key: randomUUID() }
    await limiter.take([check])

    proxy.deaden()
    const during = await burst(limiter, check, 20)
    await until(() => limiter.calls.up === 1)
    const after = await limiter.take([check])

    assert.equal(during, 5)
    assert.equal(limiter.calls.down, 1)
    assert.equal(after.states[0]?.remaining, 4)
  })

  test('full: it counts as down until it is writable, with one alarm', async () => {
    const port = await freePort()
    await using _server = await startRedis(port)
    await using limiter = await connected(local(port))
    await using redis = client(local(port))
    const check = { policy, key: randomUUID() }
    await limiter.take([check])

    await redis.config('SET', 'maxmemory', '1')
    const during = await burst(limiter, check, 20)
    await sleep(700)
    const { down, up, error } = limiter.calls
    await redis.config('SET', 'maxmemory', '0')
    await until(() => limiter.calls.up === 1)

    assert.equal(during, 5)
    assert.equal(down, 1)
    assert.equal(up, 0)
    assert.match(String(error), /OOM/)
  })

  test('from the start: requests pass, and are counted in Redis once it is up', async () => {
    const port = await freePort()
    await using limiter = watched(local(port))

    const without = await burst(limiter, { policy, key: randomUUID() }, 20)
    await using _server = await startRedis(port)
    await until(() => limiter.calls.up === 1)
    const withRedis = await burst(limiter, { policy, key: randomUUID() }, 20)

    assert.equal(without, 5)
    assert.equal(withRedis, 5)
    assert.equal(limiter.calls.fallback, 20)
    assert.equal(limiter.calls.down, 1)
    assert.match(String(limiter.calls.error), /ECONNREFUSED/)
  })

  test('closing ends it without errors', async () => {
    const limiter = watched(local(await freePort()))
    await limiter.take([{ policy, key: 'k' }])

    await limiter.close()
    const verdict = await limiter.take([{ policy, key: 'k' }])
    await sleep(300)

    assert.equal(verdict.admitted, true)
    assert.equal(limiter.calls.down, 1)
    assert.equal(limiter.calls.up, 0)
  })
})

test('a pause of our own process is not mistaken for an outage of Redis', async () => {
  const check: Check = { policy: { name: 'create', limit: 5, windowMs: 1_000 }, key: randomUUID() }
  await using limiter = watched(url)
  await limiter.take([check])

  const verdict = limiter.take([check])
  const end = performance.now() + 700
  await Promise.resolve().then(() => {
    while (performance.now() < end);
  })

  assert.equal((await verdict).states[0]?.remaining, 3)
  assert.equal(limiter.calls.down, 0)
  assert.equal(limiter.calls.fallback, 0)
})

async function knockFromFour({ requests, forMs }: Pick<Knocking, 'requests' | 'forMs'>) {
  const children = Array.from({ length: 4 }, () =>
    // Without our own flags: they may contain --test, and the child is not a test.
    fork(new URL('../../test/limits-child.ts', import.meta.url), { execArgv: [] }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const knocking: Knocking = { url, requests, forMs, atOnce: 4 }
  const results = await Promise.all(
    children.map(async (child) => {
      child.send(knocking)
      const [knocked] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
        Knocked | number,
      ]
      assert(typeof knocked === 'object', 'a child died')
      return knocked
    }),
  )
  const keys = new Set(results.flatMap(({ admissions }) => Object.keys(admissions)))
  const admissions = Object.fromEntries(
    [...keys].map((key) => [key, results.flatMap((result) => result.admissions[key] ?? [])]),
  )
  return { asked: results.reduce((sum, { asked }) => sum + asked, 0), admissions }
}

/** A limiter that counts its alarms, and the requests that its fallback decided. */
function watched(redisUrl: string) {
  const calls = { down: 0, up: 0, fallback: 0, error: undefined as Error | undefined }
  const memory = memoryLimiter()
  const limiter = redisLimiter({
    url: redisUrl,
    // Longer than the default, so that a busy machine is not mistaken for an outage.
    timeoutMs: 500,
    fallback: {
      take(checks) {
        calls.fallback++
        return memory.take(checks)
      },
      close: () => memory.close(),
    },
    onDown(error) {
      calls.down++
      calls.error = error
    },
    onUp() {
      calls.up++
    },
  })
  return { ...limiter, calls, [Symbol.asyncDispose]: () => limiter.close() }
}

/** The same, once Redis itself counts: on a busy machine the first response can come too late. */
async function connected(redisUrl: string) {
  const limiter = watched(redisUrl)
  const { calls } = limiter
  for (;;) {
    const before = calls.fallback
    await limiter.take([
      { policy: { name: 'create', limit: 5, windowMs: 1_000 }, key: randomUUID() },
    ])
    if (calls.fallback === before && calls.down === calls.up) break
    await sleep(20)
  }
  Object.assign(calls, { down: 0, up: 0, fallback: 0 })
  return limiter
}

function client(redisUrl = url) {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 })
  return Object.assign(redis, { [Symbol.asyncDispose]: async () => redis.disconnect() })
}

async function burst(limiter: Limiter, check: Check, count: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => limiter.take([check])))
  return verdicts.filter((verdict) => verdict.admitted).length
}

function portOf(server: Server): number {
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return address.port
}

const local = (port: number) => `redis://127.0.0.1:${port}`

async function startRedis(port: number) {
  const server = spawn(
    'redis-server',
    ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(server, 'exit')
  async function stop(): Promise<void> {
    server.kill('SIGKILL')
    await exited
  }
  await new Promise<void>((resolve, reject) => {
    exited.then(() => reject(new Error(`redis-server on port ${port} ended`)), reject)
    server.stdout.on('data', (chunk) => {
      if (String(chunk).includes('Ready to accept connections')) resolve()
    })
  })
  return {
    kill: (signal: NodeJS.Signals) => server.kill(signal),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Forwards connections to a port, until told to leave the existing ones without a response. */
async function startProxy(port: number) {
  const links: Socket[] = []
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const link of [near, far]) links.push(link.on('error', () => {}))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: portOf(proxy),
    deaden() {
      for (const link of links) link.unpipe().pause()
    },
    async [Symbol.asyncDispose]() {
      for (const link of links) link.destroy()
      proxy.close()
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 5_000
  while (!holds()) {
    assert(performance.now() < end, 'waited 5 s in vain')
    await sleep(10)
  }
}
