import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { call, type Json, marketplace, type Reply, startOn } from '../../test/harness.ts'
import { newEmail, PASSWORD } from '../../test/people.ts'
import { member } from '../../test/team.ts'
import { mailedLinks, prepareRequest } from '../../test/requests.ts'
import { invalidState } from '../tasks/errors.ts'
import { endpoints } from '../endpoints.ts'
import { type AnyEndpoint, endpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { sha256 } from '../kit/secrets.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import { mintLink as mintAgentLink } from '../agents/mail-links.ts'

const DAY = 86_400_000
/** A webhook URL that is never called: no process of this file sends anything. */
const NOWHERE = 'http://127.0.0.1:9/'
const Done = z.object({ done: z.boolean() })

let failures = 0
const failsOnce = endpoint({
  method: 'POST',
  path: '/test/fails-once',
  auth: 'agent',
  scope: 'manage',
  summary: 'Writes, and the first time fails by a defect',
  success: { status: 200, body: Done },
  errors: [],
  async handler({ tx, agent, now }) {
    await recordEvents(tx, [{ type: 'task.created', agentId: agent.id, data: {}, now }])
    failures += 1
    if (failures === 1) throw new Error('a defect after a write')
    return { done: true }
  },
})

const refuses = endpoint({
  method: 'POST',
  path: '/test/refuses',
  auth: 'agent',
  scope: 'manage',
  summary: 'Writes, and then refuses',
  body: z.object({ note: z.string().optional() }),
  success: { status: 200, body: Done },
  errors: [invalidState],
  async handler({ tx, agent, now }) {
    await recordEvents(tx, [{ type: 'task.created', agentId: agent.id, data: {}, now }])
    throw invalidState({ status: 'completed' })
  },
})

const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const takesLong = endpoint({
  method: 'POST',
  path: '/test/takes-long',
  auth: 'agent',
  scope: 'manage',
  summary: 'Goes on until it is let go',
  success: { status: 200, body: Done },
  errors: [],
  async handler() {
    entered.resolve()
    await release.promise
    return { done: true }
  },
})

const moreEndpoints = [failsOnce, refuses, takesLong]

const market = await marketplace({
  settings: { LOG_LEVEL: 'silent' },
  moreEndpoints,
  processor: true,
})
const second = await startOn(market.url, {
  settings: { LOG_LEVEL: 'silent', ...market.sandbox.settings },
  clockOverride: market.server.clock,
})
const behindProxy = await startOn(market.url, {
  settings: { LOG_LEVEL: 'silent', TRUST_PROXY: '127.0.0.1', ...market.sandbox.settings },
  clockOverride: market.server.clock,
})
after(() => Promise.all([second.stop(), behindProxy.stop()]))

type Agent = Awaited<ReturnType<typeof market.agent>>

/**
 * A valid request and a different one, for routes that need more than the request of server/test/requests.ts: test
 * mode, a registered address, or an object at the payment processor.
 */
const REQUESTS: Record<
  string,
  (
    agent: Agent,
  ) => Promise<{ body: Json; other: Json; id?: string; token?: string; cookie?: string }>
> = {
  'POST /tasks': async () => ({
    body: { description: 'Look', budget_cents: 2500, tpyo: 1 },
    other: { description: 'Look', budget_cents: 2501, tpyo: 1 },
  }),
  'POST /agents/recover': async (agent) => ({
    body: { email: agent.email },
    other: { email: `${randomUUID()}@example.com` },
  }),
  'POST /agents/recover/confirm': async (agent) => {
    const body = { token: await recoveryLinkOf(agent) }
    // The first request revokes the key that is sent along.
    return { body, other: { ...body, note: 'other' }, token: agent.api_key }
  },
  'POST /test/clock/advance': async (agent) => ({
    token: agent.test_api_key,
    body: { by: '1h' },
    other: { by: '2h' },
  }),
  'POST /test/workers': async (agent) => ({
    token: agent.test_api_key,
    body: { name: 'Ann' },
    other: { name: 'Ben' },
  }),
  'POST /worker/verify': async () => {
    const body = { token: await linkOf(await registeredWorker(), 'verify') }
    return { body, other: { ...body, note: 'other' } }
  },
  'POST /worker/verify/resend': async () => {
    const body = { email: (await registeredWorker()).email }
    return { body, other: { email: `${randomUUID()}@example.com` } }
  },
  'POST /worker/login': async () => {
    const worker = await registeredWorker()
    await market.call('POST', '/worker/verify', { body: { token: await linkOf(worker, 'verify') } })
    const body = { email: worker.email, password: PASSWORD }
    return { body, other: { ...body, note: 'other' } }
  },
  'POST /worker/session': async () => {
    const body = { email: (await registeredWorker()).email, password: PASSWORD }
    return { body, other: { ...body, note: 'other' } }
  },
  'POST /worker/session/play': async (agent) => {
    const made = await market.client(agent.test_api_key).post('/test/workers', {})
    const body = { token: made.body.token as string }
    return { body, other: { ...body, note: 'other' } }
  },
  'POST /worker/password/forgot': async () => {
    const body = { email: (await registeredWorker()).email }
    return { body, other: { email: `${randomUUID()}@example.com` } }
  },
  'POST /worker/password/reset': async () => {
    const token = await linkOf(await registeredWorker(), 'reset')
    return { body: { token, password: PASSWORD }, other: { token, password: 'another password' } }
  },
  'POST /worker/objections/appeal': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'disputed')
    const body = {
      token: await mailedLinks(market).objectionLink(workers[0]!.id),
      task_id: id,
      statement: 'No',
    }
    return { body, other: { ...body, statement: 'Never' } }
  },
  'POST /console/session': async ({ api_key }) => ({
    body: { api_key },
    other: { api_key, note: 'other' },
  }),
  'POST /console/people': async (agent) => {
    const { jar } = await member(market, agent, 'owner')
    const body = { name: 'New', email: newEmail(), role: 'finance' }
    return { cookie: jar.cookie, body, other: { ...body, role: 'owner' } }
  },
  'POST /events/replay': async (agent) => {
    await market.taskIn(agent, 'completed')
    await market.events()
    await agent.patch('/agents/me', { webhook_url: NOWHERE })
    const from = new Date(market.now().getTime() - DAY).toISOString()
    return { body: { from }, other: { from, only: 'all' } }
  },
  'POST /webhooks/ping': async (agent) => {
    await agent.patch('/agents/me', { webhook_url: NOWHERE })
    return { body: {}, other: { url: NOWHERE } }
  },
  'POST /worker/stripe/dashboard': async () => {
    const worker = await market.worker()
    await market.onboard(worker)
    return { token: worker.token, body: {}, other: { note: 'other' } }
  },
}

