import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { liftRestriction, restrictAgent, type Why } from './restrict.ts'

const market = await marketplace()

const restrict = (agentId: string, why: Why) =>
  market.at(agentId).transaction((tx) => restrictAgent(tx, { agentId, why, now: market.now() }))
const lift = (agentId: string, why: Why) =>
  market.at(agentId).transaction((tx) => liftRestriction(tx, { agentId, why, now: market.now() }))
const create = async (agent: Awaited<ReturnType<typeof market.agent>>) =>
  (await agent.post('/tasks', { description: 'Look', budget_cents: 100 })).status

describe('a restricted agent', () => {
  test('creates no tasks, and can again after the restriction is lifted', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'chargeback')
    const restricted = await create(agent)
    await lift(agent.id, 'chargeback')

    assert.equal(restricted, 403)
    assert.equal(await create(agent), 201)
  })

  test('is restricted only in live mode', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'chargeback')

    assert.equal(
      (await agent.test.post('/tasks', { description: 'Look', budget_cents: 100 })).status,
      201,
    )
  })

  test('has its tasks withdrawn once, however often it is restricted', async () => {
    const agent = await market.agent()
    await market.events()

    await Promise.all([1, 2, 3].map(() => restrict(agent.id, 'chargeback')))
    await restrict(agent.id, 'operator')

    const asked = await market.events()
    assert.deepEqual(
      asked.map(({ type, data }) => [type, data]),
      [['agent.restricted', { id: agent.id }]],
    )
  })

  test('is freed only by the party that restricted it, and a graver reason replaces a chargeback', async () => {
    const agent = await market.agent()

    await restrict(agent.id, 'chargeback')
    await lift(agent.id, 'operator')
    const first = await create(agent)
    await restrict(agent.id, 'fraud_warning')
    await lift(agent.id, 'chargeback')
    const second = await create(agent)
    await restrict(agent.id, 'chargeback')
    await lift(agent.id, 'chargeback')
    const third = await create(agent)
    await lift(agent.id, 'fraud_warning')

    assert.deepEqual([first, second, third], [403, 403, 403])
    assert.equal(await create(agent), 201)
  })
})
