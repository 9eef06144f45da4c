import assert from 'node:assert/strict'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { call, type Json, marketplace, type Reply, startOn } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people.ts'
import { invalidState } from '../tasks/errors.ts'
import { endpoints } from '../endpoints.ts'
import { endpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import { mintLink } from '../workers/links.ts'

const DAY = 86_400_000
/** An agent's server that nobody calls: no process of this file sends anything. */
const NOWHERE = 'http://127.0.0.1:9/'
const Done = z.object({ done: z.boolean() })

let failures = 0
const failsOnce = endpoint({
  method: 'POST',
  path: '/test/fails-once',
  auth: 'agent',
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
after(() => second.stop())

type Agent = Awaited<ReturnType<typeof market.agent>>

/** A valid request to every POST of the table of routes, and another that is not the same. */
const REQUESTS: Record<
  string,
  (agent: Agent) => Promise<{ body: Json; other: Json; id?: string; token?: string }>
> = {
  'POST /tasks': async () => ({
    body: { description: 'Look', budget_cents: 2500, tpyo: 1 },
    other: { description: 'Look', budget_cents: 2501, tpyo: 1 },
  }),
  'POST /tasks/:id/cancel': async (agent) => ({
    id: (await market.taskIn(agent, 'pending')).id,
    body: {},
    other: { reason: 'none' },
  }),
  'POST /verify': async () => ({ body: { question: 'Open?' }, other: { question: 'Closed?' } }),
  'POST /call': async () => ({
    body: { description: 'Ask', number: '+14155550100' },
    other: { description: 'Ask', number: '+14155550101' },
  }),
  'POST /gut-check': async () => ({
    body: { content: 'A', scale: '1-5' },
    other: { content: 'A', scale: '1-6' },
  }),
  'POST /field': async () => ({
    body: { mission: 'Go' },
    other: { mission: 'Go', title: 'There' },
  }),
  'POST /escalate': async () => ({
    body: { situation: 'Sad', person: { name: 'Ann' } },
    other: { situation: 'Sad', person: { name: 'Bob' } },
  }),
  'POST /vibe': async () => ({
    body: { url: 'https://a.example/' },
    other: { url: 'https://b.example/' },
  }),
  'POST /agents/register': async () => {
    const body = { name: 'Once', email: `${randomUUID()}@example.com` }
    return { body, other: { ...body, name: 'Twice' } }
  },
  'POST /test/agents': async () => ({ body: { name: 'Once' }, other: { name: 'Twice' } }),
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
  'POST /worker/register': async () => {
    const body = { name: 'Once', email: `${randomUUID()}@example.com`, password: PASSWORD }
    return { body, other: { ...body, password: 'another password' } }
  },
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
  'POST /worker/uploads': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const about = { kind: 'photo', content_type: 'image/jpeg', sha256: 'ab'.repeat(32) }
    const body = { task_id: id, ...about, bytes: 1000 }
    return { body, other: { ...body, bytes: 1001 }, token: workers[0]!.token }
  },
  'POST /tasks/:id/approve': async (agent) => ({
    id: (await market.taskIn(agent, 'proof_submitted')).id,
    body: { tip_cents: 100 },
    other: { tip_cents: 200 },
  }),
  'POST /tasks/:id/dispute': async (agent) => ({
    id: (await market.taskIn(agent, 'proof_submitted')).id,
    body: { reason: 'No' },
    other: { reason: 'Never' },
  }),
  'POST /tasks/:id/dispute/withdraw': async (agent) => ({
    id: (await market.taskIn(agent, 'disputed')).id,
    body: {},
    other: { note: 'other' },
  }),
  'POST /tasks/:id/dispute/answer': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'disputed')
    await workers[0]!.post(`/worker/tasks/${id}/appeal`, { statement: 'Look' })
    return { id, body: { statement: 'No' }, other: { statement: 'Never' } }
  },
  'POST /worker/tasks/:id/appeal': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'disputed')
    const body = { statement: 'Look' }
    return { id, body, other: { statement: 'See' }, token: workers[0]!.token }
  },
  'POST /tasks/:id/request-revision': async (agent) => ({
    id: (await market.taskIn(agent, 'proof_submitted')).id,
    body: { note: 'Again' },
    other: { note: 'Once more' },
  }),
  'POST /worker/tasks/:id/accept': async (agent) => ({
    id: (await market.taskIn(agent, 'pending')).id,
    token: (await market.worker()).token,
    body: {},
    other: { note: 'other' },
  }),
  'POST /worker/tasks/:id/proof': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    return { id, token: workers[0]!.token, body: { text: 'Yes' }, other: { text: 'No' } }
  },
  'POST /worker/tasks/:id/release': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    return { id, token: workers[0]!.token, body: {}, other: { reason: 'unsafe' } }
  },
  'POST /worker/tasks/:id/report': async (agent) => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    return { id, token: workers[0]!.token, body: { kind: 'scam' }, other: { kind: 'other' } }
  },
  'POST /console/session': async ({ api_key }) => ({
    body: { api_key },
    other: { api_key, note: 'other' },
  }),
  'POST /agents/keys': async () => ({ body: { name: 'one' }, other: { name: 'other' } }),
  'POST /agents/keys/:id/rotate': async (agent) => ({
    id: (await market.key(agent)).id,
    body: {},
    other: { note: 'other' },
  }),
  'POST /events/:id/redeliver': async (agent) => {
    await agent.patch('/agents/me', { webhook_url: NOWHERE })
    await market.taskIn(agent, 'cancelled')
    await market.events()
    const { events } = (await agent.get('/events')).body
    return { id: events[0].id as string, body: {}, other: { note: 'other' } }
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
  'POST /webhooks/rotate-secret': async () => ({ body: {}, other: { overlap_hours: 1 } }),
  'POST /wallet/deposit': async () => ({
    body: { amount_cents: 2500 },
    other: { amount_cents: 2600 },
  }),
  'POST /tasks/:id/payout': async (agent) => ({
    id: (await market.taskIn(agent, 'completed')).id,
    body: {},
    other: { note: 'other' },
  }),
  'POST /worker/notices/read': async () => {
    const at = (ms: number) => ({ up_to: mintId('ntc', new Date(market.now().getTime() + ms), 7) })
    return { token: (await market.worker()).token, body: at(0), other: at(1) }
  },
  'POST /worker/push': async () => {
    const body = newDevice()
    return { token: (await market.worker()).token, body, other: { ...body, label: 'Other' } }
  },
  'POST /worker/push/:id/test': async () => {
    const worker = await market.worker()
    const { subscription } = (await worker.post('/worker/push', newDevice())).body
    return {
      id: subscription.id as string,
      token: worker.token,
      body: {},
      other: { note: 'other' },
    }
  },
  'POST /worker/stripe/connect': async () => ({
    token: (await market.worker()).token,
    body: { country: 'US' },
    other: { country: 'CA' },
  }),
  'POST /worker/stripe/refresh': async () => ({
    token: (await market.worker()).token,
    body: {},
    other: { note: 'other' },
  }),
  'POST /worker/stripe/dashboard': async () => {
    const worker = await market.worker()
    await market.onboard(worker)
    return { token: worker.token, body: {}, other: { note: 'other' } }
  },
}

