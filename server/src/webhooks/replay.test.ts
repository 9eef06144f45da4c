import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver, type Receiver } from '../../test/receiver.ts'
import { mintId, shardOf } from '../kit/ids.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const market = await marketplace()

const ago = (ms: number) => new Date(market.now().getTime() - ms).toISOString()
const typesOf = ({ received }: Receiver) => received.map(({ body }) => body.type as string)

/** Inserts events directly into the log, as the relay does. */
const fillLog = (agentId: string, count: number) => {
  const { name } = market.at(agentId).schema
  return market.asOwner(
    `with counted as (
       insert into ${name}.event_counters as c values ($1, $2)
         on conflict (agent_id) do update set last_number = c.last_number + $2 returning last_number)
     insert into ${name}.events (id, type, agent_id, data, created_at, number)
       select e.id, 'task.completed', $1, '{}', $4, last_number - $2 + e.i
         from counted, unnest($3::text[]) with ordinality e(id, i)`,
    [
      agentId,
      count,
      Array.from({ length: count }, () => mintId('evt', market.now(), shardOf(agentId))),
      market.now(),
    ],
  )
}

describe('POST /events/replay', () => {
  test('sends missed events of the subscribed types, and nothing twice', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    await market.taskIn(agent, 'completed')
    await market.taskIn(agent, 'cancelled')
    await market.deliver()
    await agent.patch('/agents/me', { webhook_url: receiver.url })

    const first = await agent.post('/events/replay', { from: ago(HOUR) })
    await market.deliver()
    const second = await agent.post('/events/replay', { from: ago(HOUR) })

    const { events } = (await agent.get('/events')).body
    assert.equal(first.status, 202)
    assert.deepEqual(first.body, {
      replayed: 2,
      skipped: 0,
      has_more: false,
      next_after: events.at(-1).id,
    })
    assert.deepEqual(
      new Set(typesOf(receiver)),
      new Set(['task.completed', 'task.proof_submitted']),
    )
    assert.equal(receiver.received.length, 2)
    assert.equal(second.body.replayed, 0)
  })

  test('sends a waiting event at once, once', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    receiver.answerWith(500)
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()
    const failed = receiver.received.length
    receiver.answerWith(200)

    const { body } = await agent.post('/events/replay', { from: ago(HOUR) })
    await market.deliver()

    assert.equal(failed, 1)
    assert.equal(body.replayed, 1)
    assert.deepEqual(typesOf(receiver), ['task.proof_submitted', 'task.proof_submitted'])
  })

  test('sends delivered events, too, and only the given types, on request', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'completed')
    await market.deliver()
    const before = receiver.received.length

    const all = await agent.post('/events/replay', { from: ago(HOUR), only: 'all' })
    const named = await agent.post('/events/replay', { from: ago(HOUR), types: ['task.accepted'] })
    await market.deliver()

    assert.deepEqual([all.body.replayed, named.body.replayed], [2, 1])
    assert.equal(receiver.received.length, before + 3)
    assert.deepEqual(
      new Set(typesOf(receiver).slice(before)),
      new Set(['task.accepted', 'task.completed', 'task.proof_submitted']),
    )
  })

  test('sends only events of the time range, or after an event', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    await fillLog(agent.id, 2)
    const middle = market.now()
    market.advance(HOUR)
    await fillLog(agent.id, 3)
    market.advance(HOUR)
    await fillLog(agent.id, 4)
    const { events } = (await agent.get('/events')).body
    const replayed = async (body: object) =>
      (await agent.post('/events/replay', body)).body.replayed as number

    const counts = [
      await replayed({ from: ago(3 * HOUR) }),
      await replayed({ from: ago(90 * 60_000), to: ago(30 * 60_000) }),
      await replayed({ from: middle.toISOString(), to: ago(HOUR) }),
      await replayed({ from: ago(HOUR) }),
      await replayed({ after: events[4].id }),
      await replayed({ after: events[1].id, to: ago(HOUR) }),
      await replayed({ after: events[1].id, from: ago(0) }),
      await replayed({ after: events[8].id }),
    ]

    assert.deepEqual(counts, [9, 3, 2, 7, 4, 0, 4, 0])
  })

  test('sends 10,000 at a time in seconds; can be repeated after the last one', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    await fillLog(agent.id, 10_001)
    const start = performance.now()

    const first = await agent.post('/events/replay', { from: ago(HOUR) })
    const took = performance.now() - start
    const { next_after } = first.body
    const second = await agent.post('/events/replay', { from: ago(HOUR), after: next_after })

    assert.deepEqual([first.body.replayed, first.body.has_more], [10_000, true])
    assert.deepEqual([second.body.replayed, second.body.has_more], [1, false])
    const [row] = await market.asOwner(
      'select count(*)::integer as waiting from deliveries where lane = $1',
      [agent.id],
    )
    assert.equal(row!.waiting, 10_001)
    assert(took < 4000, `${took} ms`)
    await market.asOwner('delete from deliveries where lane = $1', [agent.id])
  })

  test('goes to callback_urls even without a webhook_url; events without a URL are skipped', async (t) => {
    const [callback, gone] = [await openReceiver(t), await openReceiver(t)]
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    gone.answerWith(410)
    await market.taskIn(agent, 'completed', { callback_url: callback.url })
    await market.taskIn(agent, 'completed', { callback_url: gone.url })
    await market.taskIn(agent, 'completed')
    await market.deliver()
    const before = { callback: callback.received.length, gone: gone.received.length }

    const { body } = await agent.post('/events/replay', { from: ago(HOUR), only: 'all' })
    await market.deliver()

    assert.deepEqual([body.replayed, body.skipped], [2, 4])
    assert.equal(callback.received.length, before.callback + 2)
    assert.equal(gone.received.length, before.gone)
  })

  test('ignores events of other agents and the test twin', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    const other = await market.agent({ webhook_url: receiver.url })
    await fillLog(other.id, 2)
    await market.taskIn(agent.test, 'completed')
    await market.events()

    const { body } = await agent.post('/events/replay', { from: ago(HOUR), only: 'all' })

    assert.deepEqual(body, { replayed: 0, skipped: 0, has_more: false, next_after: null })
  })

  test('skips all events without any URL', async () => {
    const agent = await market.agent()
    await fillLog(agent.id, 2)

    const { status, body } = await agent.post('/events/replay', { from: ago(HOUR) })

    assert.equal(status, 202)
    assert.deepEqual([body.replayed, body.skipped], [0, 2])
  })

  test('409 while the webhook_url is disabled; set again, it gets what it missed', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    receiver.answerWith(410)
    await market.taskIn(agent, 'completed')
    await market.deliver()
    await market.taskIn(agent, 'proof_submitted', { budget_cents: 1000 })
    await market.deliver()
    receiver.answerWith(200)
    const before = receiver.received.length

    const refused = await agent.post('/events/replay', { from: ago(HOUR) })
    await agent.patch('/agents/me', { webhook_url: receiver.url })
    const taken = await agent.post('/events/replay', { from: ago(HOUR) })
    await market.deliver()

    assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_disabled'])
    assert.equal(taken.body.replayed, 3)
    assert.equal(receiver.received.length, before + 3)
  })

  test('400 for an invalid range', async () => {
    const agent = await market.agent()
    const event = mintId('evt', market.now(), 1)

    const replies = await Promise.all(
      [
        {},
        { from: 'yesterday' },
        { from: 1 },
        { from: ago(HOUR), to: ago(2 * HOUR) },
        { from: ago(HOUR), only: 'some' },
        { from: ago(HOUR), types: [] },
        { from: ago(HOUR), types: ['webhook.ping'] },
        { after: 'latest' },
      ].map((body) => agent.post('/events/replay', body)),
    )
    await agent.patch('/agents/me', { webhook_url: 'http://127.0.0.1:9/' })
    const unknown = await agent.post('/events/replay', { after: event })

    assert.deepEqual(
      [...replies, unknown].map(({ status, body }) => [status, body.details?.[0].path]),
      ['from', 'from', 'from', 'to', 'only', 'types', 'types.0', 'after', 'after'].map((path) => [
        400,
        path,
      ]),
    )
  })

  test('410 after an expired event', async () => {
    const agent = await market.agent({ webhook_url: 'http://127.0.0.1:9/' })
    const old = mintId('evt', new Date(ago(31 * DAY)), 1)

    const { status, body } = await agent.post('/events/replay', { after: old })

    assert.deepEqual([status, body.code], [410, 'cursor_expired'])
  })
})
