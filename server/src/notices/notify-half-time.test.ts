import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { noticesOf, run } from '../../test/notices.ts'

const MINUTE = 60_000
const market = await marketplace()

const told = async (worker: TestWorker) =>
  (await noticesOf(worker)).filter(({ kind }) => kind === 'half_time')

/** An assignment with one hour to work. */
const held = async (fields: object = {}) => {
  const agent = await market.agent({ balanceCents: 10_000 })
  const task = await market.taskIn(agent, 'in_progress', { urgency: 'urgent', ...fields })
  return { agent, task, worker: task.workers[0]! }
}

describe('the half-time notice', () => {
  test('is sent once at half time, with the remaining time', async () => {
    const { task, worker } = await held({ budget_cents: 1000 })
    const { body } = await worker.get(`/worker/tasks/${task.id}`)

    market.advance(30 * MINUTE - 1)
    await run(market)
    const before = await told(worker)
    market.advance(1)
    await run(market)
    market.advance(MINUTE)
    await run(market)

    assert.deepEqual(before, [])
    const [notice, ...others] = await told(worker)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [notice!.task_id, notice!.amount_cents, notice!.until],
      [task.id, 820, body.assignment.expires_at],
    )
  })

  test('is sent to each worker of a task', async () => {
    const { task } = await held({ consensus_count: 3 })

    market.advance(31 * MINUTE)
    await run(market)

    const counts = await Promise.all(
      task.workers.map(async (worker) => (await told(worker)).length),
    )
    assert.deepEqual(counts, [1, 1, 1])
  })

  test('is not sent after a proof or a release, or during a revision', async () => {
    const [proven, returned, revised] = [await held(), await held(), await held()]
    await proven.worker.post(`/worker/tasks/${proven.task.id}/proof`, { text: 'Done' })
    await returned.worker.post(`/worker/tasks/${returned.task.id}/release`, {})
    await revised.worker.post(`/worker/tasks/${revised.task.id}/proof`, { text: 'Done' })
    await revised.agent.post(`/tasks/${revised.task.id}/request-revision`, { note: 'Again' })

    market.advance(45 * MINUTE)
    await run(market)

    for (const { worker } of [proven, returned, revised]) assert.deepEqual(await told(worker), [])
  })

  test('is not sent to a worker who submits proof between the timer and the job', async () => {
    const { task, worker } = await held()
    market.advance(31 * MINUTE)

    await market.sweep()
    await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
    await market.work()

    assert.deepEqual(await told(worker), [])
  })
})
