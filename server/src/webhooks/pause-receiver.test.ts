import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { pauseReceiver, resumeReceiver } from './pause-receiver.ts'

const HOUR = 3_600_000
const market = await marketplace()

const pause = (laneId: string, hours: number) =>
  market
    .at(laneId)
    .transaction((tx) =>
      pauseReceiver(tx, { laneId, until: new Date(market.now().getTime() + hours * HOUR) }),
    )
const resume = (laneId: string) =>
  market.at(laneId).transaction((tx) => resumeReceiver(tx, { laneId, now: market.now() }))

async function agentWith(receiver: { url: string }) {
  const agent = await market.agent({ balanceCents: 100_000 })
  await agent.patch('/agents/me', { webhook_url: receiver.url })
  return agent
}

describe('pauseReceiver', () => {
  test('sends nothing until the pause ends, then everything, and uses no attempt', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await agentWith(receiver)

    const isKnown = await pause(agent.id, 2)
    await market.taskIn(agent, 'completed')
    await market.deliver()
    market.advance(HOUR)
    await market.deliver()
    const meanwhile = receiver.received.length
    market.advance(HOUR)
    await market.deliver()

    const { body } = await agent.get('/webhooks/deliveries')
    assert(isKnown)
    assert.equal(meanwhile, 0)
    assert.equal(receiver.received.length, 2)
    assert.deepEqual(
      (body.deliveries as { attempt: number }[]).map(({ attempt }) => attempt),
      [1, 1],
    )
  })

  test('does not affect other receivers', async (t) => {
    const [paused, other] = [await openReceiver(t), await openReceiver(t)]
    const agents = [await agentWith(paused), await agentWith(other)] as const

    await pause(agents[0].id, 1)
    for (const agent of agents) await market.taskIn(agent, 'proof_submitted')
    await market.deliver()

    assert.deepEqual([paused.received.length, other.received.length], [0, 1])
  })

  test('ends at once if an operator resumes it', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await agentWith(receiver)
    await pause(agent.id, 2)
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()

    const isKnown = await resume(agent.id)
    await market.deliver()

    assert(isKnown)
    assert.equal(receiver.received.length, 1)
  })

  test('reports a receiver without deliveries as unknown', async () => {
    assert.equal(await pause('agent_none', 1), false)
    assert.equal(await resume('agent_none'), false)
  })
})
