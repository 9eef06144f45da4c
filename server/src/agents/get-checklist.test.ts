import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'

const market = await marketplace()

type Asking = { get: Awaited<ReturnType<typeof market.agent>>['get'] }
async function checklist(asking: Asking) {
  const { status, body, text } = await asking.get('/agents/me/checklist')
  assert.equal(status, 200, text)
  const items = body.items as { id: string; is_done: boolean; says: string }[]
  return {
    done: items.filter(({ is_done }) => is_done).map(({ id }) => id),
    says: Object.fromEntries(items.map(({ id, says }) => [id, says])),
    canGoLive: body.can_go_live as boolean,
  }
}

describe('GET /agents/me/checklist', () => {
  test('a new agent has every step open, each with what to do', async () => {
    const { done, says, canGoLive } = await checklist(await market.agent())

    assert.deepEqual(done, [])
    assert.deepEqual(Object.keys(says), ['funds', 'webhook', 'signature', 'cap', 'dispute'])
    assert.match(says.webhook!, /You have no webhook_url/)
    assert.equal(canGoLive, false)
  })

  test('steps done in either mode count, and both keys see them', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ balanceCents: 500, webhook_url: receiver.url })
    await agent.test.post('/webhooks/ping')
    await market.deliver()
    receiver.answerWith(401)
    await agent.post('/webhooks/ping', { tampered: true })
    await market.deliver()
    await market.taskIn(agent.test, 'disputed')
    await market.key(agent.test, { scopes: ['read'] })
    const uncapped = await checklist(agent)
    await market.key(agent.test, { day_max_cents: 2000 })

    const live = await checklist(agent)
    const test = await checklist(agent.test)

    assert.deepEqual(uncapped.done, ['funds', 'webhook', 'signature', 'dispute'])
    assert.equal(uncapped.canGoLive, false)
    assert.deepEqual(live.done, ['funds', 'webhook', 'signature', 'cap', 'dispute'])
    assert.equal(live.canGoLive, true)
    assert.deepEqual(test, live)
  })

  test('a receiver that accepts a wrong signature does not complete the verification step', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await market.agent({ webhook_url: receiver.url })

    await agent.post('/webhooks/ping', { tampered: true })
    await market.deliver()

    assert(!(await checklist(agent)).done.includes('signature'))
  })

  test('steps of other agents do not count', async () => {
    await market.taskIn(await market.agent({ balanceCents: 5000 }), 'disputed')

    assert.deepEqual((await checklist(await market.agent())).done, [])
  })
})
