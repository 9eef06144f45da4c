import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops, opsByTwo } from '../../test/ops.ts'

const market = await marketplace()
const trustOf = (id: string) =>
  market.asOwner('select cause from trust_events where worker_id = $1', [id])
const assignmentsOf = (taskId: string) =>
  market.asOwner('select worker_id, status from assignments where task_id = $1', [taskId])

describe('tasks.hand-back', () => {
  test('frees the slots of a suspended worker without a trust penalty, and notifies the agent', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress')
    const worker = task.workers[0]!
    market.advance(3_600_000 / 2)

    await ops(market, 'worker', 'suspend', worker.id, 'x')
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'pending')
    assert.deepEqual(await assignmentsOf(task.id), [{ worker_id: worker.id, status: 'released' }])
    assert.deepEqual(await trustOf(worker.id), [])
    assert((await market.events()).some(({ type }) => type === 'task.released'))
    const next = await market.worker({ approvals: 100 })
    assert.equal((await next.post(`/worker/tasks/${task.id}/accept`)).status, 200)
  })

  test('keeps the first proof if a revision was requested', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')
    const asked = await agent.post(`/tasks/${task.id}/request-revision`, { note: 'Closer' })
    assert.equal(asked.status, 200, asked.text)

    await opsByTwo(market, 'worker', 'close', task.workers[0]!.id, 'x')
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'proof_submitted')
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
  })

  test('keeps submitted work', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')

    await ops(market, 'worker', 'suspend', task.workers[0]!.id, 'x')
    await market.sweep()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'proof_submitted')
  })

  test('finds a slot that was accepted during the suspension', async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    for (let round = 0; round < 5; round += 1) {
      const worker = await market.worker({ approvals: 100 })
      const tasks = await Promise.all(
        [1, 2, 3].map(() => agent.post('/tasks', { description: 'Look', budget_cents: 500 })),
      )

      await Promise.all([
        ...tasks.map(({ body }) => worker.post(`/worker/tasks/${body.task.id}/accept`)),
        ops(market, 'worker', 'suspend', worker.id, 'x'),
      ])
      await market.sweep()
      for (const { body } of tasks)
        assert.equal((await worker.post(`/worker/tasks/${body.task.id}/accept`)).status, 401)

      const held = await market.asOwner(
        `select id from assignments where worker_id = $1 and status = 'accepted'`,
        [worker.id],
      )
      assert.deepEqual(held, [])
    }
  })

  test('checks again for two minutes, and then stops', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'pending')
    const worker = await market.worker({ approvals: 100 })
    await ops(market, 'worker', 'suspend', worker.id, 'x')
    await market.sweep()
    // Simulates a request that was authenticated before the suspension and finishes after the first sweep.
    await market.asOwner(
      `update workers set status = 'active', session_version = 1 where id = $1`,
      [worker.id],
    )
    assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
    await market.asOwner(
      `update workers set status = 'suspended', session_version = 2 where id = $1`,
      [worker.id],
    )

    market.advance(6_000)
    await market.sweep()
    const [second] = await assignmentsOf(task.id)
    market.advance(121_000)
    await market.sweep()

    assert.equal(second!.status, 'released')
    const [row] = await market.asOwner(
      'select hand_back_at from worker_decisions where worker_id = $1',
      [worker.id],
    )
    assert.equal(row!.hand_back_at, null)
  })
})
