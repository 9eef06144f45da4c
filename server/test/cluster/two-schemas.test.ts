/** A market with sixteen shards, in which agent and worker live apart: what one does, the other sees at once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shardOf } from '../../src/kit/ids.ts'
import { marketplace, type TestWorker } from '../harness.ts'

const market = await marketplace({ shards: 16 })

/** A task that a worker of another schema has proven. */
async function provenApart() {
  const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
  let worker: TestWorker
  do worker = await market.worker()
  while (market.at(worker.id) === market.at(agent.id))
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
  const taskId = body.task.id as string
  assert.equal((await worker.post(`/worker/tasks/${taskId}/accept`)).status, 200)
  assert.equal((await worker.post(`/worker/tasks/${taskId}/proof`, { text: 'Done' })).status, 201)
  return { agent, worker, taskId }
}

const ownTask = async (worker: TestWorker) => (await worker.get('/worker/tasks')).body.tasks[0]

describe('agent and worker in two schemas', () => {
  test('an approval pays the worker before it is answered, through clearing', async () => {
    const { agent, worker, taskId } = await provenApart()

    assert.equal((await agent.post(`/tasks/${taskId}/approve`)).status, 200)

    const { task, assignment } = await ownTask(worker)
    assert.deepEqual([task.id, assignment.status], [taskId, 'approved'])
    const cents = await market.payable(worker.id)
    assert.equal(cents, 2050)
    const lines = await market.asOwner(
      `select shard, debit, credit, amount_cents::int as cents from transfers
        where key = $1 and 'liab:clearing' in (debit, credit) order by debit desc`,
      [`task:${taskId}:settle`],
    )
    const shard = shardOf(agent.id)
    assert.deepEqual(lines, [
      { shard, debit: 'liab:escrow', credit: 'liab:clearing', cents },
      { shard, debit: 'liab:clearing', credit: 'liab:worker_payable', cents },
    ])
  })

  test('a dispute reaches the worker’s pages and trust', async () => {
    const { agent, worker, taskId } = await provenApart()

    assert.equal((await agent.post(`/tasks/${taskId}/dispute`, { reason: 'Blurred' })).status, 200)

    assert.equal((await ownTask(worker)).assignment.status, 'disputed')
    const [row] = await market.asOwner('select disputed_count from workers where id = $1', [
      worker.id,
    ])
    assert.equal(row!.disputed_count, 1)
    assert.equal(await market.balance(agent.id), 10_000)
  })

  test('a released task is gone from the worker’s list of open work', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const worker = await market.worker()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)

    await worker.post(`/worker/tasks/${body.task.id}/release`)

    assert.equal((await ownTask(worker)).assignment.status, 'released')
  })

  test('workers accept tasks of one agent at the same time', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const near = market.at(agent.id)
    const home = market.server.db.shards.all.find((db) => db !== near)!
    const workers: TestWorker[] = []
    while (workers.length < 8) {
      const worker = await market.worker()
      if (market.at(worker.id) === home) workers.push(worker)
    }
    const ids: string[] = []
    for (const _ of workers) {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
      ids.push(body.task.id as string)
    }

    const replies = await Promise.all(
      workers.map((worker, i) => worker.post(`/worker/tasks/${ids[i]}/accept`)),
    )

    assert.deepEqual(
      replies.map(({ status }) => status),
      workers.map(() => 200),
    )
  })
})
