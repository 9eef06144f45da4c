/** Events for agents, from the operation that causes them to the agent's own server. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { events } from '../src/events.ts'
import { renderOpenApi } from '../src/openapi.ts'
import { EventView } from '../src/webhooks/event-view.ts'
import { TOLD_TYPES, USUAL_TYPES } from '../src/webhooks/record-event.ts'
import { type Json, type Marketplace, marketplace, PHOTO, proofFor } from './harness.ts'
import { HELD_AFTER_ONE } from './held-disputes.ts'
import { completedBy, payableWorker } from './payouts.ts'
import { openReceiver, type Received } from './receiver.ts'

const SECOND = 1000
const HOUR = 3_600_000

/**
 * One marketplace whose clock stays near the present, as signature verification requires, and one where time passes.
 */
const market = await marketplace()
const later = await marketplace({ processor: true, settings: HELD_AFTER_ONE })
await later.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const typesOf = (received: Received[]) => received.map(({ body }) => body.type as string)

const logOf = async (agent: { get: ReturnType<Marketplace['client']>['get'] }) =>
  (await agent.get('/events?limit=100')).body.events as Json[]

/** Events arrive in any order; this sorts them by the order in which they happened. */
const inOrder = (told: Json[]) => told.toSorted((a, b) => a.sequence - b.sequence)

function verify({ text, headers }: Received, secret: string): Json {
  return new Webhook(secret).verify(text, headers as Record<string, string>) as Json
}

