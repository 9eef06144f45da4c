import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const HOUR = 3_600_000

async function appealed(fields: Record<string, unknown> = {}) {
  const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
  const task = await market.taskIn(agent, 'disputed', { budget_cents: 3000, ...fields })
  const appeal = (worker = task.workers[0]!) =>
    worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })
  await appeal()
  return { agent, task, worker: task.workers[0]!, appeal }
}

describe('an agent that does not reply to an appeal for 48 hours', () => {
  test('concedes: the worker is paid, trust is restored, and the agent’s overturn rate rises', async () => {
    const { agent, task, worker } = await appealed()
    market.advance(48 * HOUR - 1)
    await market.sweep()
    assert.equal(await market.payable(worker.id), 0, 'not before the deadline')
    market.advance(1)

    await market.sweep()

    assert.equal(await market.payable(worker.id), 2460)
    assert.equal(await market.balance(agent.id), 0)
    const shown = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual(
      [shown.status, shown.status_reason, shown.approved_by, shown.dispute.status],
      ['completed', 'dispute_overturned', 'auto', 'overturned'],
    )
    const { dispute } = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.deepEqual(
      [dispute.status, dispute.appeal.ruling, dispute.appeal.ruled_at, dispute.appeal.ruling_note],
      [
        'overturned',
        'overturned',
        market.now().toISOString(),
        'The agent did not reply to your appeal in time.',
      ],
    )
    assert.equal((await agent.get('/stats')).body.quality.counts.overturned, 1)
    const { changes } = (await worker.get('/worker/trust')).body
    assert(changes.some(({ cause }: { cause: string }) => cause === 'dispute_overturned'))
  })

  test('pays once, also in concurrent sweeps', async () => {
    const { agent, worker } = await appealed()
    market.advance(49 * HOUR)

    await Promise.all([market.sweep(), market.sweep(), market.sweep()])
    await market.sweep()

    assert.equal(await market.payable(worker.id), 2460)
    assert.equal(await market.balance(agent.id), 0)
  })

  test('concedes only to the workers who have appealed', async () => {
    const { agent, task, appeal } = await appealed({ consensus_count: 3 })
    await appeal(task.workers[1])
    market.advance(49 * HOUR)

    await market.sweep()

    const paid = []
    for (const { id } of task.workers) paid.push(await market.payable(id))
    assert.deepEqual(paid, [820, 820, 0])
    assert.equal(await market.balance(agent.id), 1000)
    const { settlement } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual([settlement.gross_cents, settlement.refunded_cents], [2000, 1000])
    const told = (await market.events()).filter(
      ({ task_id, type }) => task_id === task.id && type === 'task.dispute_resolved',
    )
    const data = told[0]!.data as { ruling: string; assignments: { net_cents: number }[] }
    assert.deepEqual(
      [told.length, data.ruling, data.assignments.map(({ net_cents }) => net_cents)],
      [1, 'overturned', [820, 820]],
    )
    const late = await appeal(task.workers[2])
    assert.equal(late.status, 201, 'the third worker may still appeal')
    market.advance(49 * HOUR)
    await market.sweep()
    assert.equal(await market.payable(task.workers[2]!.id), 820)
    assert.equal(await market.balance(agent.id), 0)
  })

  test('owes a spent refund; the payout of the protection fund is held for review', async () => {
    const { agent, task, worker } = await appealed()
    await agent.post('/tasks', { description: 'Look', budget_cents: 3000 })
    market.advance(48 * HOUR)
    await market.sweep()

    await market.work()

    assert.deepEqual(
      [await market.balance(agent.id), await market.payable(worker.id)],
      [-3000, 2460],
    )
    const { payouts } = (await agent.post(`/tasks/${task.id}/payout`)).body
    assert.deepEqual(
      [payouts[0].status, payouts[0].available_at, payouts[0].reason],
      ['held', null, 'We are reviewing this payout'],
    )
  })

  test('that replies at the same moment either concedes or not, and the money matches', async () => {
    for (let i = 0; i < 4; i += 1) {
      const { agent, task, worker } = await appealed()
      market.advance(48 * HOUR - 1)
      const answer = agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'No' })
      market.advance(1)

      const [{ status }] = await Promise.all([answer, market.sweep()])

      // The sweep skips tasks that are locked by another transaction, so run it again.
      await market.sweep()
      const isHeard = status === 200
      assert.equal(await market.payable(worker.id), isHeard ? 0 : 2460)
      assert.equal(await market.balance(agent.id), isHeard ? 3000 : 0)
    }
  })
})
