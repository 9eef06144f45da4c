import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const market = await marketplace()

/** The agents reported as low since the last call. */
async function found(): Promise<string[]> {
  await market.sweep()
  const rows = await market.asOwner(
    `delete from outbox where type = 'agent.low_balance' returning data ->> 'id' as id`,
  )
  return rows.map(({ id }) => id as string)
}

describe('agents.watch-balance', () => {
  test('notifies once when a wallet falls below its threshold, and not while it stays there', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const set = await agent.patch('/agents/me', { low_balance_cents: 600 })
    assert.equal(set.body.agent.low_balance_cents, 600)

    const atFirst = await found()
    await market.taskIn(agent, 'pending', { budget_cents: 500 })
    market.advance(5 * MINUTE)
    const fallen = await found()
    await market.taskIn(agent, 'pending', { budget_cents: 100 })
    market.advance(2 * DAY)
    const later = await found()

    assert.deepEqual([atFirst, fallen, later], [[], [agent.id], []])
  })

  test('notifies again after the wallet was above the threshold, but at most once a day', async () => {
    const agent = await market.agent({ balanceCents: 100, freeTasks: false })
    await agent.patch('/agents/me', { low_balance_cents: 600 })
    const round = async (advanceMs: number) => {
      await market.fund(agent.id, 1000)
      market.advance(advanceMs)
      const above = await found()
      await market.taskIn(agent, 'pending', { budget_cents: 1000 })
      market.advance(5 * MINUTE)
      return [above, await found()]
    }

    const first = await found()
    const soon = await round(5 * MINUTE)
    const nextDay = await round(DAY)

    assert.deepEqual(first, [agent.id])
    assert.deepEqual(soon, [[], []])
    assert.deepEqual(nextDay, [[], [agent.id]])
  })

  test('does not notify agents without a threshold', async () => {
    const agent = await market.agent()
    await agent.patch('/agents/me', { low_balance_cents: 600 })
    await agent.patch('/agents/me', { low_balance_cents: null })
    await market.agent()

    assert.deepEqual(await found(), [])
  })

  test('400 for an invalid threshold', async () => {
    const agent = await market.agent()

    for (const low_balance_cents of [0, -1, 1.5, 'much'])
      assert.equal((await agent.patch('/agents/me', { low_balance_cents })).status, 400)
  })
})
