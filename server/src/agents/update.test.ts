import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { USUAL_TYPES } from '../webhooks/record-event.ts'

const market = await marketplace()

describe('PATCH /agents/me', () => {
  test('an empty object changes nothing and shows the agent', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.patch('/agents/me', {})

    assert.equal(status, 200)
    assert.deepEqual(body, {
      agent: {
        id: agent.id,
        name: agent.name,
        email: agent.email,
        mode: 'live',
        webhook_url: null,
        events: USUAL_TYPES,
        low_balance_cents: null,
        webhook: null,
      },
    })
  })

  test('changes the fields that are sent, and leaves the rest', async () => {
    const agent = await market.agent()
    const url = 'http://127.0.0.1:9/a'

    await agent.patch('/agents/me', { name: ' New name ' })
    await agent.patch('/agents/me', { webhook_url: url })
    await agent.patch('/agents/me', { events: ['task.expired', 'task.expired', 'payout.paid'] })
    const { body } = await agent.patch('/agents/me')

    const { webhook, ...shown } = body.agent
    assert.deepEqual(shown, {
      id: agent.id,
      name: 'New name',
      email: agent.email,
      mode: 'live',
      webhook_url: url,
      events: ['task.expired', 'payout.paid'],
      low_balance_cents: null,
    })
    assert.deepEqual([webhook.url, webhook.status, webhook.waiting], [url, 'ok', 0])
  })

  test('null events restore the four defaults, and a null webhook_url removes it', async () => {
    const agent = await market.agent({
      webhook_url: 'http://127.0.0.1:9/',
      events: ['task.expired'],
    })

    const { body } = await agent.patch('/agents/me', { events: [], webhook_url: null })

    assert.deepEqual(body.agent.events, USUAL_TYPES)
    assert.equal(body.agent.webhook_url, null)
    assert.equal(body.agent.webhook, null)
  })

  test('changes the mode of the calling key, and not the other', async () => {
    const agent = await market.agent()

    const { body } = await agent.test.patch('/agents/me', {
      name: 'Test',
      webhook_url: 'http://127.0.0.1:9/test',
    })
    const live = await agent.patch('/agents/me', {})

    assert.deepEqual([body.agent.mode, body.agent.name], ['test', 'Test'])
    assert.notEqual(body.agent.id, agent.id)
    assert.deepEqual([live.body.agent.name, live.body.agent.webhook_url], [agent.name, null])
  })

  test('queued events go to the new URL at once', async (t) => {
    const [old, receiver] = [await openReceiver(t), await openReceiver(t)]
    old.answerWith(500)
    const agent = await market.agent({ webhook_url: old.url, events: ['task.cancelled'] })
    await market.taskIn(agent, 'cancelled', { budget_cents: 500 })
    await market.deliver()
    market.advance(6000)

    await agent.patch('/agents/me', { webhook_url: receiver.url })
    await market.deliver()

    assert.deepEqual([old.received.length, receiver.received.length], [1, 1])
    assert.equal(receiver.received[0]!.body.id, old.received[0]!.body.id)
  })

  test('the same URL again enables a disabled receiver', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await market.agent({
      balanceCents: 10_000,
      freeTasks: false,
      webhook_url: receiver.url,
      events: ['task.cancelled'],
    })
    await market.taskIn(agent, 'cancelled')
    await market.deliver()
    receiver.answerWith(200)
    const before = await agent.patch('/agents/me', { name: 'Still gone' })

    const after = await agent.patch('/agents/me', { webhook_url: receiver.url })
    await market.taskIn(agent, 'cancelled')
    await market.deliver()

    assert.deepEqual(
      [before, after].map(({ body }) => [
        body.agent.webhook.status,
        body.agent.webhook.disabled_for,
      ]),
      [
        ['disabled', 'gone'],
        ['ok', null],
      ],
    )
    assert.equal(before.body.agent.webhook.disabled_at, market.now().toISOString())
    assert.equal(receiver.received.length, 2)
  })

  test('400 names each wrong field, and nothing changes', async () => {
    const agent = await market.agent({ webhook_url: 'http://127.0.0.1:9/' })
    const bodies = [
      { webhook_url: 'ftp://example.com/' },
      { webhook_url: 'https://10.0.0.1/' },
      { webhook_url: 'https://user:pass@example.com/' },
      { webhook_url: 7 },
      { name: ' ' },
      { name: 'n'.repeat(101) },
      { events: ['task.created'] },
      { events: 'task.expired' },
    ]

    const replies = []
    for (const body of bodies)
      replies.push(await agent.patch('/agents/me', { name: 'No', ...body }))

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.details[0].path.split('.')[0]]),
      bodies.map((body) => [400, 'invalid_request', Object.keys(body)[0]]),
    )
    const { body } = await agent.patch('/agents/me', {})
    assert.equal(body.agent.name, agent.name)
    assert.equal(body.agent.webhook_url, 'http://127.0.0.1:9/')
  })

  test('a read-only field has no effect, and is named', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.patch('/agents/me', {
      email: 'a@example.com',
      mode: 'test',
    })

    assert.equal(status, 200)
    assert.deepEqual(
      body.warnings.map(({ path }: { path: string }) => path),
      ['email', 'mode'],
    )
    assert.equal(body.agent.email, agent.email)
  })

  test('401 without a key', async () => {
    const { status } = await market.call('PATCH', '/agents/me', { body: {} })

    assert.equal(status, 401)
  })
})
