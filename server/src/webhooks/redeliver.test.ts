import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()

type Agent = Awaited<ReturnType<typeof market.agent>>

/** The id of the agent's latest event of this type. */
async function lastEvent(agent: Pick<Agent, 'get'>, type: string): Promise<string> {
  await market.events()
  return (await agent.get(`/events?type=${type}`)).body.events.at(-1).id
}

describe('POST /events/:id/redeliver', () => {
  test('sends a delivered event again, with the same id and body', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'completed')
    await market.deliver()
    const id = await lastEvent(agent, 'task.completed')
    market.advance(60_000)

    const { status, body } = await agent.post(`/events/${id}/redeliver`)
    await market.deliver()

    assert.equal(status, 202)
    assert.deepEqual(body, {
      delivery: { event_id: id, url: receiver.url, next_try_at: market.now().toISOString() },
    })
    const [first, again] = receiver.received.filter(({ body: event }) => event.id === id)
    assert.equal(again!.text, first!.text)
    assert.equal(again!.headers['webhook-id'], id)
    assert.equal(receiver.received.length, 3)
  })

  test('sends an event of an unsubscribed type', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'cancelled')
    await market.deliver()
    const id = await lastEvent(agent, 'task.cancelled')
    assert.equal(receiver.received.length, 0)

    await agent.post(`/events/${id}/redeliver`)
    await market.deliver()

    assert.deepEqual(
      receiver.received.map(({ body }) => body.id),
      [id],
    )
  })

  test('sends a waiting event at once, and keeps its attempt count', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await market.agent({
      balanceCents: 5000,
      webhook_url: receiver.url,
      events: ['task.cancelled'],
    })
    await market.taskIn(agent, 'cancelled')
    await market.deliver()
    const id = await lastEvent(agent, 'task.cancelled')
    receiver.answerWith(200)

    const { body } = await agent.post(`/events/${id}/redeliver`)
    await market.deliver()

    assert.equal(body.delivery.next_try_at, market.now().toISOString())
    const { deliveries } = (await agent.get(`/webhooks/deliveries?event_id=${id}`)).body
    assert.deepEqual(
      deliveries.map((one: Record<string, unknown>) => [one.attempt, one.outcome]),
      [
        [2, 'delivered'],
        [1, 'failed'],
      ],
    )
  })

  test('goes to the callback_url of its task', async (t) => {
    const [receiver, callback] = [await openReceiver(t), await openReceiver(t)]
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'cancelled', { callback_url: callback.url })
    const id = await lastEvent(agent, 'task.cancelled')

    const { body } = await agent.post(`/events/${id}/redeliver`)
    await market.deliver()

    assert.equal(body.delivery.url, callback.url)
    assert.deepEqual([receiver.received.length, callback.received.length], [0, 1])
  })

  test('says when it is sent while the receiver is paused for failing', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await market.agent({ webhook_url: receiver.url })
    await market.taskIn(agent, 'cancelled', { budget_cents: 500 })
    const id = await lastEvent(agent, 'task.cancelled')
    for (let i = 0; i < 7; i += 1) await agent.post('/webhooks/ping')
    await market.deliver()

    const { body } = await agent.post(`/events/${id}/redeliver`)

    assert(new Date(body.delivery.next_try_at) > market.now())
    const [lane] = await market.asOwner('select paused_until from webhook_lanes where id = $1', [
      agent.id,
    ])
    assert.equal(body.delivery.next_try_at, (lane!.paused_until as Date).toISOString())
  })

  test('is queued once in concurrent requests', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    await market.taskIn(agent, 'cancelled', { budget_cents: 500 })
    const id = await lastEvent(agent, 'task.cancelled')

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/events/${id}/redeliver`)),
    )
    await market.deliver()

    assert(replies.every(({ status }) => status === 202))
    assert.equal(receiver.received.length, 1)
  })

  test('404: a missing, foreign, test twin’s and malformed id look the same', async (t) => {
    const receiver = await openReceiver(t)
    const [agent, other] = [await market.agent({ webhook_url: receiver.url }), await market.agent()]
    await market.taskIn(other, 'cancelled', { budget_cents: 500 })
    await market.taskIn(agent.test, 'cancelled', { budget_cents: 500 })
    const theirs = await lastEvent(other, 'task.cancelled')
    const ids = [
      theirs,
      await lastEvent(agent.test, 'task.cancelled'),
      mintId('evt', market.now(), 1),
      `evt_${'z'.repeat(26)}`,
      `evt_${'0'.repeat(26)}`,
      theirs.toUpperCase(),
      'evt_1',
      'null',
      `${theirs}%20`,
    ]

    const replies = await Promise.all(ids.map((id) => agent.post(`/events/${id}/redeliver`)))

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, Object.keys(body).length]),
      replies.map(() => [404, 'event_not_found', 4]),
    )
    assert.deepEqual(
      await market.asOwner('select from deliveries where event_id = $1', [theirs]),
      [],
    )
  })

  test('409 without any URL, until there is one', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent()
    await market.taskIn(agent, 'cancelled', { budget_cents: 500 })
    const id = await lastEvent(agent, 'task.cancelled')

    const refused = await agent.post(`/events/${id}/redeliver`)
    await agent.patch('/agents/me', { webhook_url: receiver.url })
    const taken = await agent.post(`/events/${id}/redeliver`)
    await market.deliver()

    assert.deepEqual([refused.status, refused.body.code], [409, 'no_webhook_url'])
    assert.match(refused.body.error, /PATCH \/agents\/me/)
    assert.equal(taken.status, 202)
    assert.equal(receiver.received.length, 1)
  })

  for (const kind of ['webhook_url', 'callback_url'] as const)
    test(`409 for a ${kind} that responded 410, until it accepts a ping`, async (t) => {
      const receiver = await openReceiver(t)
      const agent = await market.agent({
        balanceCents: 5000,
        events: ['task.cancelled'],
        ...(kind === 'webhook_url' ? { webhook_url: receiver.url } : {}),
      })
      const fields = kind === 'callback_url' ? { callback_url: receiver.url } : {}
      receiver.answerWith(410)
      await market.taskIn(agent, 'cancelled', fields)
      await market.deliver()
      const id = await lastEvent(agent, 'task.cancelled')

      const refused = await agent.post(`/events/${id}/redeliver`)
      receiver.answerWith(200)
      await agent.post('/webhooks/ping', { url: refused.body.url })
      await market.deliver()
      const taken = await agent.post(`/events/${id}/redeliver`)
      await market.deliver()

      assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_disabled'])
      assert.equal(refused.body.url, receiver.url)
      assert.match(refused.body.error, /POST \/webhooks\/ping/)
      assert.equal(taken.status, 202, taken.text)
      assert.deepEqual(
        receiver.received.map(({ body }) => body.type),
        ['task.cancelled', 'webhook.ping', 'task.cancelled'],
      )
    })
})