/** The request to a route, and the same one with an extra field. */
async function requestOf(
  route: AnyEndpoint,
  agent: Agent,
): Promise<{ body: Json; other: Json; id?: string; token?: string; cookie?: string }> {
  const special = REQUESTS[`POST ${route.path}`]
  if (special !== undefined) return special(agent)
  const request = await prepareRequest(market, route, agent)
  return { ...request, other: { ...request.body, note: 'other' } }
}

async function registeredWorker(): Promise<{ id: string; email: string }> {
  const body = { name: 'Ann', email: `${randomUUID()}@example.com`, password: PASSWORD }
  return (await market.call('POST', '/worker/register', { body })).body.worker
}

/** As in the email that would have been sent. */
const linkOf = ({ id }: { id: string }, purpose: 'verify' | 'reset') =>
  mailedLinks(market).workerLink(id, purpose, DAY)

const recoveryLinkOf = ({ id, email }: Agent) =>
  market.at(id).transaction((tx) =>
    mintAgentLink(tx, {
      agentId: id,
      email,
      purpose: 'recover',
      livesMs: DAY,
      now: market.now(),
    }),
  )

const keyed = (key: string) => ({ 'idempotency-key': key })
const task = { description: 'Look', budget_cents: 2500 }

/** Counts the rows of everything that a request can leave behind. */
async function footprint(): Promise<Record<string, number>> {
  // Except the processor's notifications, which arrive at any time.
  const [row] = await market.asOwner(
    `select (select count(*)::int from agents) as agents, (select count(*)::int from api_keys) as keys,
            (select count(*)::int from console_sessions) as consoles,
            (select count(*)::int from tasks) as tasks, (select count(*)::int from transfers) as transfers,
            (select count(*)::int from outbox where type <> 'processor.notified') as outbox,
            (select count(*)::int from deposits) as deposits,
            (select count(*)::int from events where type = 'webhook.ping') as pings,
            (select count(*)::int from deliveries) as deliveries,
            (select count(distinct webhook_secret)::int + count(webhook_secret_old)::int from agents) as secrets,
            (select count(*)::int from payouts) as payouts, (select count(*)::int from payout_accounts) as accounts,
            (select coalesce(sum(wallet_cents), 0)::int from ledger_agents) as cents`,
  )
  return row!
}

