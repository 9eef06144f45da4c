import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { noticesOf } from '../../test/notices.ts'

const market = await marketplace()

describe('the notice of a dispute', () => {
  test('has no deadline after the worker has appealed; another worker’s notice keeps it', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000, consensus_count: 2 })
    await market.work()
    const deadlines = async () => {
      const told = await Promise.all(task.workers.map(noticesOf))
      return told.map((notices) => notices.find(({ kind }) => kind === 'disputed')!.until !== null)
    }
    assert.deepEqual(await deadlines(), [true, true])

    await task.workers[0]!.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look again' })
    await market.work()

    assert.deepEqual(await deadlines(), [false, true])
  })

  test('has no deadline after the agent withdrew the dispute', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000 })
    await market.work()

    await agent.post(`/tasks/${task.id}/dispute/withdraw`)
    await market.work()

    const notices = await noticesOf(task.workers[0]!)
    assert.deepEqual(
      notices.map(({ kind, until }) => [kind, until]),
      [
        ['decided', null],
        ['disputed', null],
      ],
    )
  })
})
