/**
 * Redis is down: logins, registrations and recoveries are closed to newcomers, because attempts can't be counted across
 * processes. Everything else keeps working under local limits. Everything recovers when Redis is back, without a
 * restart.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { freePort } from '../../../scripts/postgres.ts'
import { call, marketplace, startOn } from '../harness.ts'
import { eventually, kill } from '../jobs-child.ts'
import { PASSWORD } from '../people.ts'

const market = await marketplace({ clock: 'real' })
const OLD = { 'x-forwarded-for': '198.51.100.7' }
const NEW = { 'x-forwarded-for': '203.0.113.9' }

async function startRedis(t: TestContext, port: number): Promise<ChildProcess> {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', flags, { cwd: '/', stdio: 'ignore' })
  await once(child, 'spawn')
  t.after(() => kill(child))
  return child
}

async function startLimited(t: TestContext, settings: Record<string, string>) {
  const server = await startOn(market.url, {
    clock: 'real',
    settings: {
      RATE_LIMITS: 'on',
      TRUST_PROXY: '127.0.0.1',
      LIMIT_LOGIN_PER_15_MINUTES: 5,
      LOG_LEVEL: 'silent',
      ...settings,
    },
  })
  t.after(() => server.stop())
  return {
    send: (method: string, path: string, headers: Record<string, string>, body?: object) =>
      call(server.addresses.api!, method, path, { headers, body }),
    isDown: async () =>
      /^legwork_limiter_down 1$/m.test(
        await (await fetch(`${server.addresses.ops}/metrics`)).text(),
      ),
  }
}

let people = 0
const person = () => {
  people += 1
  return { name: 'Ann', email: `person-${people}@example.com`, password: PASSWORD }
}

/** Every endpoint for callers without an account or session. */
const doors = (): [string, object][] => [
  ['/agents/register', { name: 'New', email: person().email }],
  ['/agents/recover', { email: person().email }],
  ['/test/agents', {}],
  ['/worker/register', person()],
  ['/worker/login', person()],
]

test('new clients are refused with 503 while Redis is down, all others are served, and it recovers', async (t) => {
  const port = await freePort()
  const redis = await startRedis(t, port)
  const server = await startLimited(t, { REDIS_URL: `redis://127.0.0.1:${port}` })
  await eventually('Redis counts', 15_000, async () => {
    await server.send('GET', '/wallet', { 'x-forwarded-for': '192.0.2.1' })
    return (await server.isDown()) ? undefined : true
  })
  const known = person()
  const registered = await server.send('POST', '/worker/register', OLD, known)
  await market.asOwner(`update workers set status = 'active', verified_at = now()`)
  const login = (headers: Record<string, string>, email: string) =>
    server.send('POST', '/worker/login', headers, { email, password: PASSWORD })
  const loggedIn = await login(OLD, known.email)
  const agent = await server.send('POST', '/agents/register', OLD, {
    name: 'Old',
    email: person().email,
  })
  const key = { authorization: `Bearer ${agent.body.agent.api_key}` }
  const token = { authorization: `Bearer ${loggedIn.body.token}` }

  redis.kill('SIGKILL')
  await once(redis, 'exit')
  const refused = []
  for (const [path, body] of doors()) refused.push(await server.send('POST', path, NEW, body))
  const otherAccount = await login(OLD, 'stranger@example.com')
  const again = []
  for (let i = 0; i < 6; i += 1) again.push((await login(OLD, known.email)).status)
  const others = [
    await server.send('GET', '/wallet', { ...NEW, ...key }),
    await server.send(
      'POST',
      '/tasks',
      { ...NEW, ...key },
      { description: 'x', budget_cents: 100 },
    ),
    await server.send('GET', '/worker/profile', { ...NEW, ...token }),
    await server.send('GET', '/worker/leaderboard', { ...NEW, ...token }),
  ]
  const wasDown = await server.isDown()
  await startRedis(t, port)
  await eventually('Redis counts again', 15_000, async () =>
    (await server.isDown()) ? undefined : true,
  )
  const after = await server.send('POST', '/worker/register', NEW, person())

  assert.deepEqual([registered.status, loggedIn.status, agent.status], [201, 200, 201])
  for (const { status, body, headers } of [...refused, otherAccount]) {
    assert.deepEqual([status, body.code], [503, 'unavailable'])
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  // Known clients keep access, under this process's limit; the other account's login counts toward the address.
  assert.deepEqual(again, [200, 200, 200, 200, 429, 429])
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 201, 200, 200],
  )
  assert(wasDown)
  assert.equal(after.status, 201)
})

test('without REDIS_URL, as in development, nobody is refused', async (t) => {
  const server = await startLimited(t, {})

  const { status } = await server.send('POST', '/worker/register', NEW, person())

  assert.equal(status, 201)
})