function assertReplay(reply: Reply, first: Reply) {
  assert.equal(reply.status, first.status)
  assert.equal(reply.text, first.text)
  assert.equal(reply.headers.get('idempotency-replayed'), 'true')
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(reply.headers.get('content-type'), first.headers.get('content-type'))
}

function assertMismatch({ status, body }: Reply) {
  assert.equal(status, 422)
  assert.equal(body.code, 'idempotency_mismatch')
}

// Endpoints that only the processor calls have their own ids.
const posts = endpoints.filter(({ method, isInternal }) => method === 'POST' && !isInternal)

describe('Idempotency-Key', () => {
  for (const route of posts)
    describe(`on POST ${route.path}`, () => {
      /** A request from a new agent (or without one, for a registration), under a new key. */
      async function prepare() {
        const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
        const { body, other, id = '', token, cookie } = await requestOf(route, agent)
        const headers = {
          ...keyed(randomUUID()),
          ...(cookie === undefined
            ? route.auth === 'agent' && { authorization: `Bearer ${agent.api_key}` }
            : { cookie }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        }
        const send = (sent: Json, base = market.server.addresses.api!, more = {}) =>
          call(base, 'POST', route.path.replace(':id', id), {
            body: sent,
            headers: { ...headers, origin: new URL(base).origin, ...more },
          })
        return { body, other, send }
      }

      test('replays the first response byte for byte, without a second effect', async () => {
        const { body, send } = await prepare()

        const first = await send(body)
        const afterFirst = await footprint()
        const replies = [await send(body), await send(body, second.addresses.api!)]

        assert.equal(first.status, route.success.status, first.text)
        for (const reply of replies) assertReplay(reply, first)
        assert.deepEqual(await footprint(), afterFirst)
      })

      test('422 for another body under the same key; the first response stays', async () => {
        const { body, other, send } = await prepare()
        const first = await send(body)
        const afterFirst = await footprint()

        const reply = await send(other)

        assertMismatch(reply)
        assert.deepEqual(await footprint(), afterFirst)
        assertReplay(await send(body), first)
      })

      test('8 concurrent requests to two servers have one effect and the same response', async () => {
        const alone = await prepare()
        const together = await prepare()
        const before = await footprint()
        await alone.send(alone.body)
        const effect = difference(await footprint(), before)
        const bases = [market.server.addresses.api!, second.addresses.api!]

        const start = await footprint()
        const replies = await Promise.all(
          Array.from({ length: 8 }, (_, i) => together.send(together.body, bases[i % 2])),
        )

        assert.deepEqual(difference(await footprint(), start), effect)
        assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
        assert.deepEqual([...new Set(replies.map(({ status }) => status))], [route.success.status])
        const replayed = replies.filter(({ headers }) => headers.get('idempotency-replayed'))
        assert.equal(replayed.length, 7)
      })
    })

  const anonymous = posts.filter(({ auth }) => auth !== 'agent' && auth !== 'worker')
  const sendFrom = (address: string, route: string, body: Json, key: string) =>
    call(behindProxy.addresses.api!, 'POST', route, {
      body,
      headers: {
        ...keyed(key),
        origin: new URL(behindProxy.addresses.api!).origin,
        'x-forwarded-for': address,
      },
    })

  for (const route of anonymous)
    test(`without credentials POST ${route.path} is replayed only to its own IP address`, async () => {
      const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
      const { body } = await requestOf(route, agent)
      const key = randomUUID()

      const first = await sendFrom('203.0.113.1', route.path, body, key)
      const stranger = await sendFrom('203.0.113.2', route.path, body, key)
      const again = await sendFrom('203.0.113.1', route.path, body, key)

      assert.equal(first.status, route.success.status, first.text)
      assert.equal(stranger.headers.get('idempotency-replayed'), null)
      assertReplay(again, first)
    })

  test('two anonymous clients with one guessable key get two API keys, and neither sees the other’s', async () => {
    const key = 'register-my-agent-0000001'
    const email = `${randomUUID()}@example.com`
    const made = [
      await sendFrom('203.0.113.3', '/test/agents', {}, key),
      await sendFrom('203.0.113.4', '/test/agents', {}, key),
      await sendFrom('203.0.113.5', '/agents/register', { name: 'A', email }, key),
    ]
    const stranger = await sendFrom('203.0.113.6', '/agents/register', { name: 'A', email }, key)

    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201],
    )
    assert.notEqual(made[0]!.body.agent.test_api_key, made[1]!.body.agent.test_api_key)
    for (const { body } of made) assert.match(body.agent.test_api_key, /^lw_test_/)
    assert.deepEqual([stranger.status, stranger.body.code], [409, 'already_registered'])
  })

  test('422 for another body from the same IP address, without effect', async () => {
    const key = randomUUID()
    await sendFrom('203.0.113.7', '/test/agents', { name: 'A' }, key)
    const before = await footprint()

    assertMismatch(await sendFrom('203.0.113.7', '/test/agents', { name: 'B' }, key))
    assert.deepEqual(await footprint(), before)
  })

  test('an anonymous key is shared within an IPv6 /64, and not beyond', async () => {
    const key = randomUUID()

    const first = await sendFrom('2001:db8:1:1::1', '/test/agents', {}, key)
    const same = await sendFrom('2001:db8:1:1:ffff::2', '/test/agents', {}, key)
    const other = await sendFrom('2001:db8:1:2::1', '/test/agents', {}, key)

    assertReplay(same, first)
    assert.equal(other.headers.get('idempotency-replayed'), null)
    assert.notEqual(other.body.agent.test_api_key, first.body.agent.test_api_key)
  })

  test('no row contains the IP address', async () => {
    await sendFrom('203.0.113.99', '/test/agents', {}, randomUUID())

    const rows = await market.asOwner(
      `select 1 from idempotency_keys k where k::text like '%203.0.113.99%'`,
    )
    assert.deepEqual(rows, [])
  })

  test('this file covers every POST of the table', () => {
    const names = posts.map(({ path }) => `POST ${path}`)

    assert.deepEqual(
      Object.keys(REQUESTS).filter((name) => !names.includes(name)),
      [],
    )
  })

  describe('request equality', () => {
    test('ignores the order of fields and whitespace', async () => {
      const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
      const headers = keyed(randomUUID())
      const first = await agent.post(
        '/tasks',
        '{"description":"Look","budget_cents":2500,"context":{"a":1,"b":[1,2]}}',
        headers,
      )

      const reply = await agent.post(
        '/tasks',
        '{ "context": {"b": [1, 2], "a": 1}, "budget_cents": 2500, "description": "Look" }',
        headers,
      )

      assert.equal(first.status, 201)
      assertReplay(reply, first)
    })

    test('applies to the body as it was sent: empty fields are part of it', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const key = { 'idempotency-key': randomUUID() }
      const body = { description: 'Look', budget_cents: '500', title: null, type: '', context: [] }

      const first = await agent.post('/tasks', body, key)
      const [again, without] = [
        await agent.post('/tasks', body, key),
        await agent.post('/tasks', { description: 'Look', budget_cents: 500 }, key),
      ]

      assert.equal(first.status, 201)
      assert.equal(again.text, first.text)
      assert.equal(without.status, 422)
      const canonical =
        '{"budget_cents":"500","context":[],"description":"Look","title":null,"type":""}'
      const [row] = await market.asOwner(
        'select fingerprint from idempotency_keys where principal = $1',
        [agent.id],
      )
      assert.equal(row!.fingerprint, sha256(`POST /api/v1/tasks\n${canonical}`))
    })

    test('422 when a list has another order', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const headers = keyed(randomUUID())
      await agent.post('/tasks', { ...task, skills: ['a', 'b'] }, headers)

      const reply = await agent.post('/tasks', { ...task, skills: ['b', 'a'] }, headers)

      assertMismatch(reply)
    })

    test('422 on another route, whichever stored the response', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const [one, other] = [keyed(randomUUID()), keyed(randomUUID())]
      const { body } = await agent.post('/tasks', task, one)
      await agent.post('/agents/keys', { name: 'one' }, other)

      const replies = [
        await agent.post('/agents/keys', { name: 'one' }, one),
        await agent.post(`/tasks/${body.task.id}/cancel`, undefined, one),
        await agent.post('/verify', { question: 'Open?' }, one),
        await agent.post('/tasks', task, other),
      ]

      for (const reply of replies) assertMismatch(reply)
      assert.equal((await agent.get(`/tasks/${body.task.id}`)).body.task.status, 'pending')
    })

    test('a quoted key, as in the IETF draft, is the key without quotes', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const key = randomUUID()
      const first = await agent.post('/tasks', task, keyed(`"${key}"`))

      const reply = await agent.post('/tasks', task, keyed(key))

      assertReplay(reply, first)
    })
  })

  describe('the format of the key', () => {
    test('allows 255 characters', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const key = 'k'.repeat(255)
      const first = await agent.post('/tasks', task, keyed(key))

      const reply = await agent.post('/tasks', task, keyed(key))

      assertReplay(reply, first)
    })

    for (const [words, key] of [
      ['256 characters', 'k'.repeat(256)],
      ['no characters', ''],
      ['empty quotes', '""'],
      ['a space', 'two words'],
      ['a non-ASCII letter', 'clé'],
    ] as const)
      test(`400 for ${words}; nothing happens`, async () => {
        const agent = await market.agent({ balanceCents: 5000 })
        const before = await footprint()

        const { status, body } = await agent.post('/tasks', task, keyed(key))

        assert.equal(status, 400)
        assert.equal(body.code, 'invalid_request')
        assert.deepEqual(
          body.details.map((detail: { path: string }) => detail.path),
          ['Idempotency-Key'],
        )
        assert.deepEqual(await footprint(), before)
      })
  })

  test('is separate for each agent, and for its test twin', async () => {
    const key = keyed(randomUUID())
    const [one, other] = [
      await market.agent({ balanceCents: 5000 }),
      await market.agent({ balanceCents: 5000 }),
    ]

    const replies = [
      await one.post('/tasks', task, key),
      await other.post('/tasks', task, key),
      await one.test.post('/tasks', task, key),
    ]

    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
      Array(3).fill([201, null]),
    )
    assert.equal(new Set(replies.map(({ body }) => body.task.id)).size, 3)
  })

  test('has no effect for other methods', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.post('/agents/keys', { name: 'second' })
    const remove = () => agent.delete(`/agents/keys/${made.key.id}`, undefined, keyed(randomUUID()))

    const replies = [await remove(), await remove()]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 404],
    )
  })

  for (const [words, target, body] of [
    ['of a creation', '/tasks', task],
    ['of another operation', '/agents/keys', { name: 'weekly' }],
  ] as const)
    test(`expires after 7 days: then the response ${words} is a new one`, async () => {
      const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
      const headers = keyed(randomUUID())
      const first = await agent.post(target, body, headers)

      market.advance(7 * DAY - 1)
      const kept = await agent.post(target, body, headers)
      market.advance(1)
      const renewed = await agent.post(target, body, headers)
      const again = await agent.post(target, body, headers)

      assertReplay(kept, first)
      assert.equal(renewed.status, 201)
      assert.notEqual(renewed.text, first.text)
      assertReplay(again, renewed)
    })
})

