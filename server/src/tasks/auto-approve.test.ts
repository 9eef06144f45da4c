import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const HOUR = 3_600_000

describe('tasks.auto-approve', () => {
  test('approves after a day up to $20, after three days up to $100, and after a week above', async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    const cases: [budget: number, hours: number][] = [
      [2000, 24],
      [2001, 72],
      [10_000, 72],
      [10_001, 168],
    ]
    for (const [budget_cents, hours] of cases) {
      const task = await market.taskIn(agent, 'proof_submitted', { budget_cents })

      market.advance(hours * HOUR - 1)
      const early = await market.sweep()
      market.advance(1)
      const due = await market.sweep()

      assert.deepEqual([early, due], [0, 1], `${budget_cents}`)
      const { body } = await agent.get(`/tasks/${task.id}`)
      assert.deepEqual([body.task.status, body.task.approved_by], ['completed', 'auto'])
      assert.equal(await market.payable(task.workers[0]!.id), task.worker_pay_cents)
    }
  })

  test('approves sooner if the agent asked for it; task.completed says who approved', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted', { auto_approve_after: '2h' })

    market.advance(2 * HOUR)
    await market.sweep()

    const events = (await market.events()).filter(({ task_id }) => task_id === task.id)
    const completed = events.find(({ type }) => type === 'task.completed')
    assert.equal((completed!.data as { approved_by: string }).approved_by, 'auto')
  })

  test('pays everyone in an unresolved conflict, without a result', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', {
      budget_cents: 1000,
      consensus_count: 2,
      answer_schema: { type: 'boolean' },
    })
    for (const [i, worker] of task.workers.entries())
      await worker.post(`/worker/tasks/${task.id}/proof`, { answer: i === 0 })

    market.advance(24 * HOUR)
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'completed')
    assert.deepEqual([body.task.consensus.conflict, body.task.consensus.result], [true, null])
    for (const worker of task.workers) assert.equal(await market.payable(worker.id), 410)
  })

  test('does not approve a task that was disputed or is being revised meanwhile', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const disputed = await market.taskIn(agent, 'disputed')
    const revised = await market.taskIn(agent, 'proof_submitted', { urgency: 'flex' })
    await agent.post(`/tasks/${revised.id}/request-revision`, { note: 'Again' })

    market.advance(23 * HOUR)
    await market.sweep()

    assert.equal((await agent.get(`/tasks/${disputed.id}`)).body.task.status, 'disputed')
    assert.equal((await agent.get(`/tasks/${revised.id}`)).body.task.status, 'in_progress')
  })
})
