import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { HELD_AFTER_ONE, heldDispute } from '../../test/held-disputes.ts'

const HOUR = 3_600_000
const market = await marketplace()
const strict = await marketplace({ settings: HELD_AFTER_ONE })

const later = (hours: number) => new Date(market.now().getTime() + hours * HOUR).toISOString()

async function disputed(title: string) {
  const agent = await market.agent({ balanceCents: 10_000 })
  const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000, title })
  return { agent, task, worker: task.workers[0]! }
}
const earningsOf = async (worker: TestWorker) => (await worker.get('/worker/earnings')).body

describe('pay in dispute', () => {
  test('goes from the worker’s appeal to the agent’s reply and the operator, each with its deadline', async () => {
    const { agent, task, worker } = await disputed('Look at the shop')
    const path = `/tasks/${task.id}`
    const about = { task_id: task.id, title: 'Look at the shop', pay_cents: 820 }

    const first = await earningsOf(worker)
    await worker.post(`/worker${path}/appeal`, { statement: 'It is as asked for' })
    const appealed = await earningsOf(worker)
    await agent.post(`${path}/dispute/answer`, { statement: 'It is not' })
    const answered = await earningsOf(worker)

    assert.deepEqual([first.disputed_cents, first.pending_cents], [820, 0])
    assert.deepEqual(first.disputes, [{ ...about, next: 'you_appeal', until: later(72) }])
    assert.deepEqual(appealed.disputes, [{ ...about, next: 'agent_replies', until: later(48) }])
    assert.deepEqual(answered.disputes, [{ ...about, next: 'operator_decides', until: null }])
  })

  test('ends when the agent withdraws, and when nobody appeals in time', async () => {
    const withdrawn = await disputed('One')
    const kept = await disputed('Other')

    await withdrawn.agent.post(`/tasks/${withdrawn.task.id}/dispute/withdraw`)
    const paid = await earningsOf(withdrawn.worker)
    market.advance(72 * HOUR)
    const lost = await earningsOf(kept.worker)

    assert.deepEqual([paid.net_cents, paid.disputed_cents, paid.disputes], [820, 0, []])
    assert.deepEqual([lost.net_cents, lost.disputed_cents, lost.disputes], [0, 0, []])
  })

  test('counts a held dispute of the worker’s own proof only', async () => {
    const { task, worker, own } = await heldDispute(strict, {
      budget_cents: 2000,
      consensus_count: 2,
      parts: 1,
    })
    const other = task.workers[1]!

    const mine = await earningsOf(worker)
    const theirs = await earningsOf(other)

    const { decides_by } = (await own()).held_dispute
    assert.deepEqual(
      [mine.disputed_cents, mine.disputes[0].next, mine.disputes[0].until],
      [820, 'operator_decides', decides_by],
    )
    assert.deepEqual([theirs.disputed_cents, theirs.disputes], [0, []])
  })
})