describe('a refusal under an Idempotency-Key', () => {
  test('402 is replayed, even if there is money by now', async () => {
    const agent = await market.agent({ balanceCents: 100, freeTasks: false })
    const headers = keyed(randomUUID())
    const first = await agent.post('/tasks', task, headers)
    await market.fund(agent.id, 10_000)

    const reply = await agent.post('/tasks', task, headers)

    assert.equal(first.status, 402)
    assert.equal(first.body.code, 'insufficient_funds')
    assertReplay(reply, first)
    assert.equal(await market.balance(agent.id), 10_100)
    assert.equal((await agent.post('/tasks', task, keyed(randomUUID()))).status, 201)
  })

  test('404 is replayed, with the id of the first request', async () => {
    const agent = await market.agent()
    const headers = keyed(randomUUID())
    const target = `/tasks/${mintId('task', market.now(), 1)}/cancel`
    const first = await agent.post(target, undefined, headers)

    const reply = await agent.post(target, undefined, headers)

    assert.equal(first.status, 404)
    assert.equal(first.body.code, 'task_not_found')
    assertReplay(reply, first)
    assert.equal(reply.body.request_id, first.headers.get('x-request-id'))
  })

  test('409 is replayed, even if there would be room by now', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 9; i += 1) await agent.post('/agents/keys', { name: `key ${i}` })
    const headers = keyed(randomUUID())
    const first = await agent.post('/agents/keys', { name: 'eleventh' }, headers)
    const { body } = await agent.get('/agents/keys')
    await agent.delete(`/agents/keys/${body.keys[3].id}`)

    const reply = await agent.post('/agents/keys', { name: 'eleventh' }, headers)

    assert.equal(first.status, 409)
    assert.equal(first.body.code, 'too_many_keys')
    assertReplay(reply, first)
  })

  test('409 rolls back what the operation had written', async () => {
    const agent = await market.agent()
    const headers = keyed(randomUUID())
    const before = await footprint()

    const first = await agent.post('/test/refuses', undefined, headers)
    const reply = await agent.post('/test/refuses', undefined, headers)

    assert.equal(first.status, 409)
    assert.equal(first.body.code, 'invalid_state')
    assertReplay(reply, first)
    assert.deepEqual(await footprint(), before)
  })

  test('422 for another request under the key of a refusal', async () => {
    const agent = await market.agent()
    const headers = keyed(randomUUID())
    await agent.post('/test/refuses', {}, headers)

    const reply = await agent.post('/test/refuses', { note: 'x' }, headers)

    assertMismatch(reply)
  })

  test('400 is not stored: the same key may be used for the corrected request', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const headers = keyed(randomUUID())

    const wrong = await agent.post('/tasks', { description: 'Look' }, headers)
    const right = await agent.post('/tasks', task, headers)

    assert.equal(wrong.status, 400)
    assert.equal(right.status, 201)
  })

  test('401 is not stored', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const headers = keyed(randomUUID())

    const stranger = await market.call('POST', '/tasks', { body: task, headers })
    const known = await agent.post('/tasks', task, headers)

    assert.equal(stranger.status, 401)
    assert.equal(known.status, 201)
  })

  test('403 of a creation is not stored: a retry after the restriction creates the task', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const setStatus = (status: string) =>
      market.asOwner('update agents set status = $2 where id = $1', [agent.id, status])
    const headers = keyed(randomUUID())
    await setStatus('restricted')

    const refused = await agent.post('/tasks', task, headers)
    await setStatus('active')
    const admitted = await agent.post('/tasks', task, headers)

    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'agent_restricted')
    assert.equal(admitted.status, 201)
  })
})

