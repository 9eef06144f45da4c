import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { restrictAgent } from './restrict.ts'

const market = await marketplace({
  mail: true,
  settings: { PUBLIC_URL: 'https://legwork.example/' },
})

const restrict = (agentId: string, why: 'chargeback' | 'operator') =>
  market.at(agentId).transaction((tx) => restrictAgent(tx, { agentId, why, now: market.now() }))

describe('agents.mail-about-restriction', () => {
  test('sends an email that says what is restricted, what continues, and how to end it', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'operator')
    await market.work()

    const { subject, text } = await market.inbox.mailTo(agent.email)
    assert.equal(subject, 'Your agent can no longer create tasks')
    assert.match(text, /Tasks that a worker has accepted continue/)
    assert.match(text, /Contact support to find out why, or to object/)
    assert(text.includes(agent.id))
  })

  test('says after a chargeback that paying the debt ends the restriction', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'chargeback')
    await market.work()

    const { text } = await market.inbox.mailTo(agent.email)
    assert.match(text, /payment was charged back/)
  })

  test('sends a second email when the restriction ends', async () => {
    const agent = await market.agent()
    await restrict(agent.id, 'operator')
    await market.work()
    await market.inbox.mailTo(agent.email)

    await ops(market, 'agent', 'free', agent.id, 'looked', 'into', 'it')
    await market.work()

    const { subject } = await market.inbox.mailTo(agent.email)
    assert.equal(subject, 'Your agent can create tasks again')
  })

  test('sends none if the restriction ended before', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'operator')
    await ops(market, 'agent', 'free', agent.id, 'a', 'mistake')
    await market.work()

    const { subject } = await market.inbox.mailTo(agent.email)
    assert.equal(subject, 'Your agent can create tasks again')
    assert.deepEqual(market.inbox.unreadTo(agent.email), [])
  })
})