/** A browser whose push service nobody calls. */
function newDevice(): Json {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  return {
    endpoint: NOWHERE + randomUUID(),
    keys: { p256dh: keys.getPublicKey('base64url'), auth },
  }
}

async function registeredWorker(): Promise<{ id: string; email: string }> {
  const body = { name: 'Ann', email: `${randomUUID()}@example.com`, password: PASSWORD }
  return (await market.call('POST', '/worker/register', { body })).body.worker
}

/** As in the mail that would have been sent. */
const linkOf = ({ id }: { id: string }, purpose: 'verify' | 'reset') =>
  market.db.transaction((tx) =>
    mintLink(tx, { workerId: id, purpose, livesMs: DAY, now: market.now() }),
  )

const keyed = (key: string) => ({ 'idempotency-key': key })
const task = { description: 'Look', budget_cents: 2500 }

/** How many rows there are of all that a request can leave behind. */
async function footprint(): Promise<Record<string, number>> {
  // But for what the processor tells, which comes when it comes.
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

// What only the processor calls has ids of its own.
const posts = endpoints.filter(({ method, isInternal }) => method === 'POST' && !isInternal)

describe('Idempotency-Key', () => {
  for (const route of posts)
    describe(`on POST ${route.path}`, () => {
      /** A request of a new agent (or, for a registration, of nobody), under a new key. */
      async function prepare() {
        const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
        const request = REQUESTS[`POST ${route.path}`]
        assert(request, `there is no request to POST ${route.path} in this test`)
        const { body, other, id = '', token } = await request(agent)
        const headers = {
          ...keyed(randomUUID()),
          ...(route.auth === 'agent' ? { authorization: `Bearer ${agent.api_key}` } : {}),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        }
        const send = (sent: Json, base = market.server.addresses.api!) =>
          call(base, 'POST', route.path.replace(':id', id), {
            body: sent,
            headers: { ...headers, origin: new URL(base).origin },
          })
        return { body, other, send }
      }

      test('the first answer is repeated to the byte, and nothing happens twice', async () => {
        const { body, send } = await prepare()

        const first = await send(body)
        const afterFirst = await footprint()
        const replies = [await send(body), await send(body, second.addresses.api!)]

        assert.equal(first.status, route.success.status, first.text)
        for (const reply of replies) assertReplay(reply, first)
        assert.deepEqual(await footprint(), afterFirst)
      })

      test('422 for another body under the same key; the first answer stays', async () => {
        const { body, other, send } = await prepare()
        const first = await send(body)
        const afterFirst = await footprint()

        const reply = await send(other)

        assertMismatch(reply)
        assert.deepEqual(await footprint(), afterFirst)
        assertReplay(await send(body), first)
      })

      test('of 8 at once over two servers, one has an effect and all the same answer', async () => {
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

  test('is asked of every POST of the table, and of no other', () => {
    assert.deepEqual(Object.keys(REQUESTS).sort(), posts.map(({ path }) => `POST ${path}`).sort())
  })

  describe('what makes the same request', () => {
    test('is not the order of its fields, nor the spaces between them', async () => {
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

    test('422 when a list has another order', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const headers = keyed(randomUUID())
      await agent.post('/tasks', { ...task, skills: ['a', 'b'] }, headers)

      const reply = await agent.post('/tasks', { ...task, skills: ['b', 'a'] }, headers)

      assertMismatch(reply)
    })

    test('422 on another route, whoever of them keeps the answer', async () => {
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

    test('a key in quotes, as the IETF draft has it, is the key without them', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const key = randomUUID()
      const first = await agent.post('/tasks', task, keyed(`"${key}"`))

      const reply = await agent.post('/tasks', task, keyed(key))

      assertReplay(reply, first)
    })
  })

  describe('its form', () => {
    test('may have 255 characters', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const key = 'k'.repeat(255)
      const first = await agent.post('/tasks', task, keyed(key))

      const reply = await agent.post('/tasks', task, keyed(key))

      assertReplay(reply, first)
    })

    for (const [words, key] of [
      ['256 characters', 'k'.repeat(256)],
      ['no characters', ''],
      ['nothing between quotes', '""'],
      ['a space', 'two words'],
      ['a letter that is not ASCII', 'clé'],
    ] as const)
      test(`400 with ${words}; nothing happens`, async () => {
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

  test('counts for each agent alone, and apart for its test twin', async () => {
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

  test('does not count for other methods', async () => {
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
    test(`is kept 7 days: then the answer ${words} is a new one`, async () => {
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
  test('402 is repeated, even when there is money by now', async () => {
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

  test('404 is repeated, with the id of the first request', async () => {
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

  test('409 is repeated, even when there would be room by now', async () => {
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

  test('409 undoes what the operation had written before it', async () => {
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

  test('400 is not kept: the same key may be used once the request is right', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const headers = keyed(randomUUID())

    const wrong = await agent.post('/tasks', { description: 'Look' }, headers)
    const right = await agent.post('/tasks', task, headers)

    assert.equal(wrong.status, 400)
    assert.equal(right.status, 201)
  })

  test('401 is not kept', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const headers = keyed(randomUUID())

    const stranger = await market.call('POST', '/tasks', { body: task, headers })
    const known = await agent.post('/tasks', task, headers)

    assert.equal(stranger.status, 401)
    assert.equal(known.status, 201)
  })

  test('403 of a creation is not kept: who is let in again gets the task', async () => {
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

describe('a request that does not end well', () => {
  test('500 after a defect leaves neither its effect nor its key; the next one is the first', async () => {
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

  test('409 idempotency_in_progress when it goes on for more than 5 seconds', async () => {
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