describe('an incomplete request', () => {
  test('500 after a defect stores neither an effect nor its key; the next request is the first', async () => {
    const agent = await market.agent()
    const headers = keyed(randomUUID())
    const before = await footprint()

    const broken = await agent.post('/test/fails-once', undefined, headers)
    const between = await footprint()
    const kept = await market.asOwner('select from idempotency_keys where principal = $1', [
      agent.id,
    ])
    const done = await agent.post('/test/fails-once', undefined, headers)
    const again = await agent.post('/test/fails-once', undefined, headers)

    assert.equal(broken.status, 500)
    assert.deepEqual(between, before)
    assert.equal(kept.length, 0)
    assert.equal(done.status, 200)
    assertReplay(again, done)
    assert.equal((await footprint()).outbox, before.outbox! + 1)
  })

  test('409 idempotency_in_progress if it takes more than 5 seconds', async () => {
    const agent = await market.agent()
    const headers = keyed(randomUUID())
    const send = () => agent.post('/test/takes-long', undefined, headers)
    const first = send()
    await entered.promise

    const impatient = await send()
    release.resolve()
    const done = await first
    const again = await send()

    assert.equal(impatient.status, 409)
    assert.equal(impatient.body.code, 'idempotency_in_progress')
    assert.equal(impatient.body.retry_after_seconds, 1)
    assert.equal(impatient.headers.get('retry-after'), '1')
    assert.equal(done.status, 200)
    assertReplay(again, done)
  })
})

function difference(now: Record<string, number>, before: Record<string, number>) {
  return Object.fromEntries(Object.keys(now).map((name) => [name, now[name]! - before[name]!]))
}
