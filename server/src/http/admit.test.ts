import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { call, marketplace, type Reply, startOn } from '../../test/harness.ts'
import { endpoint } from '../kit/endpoint.ts'
import { mintApiKey } from '../kit/secrets.ts'

let logins = 0
const logIn = endpoint({
  method: 'POST',
  path: '/test/login',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['login'],
  summary: 'Stands for any login',
  body: z.object({ email: z.string(), password: z.string() }),
  success: { status: 200, body: z.object({ logins: z.int() }) },
  errors: [],
  async handler() {
    logins += 1
    return { logins }
  },
})

/** Small limits, so that a test reaches them after a few calls. The proxy header sets the client address. */
const SMALL = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  LIMIT_GLOBAL_PER_MINUTE: 6,
  LIMIT_ADDRESS_PER_MINUTE: 14,
  LIMIT_CREATE_PER_MINUTE: 3,
  LIMIT_REGISTER_PER_HOUR: 4,
  LIMIT_LOGIN_PER_15_MINUTES: 3,
}

const settings = { ...SMALL, REDIS_URL: process.env.TEST_REDIS_URL! }
const shared = await marketplace({ settings, moreEndpoints: [logIn] })
const second = await startOn(shared.url, {
  settings,
  moreEndpoints: [logIn],
  clockOverride: shared.server.clock,
})
const alone = await marketplace({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })
after(() => second.stop())

const BASES = [shared.server.addresses.api!, second.addresses.api!]
// The first call connects to Redis; until the connection is up, each server counts alone.
for (const server of [shared.server, second]) {
  const isDown = async () => (await server.metrics.limiterDown.get()).values[0]?.value === 1
  do {
    await call(server.addresses.api!, 'GET', '/nowhere')
    if (await isDown()) await sleep(50)
  } while (await isDown())
}

const newAddress = () => ['10', ...randomBytes(3)].join('.')

let turns = 0

/** A client that calls from one address, with or without a key; its calls alternate between the two servers. */
function machine(address = newAddress(), key?: string) {
  const headers = { 'x-forwarded-for': address, ...(key ? { 'x-api-key': key } : {}) }
  const send = (method: string, target: string, body?: unknown) => {
    turns += 1
    return call(BASES[turns % 2]!, method, target, { body, headers })
  }
  return {
    get: (target: string) => send('GET', target),
    post: (target: string, body: unknown) => send('POST', target, body),
  }
}

async function registerAgent(address = newAddress()) {
  const reply = await machine(address).post('/agents/register', {
    name: 'Limited',
    email: `${randomUUID()}@example.com`,
  })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.agent as { id: string; api_key: string; test_api_key: string }
}

async function times<T>(count: number, ask: (i: number) => Promise<T>): Promise<T[]> {
  const replies: T[] = []
  for (let i = 0; i < count; i += 1) replies.push(await ask(i))
  return replies
}

const statuses = (replies: Reply[]) => replies.map(({ status }) => status)

function assertLimited(reply: Reply | undefined, limit: string, withinSeconds: number) {
  assert(reply)
  assert.equal(reply.status, 429, reply.text)
  assert.deepEqual(Object.keys(reply.body), [
    'error',
    'code',
    'request_id',
    'limit',
    'retry_after_seconds',
    'hint',
    'doc_url',
  ])
  assert.equal(reply.body.code, 'rate_limited')
  assert.equal(reply.body.limit, limit)
  const seconds = reply.body.retry_after_seconds
  assert(Number.isInteger(seconds) && seconds >= 1 && seconds <= withinSeconds, String(seconds))
  assert.equal(reply.headers.get('retry-after'), String(seconds))
  assert.match(reply.headers.get('ratelimit')!, new RegExp(`"${limit}";r=0;t=${seconds}\\b`))
}