describe('an event', () => {
  beforeEach(() => market.catchUp())

  test('[1-webhooks] [6-post] is POSTed, signed, byte for byte as in the log', async (t) => {
    const methods: unknown[] = []
    const receiver = await openReceiver(t, (_, response) => {
      methods.push(response.req.method)
      response.end()
    })
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    const task = await market.taskIn(agent, 'proof_submitted')

    await market.deliver()

    const [received, ...others] = receiver.received
    const log = await agent.get('/events')
    const [, logged] = log.body.events as Json[]
    assert.deepEqual(others, [])
    assert.deepEqual([methods, received!.path], [['POST'], '/hooks'])
    assert.equal(received!.headers['content-type'], 'application/json')
    assert.equal(received!.headers['webhook-id'], received!.body.id)
    assert.deepEqual(verify(received!, agent.webhook_secret), received!.body)
    assert.deepEqual(received!.body, logged)
    assert(log.text.includes(received!.text), 'byte for byte')
    assert.deepEqual(Object.keys(received!.body), [
      'id',
      'type',
      'created_at',
      'api_version',
      'sequence',
      'data',
    ])
    assert.deepEqual([logged!.api_version, logged!.sequence], ['v1', 2])
    const shown = (await agent.get(`/tasks/${task.id}`)).body.task
    for (const [name, value] of Object.entries(logged!.data.task))
      assert.deepEqual(shown[name], value, name)
  })

  for (const way of ['webhook_url', 'callback_url'] as const)
    describe(`sent to the ${way}`, () => {
      /** The receiver that expects the event; the agent's other address, if there is one, must receive nothing. */
      const open = async (t: Parameters<typeof openReceiver>[0]) => {
        const [receiver, other] = [await openReceiver(t), await openReceiver(t)]
        const isCallback = way === 'callback_url'
        const agent = await market.agent({
          balanceCents: 50_000,
          webhook_url: isCallback ? other.url : receiver.url,
        })
        const fields = isCallback ? { callback_url: `${receiver.url}/of-a-task?x=1` } : {}
        const deliver = async () => {
          await market.deliver()
          assert.deepEqual(other.received, [])
          const paths = new Set(receiver.received.map(({ path }) => path))
          assert.deepEqual([...paths], [isCallback ? '/hooks/of-a-task?x=1' : '/hooks'])
          return inOrder(receiver.received.map((one) => verify(one, agent.webhook_secret)))
        }
        return { agent, fields, deliver }
      }

      test('[6-proof-submitted] task.proof_submitted, when a worker submits proof', async (t) => {
        const { agent, fields, deliver } = await open(t)
        const task = await market.taskIn(agent, 'in_progress', {
          ...fields,
          proof_required: 'photo',
        })
        const sent = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, {
          text: 'Open until six',
          photos: [PHOTO],
        })

        const [{ type, data }, ...others] = (await deliver()) as [Json, ...Json[]]

        assert.deepEqual([type, others], ['task.proof_submitted', []])
        assert.equal(data.task.status, 'proof_submitted')
        assert.equal(data.assignment.worker_id, task.workers[0]!.id)
        assert.deepEqual(data.proof, {
          id: sent.body.proof.id,
          outcome: 'done',
          text: 'Open until six',
          answer: null,
          truncated: false,
          media: [{ id: sent.body.proof.files[0].id, kind: 'photo' }],
          url: `/api/v1/tasks/${task.id}/proof`,
          untrusted: true,
        })
        const linked = await agent.get((data.proof.url as string).replace('/api/v1', ''))
        assert.equal(linked.body.proofs[0].id, data.proof.id)
      })

      test('[6-completed] task.completed, when the agent approves', async (t) => {
        const { agent, fields, deliver } = await open(t)
        const task = await market.taskIn(agent, 'completed', { ...fields, budget_cents: 1000 })

        const [, { type, data }, ...others] = (await deliver()) as [Json, Json, ...Json[]]

        assert.deepEqual([type, others], ['task.completed', []])
        assert.deepEqual([data.task.status, data.approved_by], ['completed', 'agent'])
        assert.deepEqual(data.settlement.workers, [
          { worker_id: task.workers[0]!.id, net_cents: 820 },
        ])
        assert(!('consensus' in data))
      })

      test('[6-disputed] task.disputed, when the agent disputes', async (t) => {
        const { agent, fields, deliver } = await open(t)
        const task = await market.taskIn(agent, 'disputed', fields)

        const [, { type, data }, ...others] = (await deliver()) as [Json, Json, ...Json[]]

        const { dispute } = (await agent.get(`/tasks/${task.id}`)).body.task
        assert.deepEqual([type, others], ['task.disputed', []])
        assert.equal(data.task.status, 'disputed')
        assert.deepEqual(data.dispute, dispute, 'the same as in the API')
      })

      test('[6-consensus-proof] task.consensus_proof, for each proof of a consensus task', async (t) => {
        const { agent, fields, deliver } = await open(t)
        await market.taskIn(agent, 'proof_submitted', {
          ...fields,
          consensus_count: 2,
          answer_schema: { type: 'boolean' },
        })

        const told = await deliver()

        const count = (type: string) => told.filter((event) => event.type === type)
        assert.equal(told.length, 4)
        assert.equal(count('task.proof_submitted').length, 2)
        const [first, last] = count('task.consensus_proof')
        assert.deepEqual(first!.data.consensus, { received: 1, needed: 2, complete: false })
        const { received, needed, complete, result, conflict } = last!.data.consensus
        assert.deepEqual([received, needed, complete, result, conflict], [2, 2, true, true, false])
        assert.equal(last!.data.proof.answer, true)
      })
    })

  test('[6-gap-delivery] is retried with the same id and bytes, and a new signature', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()
    receiver.answerWith(204)

    market.advance(3 * SECOND)
    await market.deliver()
    const early = receiver.received.length
    market.advance(4 * SECOND)
    await market.deliver()
    market.advance(60 * SECOND)
    await market.deliver()

    const [first, second] = receiver.received
    assert.deepEqual([early, receiver.received.length], [1, 2])
    assert.equal(second!.text, first!.text)
    assert.equal(second!.headers['webhook-id'], first!.headers['webhook-id'])
    assert.notEqual(second!.headers['webhook-timestamp'], first!.headers['webhook-timestamp'])
    for (const one of receiver.received) verify(one, agent.webhook_secret)
    assert.throws(() => verify({ ...first!, text: `${first!.text} ` }, agent.webhook_secret))
    assert.throws(() => verify(first!, 'whsec_c29tZSBvdGhlciBzZWNyZXQ='))
  })

  test('of test mode goes to the same URL, and is marked', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    await market.taskIn(agent.test, 'completed')

    await market.deliver()

    const told = receiver.received.map((one) => verify(one, agent.webhook_secret))
    assert.deepEqual(
      inOrder(told).map(({ type, data }) => [type, data.task.mode]),
      [
        ['task.proof_submitted', 'test'],
        ['task.completed', 'test'],
      ],
    )
    assert.deepEqual(await logOf(agent), [], 'the log of live mode does not contain it')
  })

  test('has only the id of a worker, no photo, and stays small whatever a worker writes', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    const worker = await market.worker({ name: 'Zebulon Quirk' })
    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      proof_required: 'photo',
    })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    await worker.post(`/worker/tasks/${body.task.id}/proof`, {
      text: 'ア'.repeat(10_000),
      photos: [PHOTO, PHOTO],
      location: { lat: 52.51627, lng: 13.37772 },
    })

    await market.deliver()

    const [{ text, body: event }] = receiver.received as [Received]
    for (const secret of [worker.email, 'Zebulon', '52.516', '13.377', 'base64'])
      assert(!text.includes(secret), secret)
    assert(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)} bytes`)
    assert.deepEqual([event.data.proof.truncated, event.data.proof.text.length], [true, 2000])
  })
})

describe('the sent events', () => {
  test('are four types by default; all others are in the log', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await later.agent({
      balanceCents: 50_000,
      freeTasks: false,
      webhook_url: receiver.url,
    })

    await everythingHappens(agent)

    const logged = new Set((await logOf(agent)).map(({ type }) => type as string))
    assert.deepEqual([...logged].sort(), TOLD_TYPES.toSorted())
    assert.deepEqual([...new Set(typesOf(receiver.received))].sort(), USUAL_TYPES.toSorted())
  })

  test('are only the chosen types, also among the four', async (t) => {
    const receiver = await openReceiver(t)
    const chosen = ['deposit.succeeded', 'payout.paid', 'task.accepted', 'task.disputed']
    const agent = await later.agent({
      balanceCents: 50_000,
      freeTasks: false,
      webhook_url: receiver.url,
      events: chosen,
    })

    await everythingHappens(agent)

    const logged = (await logOf(agent)).filter(({ type }) => chosen.includes(type as string))
    const ids = receiver.received.map(({ body }) => body.id as string)
    assert.deepEqual([...new Set(typesOf(receiver.received))].sort(), chosen)
    assert.deepEqual(ids.sort(), logged.map(({ id }) => id as string).sort(), 'each event once')
  })

  test('are none for an agent without a URL; the log still has them', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    await market.taskIn(agent, 'completed')

    await market.deliver()

    const attempts = await market.asOwner('select from delivery_attempts where agent_id = $1', [
      agent.id,
    ])
    assert.deepEqual(attempts, [])
    assert.deepEqual(
      (await logOf(agent)).map(({ type }) => type as string),
      ['task.accepted', 'task.proof_submitted', 'task.completed'],
    )
  })

  test('include task.completed by auto for an automatically approved task', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await later.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await later.taskIn(agent, 'proof_submitted', { auto_approve_after: 3600 })
    later.advance(HOUR)
    await later.sweep()

    await later.deliver()

    const { type, data } = inOrder(receiver.received.map(({ body }) => body)).at(-1)!
    assert.deepEqual(
      [type, data.task.status, data.approved_by],
      ['task.completed', 'completed', 'auto'],
    )
  })
})

describe('openapi.json', () => {
  const document = JSON.parse(renderOpenApi()) as Json

  test('has an entry for each event: trigger, headers, body, and the meaning of responses', () => {
    const entries = Object.entries(document.webhooks as Record<string, Json>)

    assert.deepEqual(
      entries.map(([type]) => type),
      [...TOLD_TYPES, 'webhook.ping'],
    )
    for (const [type, { post }] of entries) {
      const { $ref } = post.requestBody.content['application/json'].schema
      const { properties } = document.components.schemas[$ref.split('/').at(-1)]
      assert.equal(properties.type.const, type)
      assert(post.summary.length > 10, type)
      assert.deepEqual(
        post.parameters.map(({ $ref }: Json) => {
          return document.components.parameters[$ref.split('/').at(-1)].name as string
        }),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      )
      assert.deepEqual(Object.keys(post.responses), ['410', '2XX', 'default'])
      const again = /sent again 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h after/
      const meaning = type === 'webhook.ping' ? /is not sent again$/ : again
      assert.match(post.responses.default.description, meaning)
    }
  })

  test('has no dangling reference, and forbids no additional field', () => {
    const text = JSON.stringify(document)
    const referred = new Set(
      [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((m) => m[1]!),
    )

    assert.deepEqual([...referred].sort(), Object.keys(document.components.schemas).sort())
    for (const { post } of Object.values(document.webhooks as Record<string, Json>))
      for (const schema of schemasBehind(document, post.requestBody))
        assert(!JSON.stringify(schema).includes('additionalProperties":false'))
  })
})

describe('the recorded events', () => {
  test('match openapi.json exactly', async () => {
    for (const place of [market, later]) {
      const rows = await place.asOwner(
        'select id, type, created_at, sequence, data from events order by agent_id, number',
      )
      assert(rows.length > 20)
      for (const { created_at, ...row } of rows) {
        const event = { ...row, created_at: created_at.toISOString(), api_version: 'v1' } as Json
        const { data } = events[event.type as keyof typeof events]
        assert.deepEqual(EventView.extend({ data }).parse(event), event, event.type)
      }
    }
  })

  test('are numbered 1, 2, 3 … for each task, in the order of the log', async () => {
    for (const place of [market, later]) {
      const rows = await place.asOwner(
        `select task_id, array_agg(sequence order by number) as sequences from events
          where task_id is not null group by task_id`,
      )
      for (const { task_id, sequences } of rows)
        assert.deepEqual(
          sequences,
          (sequences as number[]).map((_, i) => i + 1),
          task_id,
        )
    }
  })
})

/** Every schema that a part of the document refers to, directly or through others. */
function schemasBehind(document: Json, part: unknown, found = new Map<string, Json>()): Json[] {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name!)) continue
    found.set(name!, document.components.schemas[name!])
    schemasBehind(document, found.get(name!), found)
  }
  return [...found.values()]
}

type Agent = Awaited<ReturnType<Marketplace['agent']>>

/** Triggers every event type that agents can receive. */
async function everythingHappens(agent: Agent): Promise<void> {
  const [quick, slow] = [await payableWorker(later), await payableWorker(later)]
  const create = async (fields: Json = {}) => {
    const task = { description: 'Look', budget_cents: 1000, ...fields }
    const { status, body, text } = await agent.post('/tasks', task)
    assert.equal(status, 201, text)
    return body.task
  }
  const submit = (worker: typeof quick, task: Json) =>
    worker.post(`/worker/tasks/${task.id}/proof`, proofFor(task as never))

  await later.taskIn(agent, 'cancelled')
  const disputed = await later.taskIn(agent, 'disputed')
  await disputed.workers[0]!.post(`/worker/tasks/${disputed.id}/appeal`, { statement: 'Look' })
  await agent.post(`/tasks/${disputed.id}/dispute/withdraw`)
  const held = await later.taskIn(agent, 'proof_submitted')
  await agent.post(`/tasks/${held.id}/dispute`, { reason: 'No' })
  // Paid out at once, because the money is not from a recent deposit.
  await completedBy(agent, [quick, slow])
  const revised = await create()
  await slow.post(`/worker/tasks/${revised.id}/accept`)
  await slow.post(`/worker/tasks/${revised.id}/release`)
  await quick.post(`/worker/tasks/${revised.id}/accept`)
  await submit(quick, revised)
  await agent.post(`/tasks/${revised.id}/request-revision`, { note: 'Again' })
  await create({ deadline: '1h' })
  later.advance(5 * HOUR)
  await later.sweep()
  await later.settle()
  await later.deposit(agent, 5000)
  await later.deliver()
}
