import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'

const market = await marketplace({ clock: 'stepped' })

type Agent = Awaited<ReturnType<typeof market.agent>>

async function attemptsOf(agent: Pick<Agent, 'get'>, eventId: string) {
  const { deliveries } = (await agent.get(`/webhooks/deliveries?event_id=${eventId}`)).body
  return deliveries.map((one: Record<string, unknown>) => [one.outcome, one.status, one.url])
}

const statusOf = async (agent: Agent) =>
  (await agent.patch('/agents/me', {})).body.agent.webhook.status as string

describe('POST /webhooks/ping', () => {
  test('sends a signed event to the webhook_url, and returns where to see the result', async (t) => {
    market.catchUp()
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    const { status, body } = await agent.post('/webhooks/ping')
    await market.deliver()

    const { event_id, url, deliveries_url } = body
    assert.equal(status, 202)
    assert.equal(url, receiver.url)
    const [got] = receiver.received
    assert.deepEqual(got!.body, {
      id: event_id,
      type: 'webhook.ping',
      created_at: market.now().toISOString(),
      api_version: 'v1',
      sequence: null,
      data: {},
    })
    const headers = got!.headers as Record<string, string>
    assert.deepEqual(new Webhook(agent.webhook_secret).verify(got!.text, headers), got!.body)
    const { deliveries } = (await agent.get(deliveries_url.replace('/api/v1', ''))).body
    assert.deepEqual([deliveries.length, deliveries[0].outcome], [1, 'delivered'])
    assert.deepEqual((await agent.get('/events')).body.events, [got!.body])
  })

  test('tampered: the signature is wrong, a 4xx is expected, and the receiver’s health is unaffected', async (t) => {
    market.catchUp()
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })
    const outcomes = []

    for (const status of [401, 410, 500, 200]) {
      receiver.answerWith(status)
      const { event_id } = (await agent.post('/webhooks/ping', { tampered: true })).body
      await market.deliver()
      outcomes.push(...(await attemptsOf(agent, event_id)))
    }

    const [got] = receiver.received
    const headers = got!.headers as Record<string, string>
    assert.throws(() => new Webhook(agent.webhook_secret).verify(got!.text, headers))
    assert.deepEqual(got!.body.data, { tampered: true })
    assert.deepEqual(outcomes, [
      ['given_up', 401, receiver.url],
      ['given_up', 410, receiver.url],
      ['given_up', 500, receiver.url],
      ['delivered', 200, receiver.url],
    ])
    assert.equal(await statusOf(agent), 'ok')
  })

  test('tampered and accepted: a disabled receiver stays disabled', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await market.agent({ webhook_url: receiver.url })
    await agent.post('/webhooks/ping')
    await market.deliver()
    receiver.answerWith(200)

    await agent.post('/webhooks/ping', { tampered: true })
    await market.deliver()

    assert.equal(receiver.received.length, 2)
    assert.equal(await statusOf(agent), 'disabled')
  })

  test('is sent once, whatever the response', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await market.agent({ webhook_url: receiver.url })

    const { event_id } = (await agent.post('/webhooks/ping')).body
    await market.deliver()
    market.advance(86_400_000)
    await market.deliver()

    assert.equal(receiver.received.length, 1)
    assert.deepEqual(await attemptsOf(agent, event_id), [['given_up', 500, receiver.url]])
  })

  test('goes only to the given URL', async (t) => {
    const [receiver, other] = [await openReceiver(t), await openReceiver(t)]
    const agent = await market.agent({ webhook_url: receiver.url })

    const { body } = await agent.post('/webhooks/ping', { url: other.url })
    await market.deliver()

    assert.equal(body.url, other.url)
    assert.deepEqual([receiver.received.length, other.received.length], [0, 1])
  })

  test('needs no webhook_url if a URL is given', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent()

    const { status } = await agent.post('/webhooks/ping', { url: receiver.url })
    await market.deliver()

    assert.equal(status, 202)
    assert.equal(receiver.received.length, 1)
  })

  test('has the next number in the log, also concurrently and beside the relay', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'completed')

    await Promise.all([
      market.events(),
      ...Array.from({ length: 8 }, () => agent.post('/webhooks/ping')),
      market.events(),
    ])

    const rows = await market.asOwner(
      'select number::integer from events where agent_id = $1 order by number',
      [agent.id],
    )
    assert.deepEqual(
      rows.map(({ number }) => number as number),
      Array.from({ length: 11 }, (_, i) => i + 1),
    )
  })

  for (const kind of ['webhook_url', 'callback_url'] as const)
    test(`enables a ${kind} that responded 410 only when it responds 2xx`, async (t) => {
      const receiver = await openReceiver(t)
      const agent = await market.agent({
        balanceCents: 10_000,
        freeTasks: false,
        events: ['task.cancelled'],
        ...(kind === 'webhook_url' ? { webhook_url: receiver.url } : {}),
      })
      const fields = kind === 'callback_url' ? { callback_url: receiver.url } : {}
      const cancelOne = async () => {
        await market.taskIn(agent, 'cancelled', fields)
        await market.deliver()
      }
      receiver.answerWith(410)
      await cancelOne()
      await cancelOne()
      const whileGone = receiver.received.length

      receiver.answerWith(500)
      await agent.post('/webhooks/ping', { url: receiver.url })
      await market.deliver()
      await cancelOne()
      const afterFailedPing = receiver.received.length
      receiver.answerWith(200)
      await agent.post('/webhooks/ping', { url: receiver.url })
      await market.deliver()
      await cancelOne()

      assert.equal(whileGone, 1)
      assert.equal(afterFailedPing, 2)
      assert.deepEqual(
        receiver.received.slice(2).map(({ body }) => body.type),
        ['webhook.ping', 'task.cancelled'],
      )
    })

  test('is sent at once and first, even if a queue waits for a dead receiver', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const agent = await market.agent({
      balanceCents: 50_000,
      freeTasks: false,
      webhook_url: receiver.url,
      events: ['task.cancelled'],
    })
    for (let i = 0; i < 8; i += 1) await market.taskIn(agent, 'cancelled')
    await market.deliver()
    const [lane] = await market.asOwner('select paused_until from webhook_lanes where id = $1', [
      agent.id,
    ])
    const before = receiver.received.length

    const { event_id } = (await agent.post('/webhooks/ping')).body
    await market.deliver()
    const failed = receiver.received.slice(before).map(({ body }) => body.id)
    const whileFailing = await statusOf(agent)
    receiver.answerWith(200)
    await agent.post('/webhooks/ping')
    await market.deliver()

    assert(lane!.paused_until > market.now())
    assert.deepEqual(failed, [event_id])
    assert.equal(whileFailing, 'failing')
    assert.equal(await statusOf(agent), 'ok')
  })

  test('409 without any URL', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/webhooks/ping')

    assert.deepEqual([status, body.code], [409, 'no_webhook_url'])
    assert.deepEqual((await agent.get('/events')).body.events, [])
  })

  test('400 for a URL that is not allowed', async () => {
    const agent = await market.agent({ webhook_url: 'http://127.0.0.1:9/' })

    const replies = await Promise.all(
      ['http://10.0.0.1/', 'https://169.254.169.254/', 'ftp://example.com/', 'x', 7, ' '].map(
        (url) => agent.post('/webhooks/ping', { url }),
      ),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.details[0].path]),
      replies.map(() => [400, 'invalid_request', 'url']),
    )
    assert.deepEqual((await agent.get('/events')).body.events, [])
  })
})