describe('the global limit', () => {
  test('429 above it for an agent, across all servers, IP addresses and keys', async () => {
    const { api_key } = await registerAgent()
    const made = await machine(newAddress(), api_key).post('/agents/keys', { name: 'second' })

    const replies = await times(5, () => machine(newAddress(), api_key).get('/wallet'))
    const refused = await machine(newAddress(), made.body.key.api_key).get('/wallet')

    assert.deepEqual(statuses(replies), Array(5).fill(200))
    assertLimited(refused, 'global', 60)
  })

  test('is separate for each agent behind one IP address, and for the test twin', async () => {
    const address = newAddress()
    const [one, other] = [await registerAgent(), await registerAgent()]
    await times(6, () => machine(address, one.api_key).get('/wallet'))

    const refused = await machine(address, one.api_key).get('/wallet')
    const others = [
      await machine(address, other.api_key).get('/wallet'),
      await machine(address, one.test_api_key).get('/wallet'),
    ]

    assertLimited(refused, 'global', 60)
    assert.deepEqual(statuses(others), [200, 200])
  })

  test('429 above it for an IP address of unauthenticated callers; IPv6 by /64', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}:7`
    const ask = (host: string) => machine(`${network}::${host}`).get('/wallet')

    const replies = await times(7, (i) => ask(String(i + 1)))

    assert.deepEqual(statuses(replies), [...Array<number>(6).fill(401), 429])
    assertLimited(replies.at(-1), 'global', 60)
    assert.equal((await machine().get('/wallet')).status, 401)
  })

  test('counts an invalid key for its IP address, and not for an agent', async () => {
    const address = newAddress()

    const replies = [
      ...(await times(3, () => machine(address, 'nonsense').get('/wallet'))),
      ...(await times(3, () => machine(address, mintApiKey('live', 1)).get('/wallet'))),
      await machine(address).get('/wallet'),
    ]

    assert.deepEqual(statuses(replies), [...Array<number>(6).fill(401), 429])
  })

  test('counts unknown routes and the OpenAPI document', async () => {
    const stranger = machine()

    const replies = [
      ...(await times(3, () => stranger.get('/nowhere'))),
      ...(await times(3, () => stranger.get('/openapi.json'))),
      await stranger.get('/nowhere'),
      await stranger.get('/openapi.json'),
      await stranger.get('/%zz'),
    ]

    assert.deepEqual(statuses(replies), [404, 404, 404, 200, 200, 200, 429, 429, 429])
  })

  test('is exact for concurrent requests to two servers', async () => {
    const stranger = machine()

    const replies = await Promise.all(Array.from({ length: 14 }, () => stranger.get('/wallet')))

    assert.equal(replies.filter(({ status }) => status === 401).length, 6)
    assert.equal(replies.filter(({ status }) => status === 429).length, 8)
  })

  test('is 100 by default: the last 10 of 110 calls without a key are 429', async () => {
    const headers = { 'x-forwarded-for': newAddress() }

    const replies = await times(110, () => alone.call('GET', '/wallet', { headers }))

    assert.deepEqual(statuses(replies), [
      ...Array<number>(100).fill(401),
      ...Array<number>(10).fill(429),
    ])
    assertLimited(replies.at(-1), 'global', 60)
  })
})

describe('the creation limit', () => {
  const task = { description: 'Look', budget_cents: 100 }

  test('429 above it for a key; another key and reading are not affected', async () => {
    const agent = await registerAgent()
    const made = await machine(newAddress(), agent.api_key).post('/agents/keys', { name: 'second' })
    const first = machine(newAddress(), agent.api_key)

    const replies = [
      await first.post('/tasks', task),
      await first.post('/gut-check', { question: 'Nice?' }),
      await first.post('/tasks', { ...task, budget_cents: 'wrong' }),
      await first.post('/tasks', task),
    ]
    const other = await machine(newAddress(), made.body.key.api_key).post('/tasks', task)

    assert.deepEqual(statuses(replies), [201, 201, 400, 429])
    assertLimited(replies.at(-1), 'create', 60)
    assert.equal(other.status, 201)
  })

  test('429 creates nothing and moves no money', async () => {
    const agent = await registerAgent()
    await shared.fund(agent.id, 10_000)
    const creator = machine(newAddress(), agent.api_key)
    const big = { ...task, budget_cents: 2500 }
    await times(3, () => creator.post('/tasks', big))

    const refused = await creator.post('/tasks', big)

    assertLimited(refused, 'create', 60)
    assert.equal(await shared.balance(agent.id), 2500)
    const { length } = await shared.asOwner('select from tasks where agent_id = $1', [agent.id])
    assert.equal(length, 3)
  })

  test('401 without a key does not count', async () => {
    const address = newAddress()
    const agent = await registerAgent()
    await times(4, () => machine(address).post('/tasks', task))

    const { headers } = await machine(address, agent.api_key).post('/tasks', task)

    assert.match(headers.get('ratelimit')!, /"create";r=2;/)
  })
})

describe('the registration limit', () => {
  test('429 above it for an IP address; another address is not affected', async () => {
    const address = newAddress()
    await times(4, () => registerAgent(address))
    const email = `${randomUUID()}@example.com`

    const refused = await machine(address).post('/agents/register', { name: 'Fifth', email })
    const elsewhere = await machine().post('/agents/register', { name: 'Fifth', email })

    assertLimited(refused, 'register', 3600)
    assert.equal(elsewhere.status, 201, 'refused requests registered nobody')
  })

  test('counts a rotation for the IP address, too', async () => {
    const address = newAddress()
    await times(3, () => registerAgent(address))
    const agent = await registerAgent()
    const rotate = () =>
      machine(address, agent.api_key).post('/agents/register', { name: 'X', email: 'x@y.example' })
    await rotate()

    const refused = await rotate()

    assertLimited(refused, 'register', 3600)
  })

  test('is 20 an hour by default', async () => {
    const headers = { 'x-forwarded-for': newAddress() }

    const replies = await times(21, () =>
      alone.call('POST', '/agents/register', { body: {}, headers }),
    )

    assert.deepEqual(statuses(replies), [...Array<number>(20).fill(400), 429])
    assertLimited(replies.at(-1), 'register', 3600)
  })
})

describe('registrations of agents, workers and test agents', () => {
  const kinds = {
    register: (address: string) =>
      machine(address).post('/agents/register', { name: 'X', email: 'no address' }),
    register_worker: (address: string) =>
      machine(address).post('/worker/register', { name: 'X', email: 'no address', password: '' }),
    register_test_agent: (address: string) => machine(address).post('/test/agents', { name: 1 }),
  }

  for (const [full, use] of Object.entries(kinds))
    test(`are counted separately: ${full} at the limit leaves room for the others`, async () => {
      const address = newAddress()
      await times(4, () => use(address))

      assertLimited(await use(address), full, 3600)
      for (const [kind, other] of Object.entries(kinds))
        if (kind !== full) assert.equal((await other(address)).status, 400, `${kind} has room`)
    })

  test('[8-register-counters] 20 agents from one IP address leave room for 20 workers and 20 test agents', async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    const paths = ['/agents/register', '/worker/register', '/test/agents']

    const replies: Reply[][] = []
    for (const path of paths)
      replies.push(await times(21, () => alone.call('POST', path, { body: { name: {} }, headers })))

    const expected = [...Array<number>(20).fill(400), 429]
    assert.deepEqual(replies.map(statuses), [expected, expected, expected])
  })
})

describe('logins of workers and of the console', () => {
  test('are counted separately: 10 console logins leave a worker room to log in', async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    const origin = new URL(alone.server.addresses.api!).origin
    const signIn = () =>
      alone.call('POST', '/console/session', {
        body: { api_key: 'lw_live_wrong' },
        headers: { ...headers, origin },
      })
    const signIns = await times(11, signIn)

    const login = await alone.call('POST', '/worker/login', {
      body: { email: 'ada@example.com', password: 'wrong password' },
      headers,
    })

    assertLimited(signIns.at(-1), 'login_console', 900)
    assert.equal(login.status, 401)
  })
})

describe('the login limit', () => {
  const account = () => ({ email: `${randomUUID()}@example.com`, password: 'a wrong one' })

  test('429 above it for an IP address, whatever the accounts', async () => {
    const address = newAddress()
    await times(3, () => machine(address).post('/test/login', account()))
    const before = logins

    const refused = await machine(address).post('/test/login', account())

    assertLimited(refused, 'login', 900)
    assert.equal(logins, before, 'the login was not attempted')
  })

  test('429 above it for an account, whatever the IP addresses and the spelling', async () => {
    const { email, password } = account()
    await times(3, () => machine().post('/test/login', { email, password }))
    const before = logins

    const refused = await machine().post('/test/login', { email: email.toUpperCase(), password })
    const other = await machine().post('/test/login', account())

    assertLimited(refused, 'login', 900)
    assert.equal(other.status, 200)
    assert.equal(logins, before + 1)
  })
})

describe('the ceiling per IP address', () => {
  test('429 above it across all agents, before any key is checked', async () => {
    const address = newAddress()
    const agents = await times(4, () => registerAgent())
    for (const { api_key } of agents.slice(0, 2))
      await times(6, () => machine(address, api_key).get('/wallet'))
    await times(2, () => machine(address, agents[2]!.api_key).get('/wallet'))

    const known = await machine(address, agents[3]!.api_key).get('/wallet')
    const garbage = await machine(address, 'nonsense').get('/wallet')
    const none = await machine(address).get('/nowhere')
    const elsewhere = await machine(newAddress(), agents[3]!.api_key).get('/wallet')

    for (const refused of [known, garbage, none]) assertLimited(refused, 'address', 60)
    assert.equal(elsewhere.status, 200)
    assert.match(elsewhere.headers.get('ratelimit')!, /"global";r=5;/)
  })
})

describe('the rate limit headers', () => {
  test('are on every response: the limits and what is left', async () => {
    const { api_key } = await registerAgent()
    const known = machine(newAddress(), api_key)
    const stranger = machine()

    const replies = [
      [await known.get('/wallet'), 200, 5],
      [await known.get('/wallet?limit=0'), 400, 4],
      [await known.get('/nowhere'), 404, 3],
      [await known.get('/agents/register'), 405, 2],
      [await stranger.get('/wallet'), 401, 5],
      [await stranger.get('/nowhere'), 404, 4],
      [await stranger.get('/openapi.json'), 200, 3],
    ] as const

    for (const [{ status, headers }, expected, left] of replies) {
      assert.equal(status, expected)
      assert.equal(headers.get('ratelimit-policy'), '"address";q=14;w=60, "global";q=6;w=60')
      assert.match(
        headers.get('ratelimit')!,
        new RegExp(`^"address";r=\\d+;t=\\d+, "global";r=${left};t=\\d+$`),
      )
      assert.equal(headers.get('retry-after'), null)
    }
  })

  test('include the limit of the route beside the others', async () => {
    const { headers } = await machine().post('/agents/register', {})

    assert.equal(
      headers.get('ratelimit-policy'),
      '"address";q=14;w=60, "global";q=6;w=60, "register";q=4;w=3600',
    )
  })
})

describe('an IP address', () => {
  test('is not taken from X-Forwarded-For of an untrusted client', async () => {
    const server = await startOn(shared.url, {
      settings: { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 2 },
      clockOverride: shared.server.clock,
    })

    const replies = await times(3, () =>
      call(server.addresses.api!, 'GET', '/wallet', {
        headers: { 'x-forwarded-for': newAddress() },
      }),
    )

    await server.stop()
    assert.deepEqual(statuses(replies), [401, 401, 429])
  })
})

describe('without Redis', () => {
  test('calls are limited per server, and an alarm is raised', async () => {
    const server = await startOn(shared.url, {
      settings: { ...SMALL, REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' },
      clockOverride: shared.server.clock,
    })
    const headers = { 'x-forwarded-for': newAddress() }

    const replies = await times(7, () => call(server.addresses.api!, 'GET', '/wallet', { headers }))

    const metrics = await (await fetch(`${server.addresses.ops}/metrics`)).text()
    await server.stop()
    assert.deepEqual(statuses(replies), [...Array<number>(6).fill(401), 429])
    assert.match(metrics, /^legwork_limiter_down 1$/m)
    assert.match(metrics, /^legwork_http_limited_total\{policy="global"\} 1$/m)
  })
})
