import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'
import { shardOf } from '../kit/ids.ts'
import { tell } from './tell.ts'

const market = await marketplace({ processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const told = (agentId: string) =>
  market.db.reader
    .selectFrom('events')
    .select(['id', 'task_id', 'data'])
    .where('agent_id', '=', agentId)
    .where('type', '=', 'payout.paid')
    .execute()

describe('the event payout.paid', () => {
  test('reaches the agent of the task, for each paid worker', async () => {
    const workers = [await payableWorker(market), await payableWorker(market)]
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, workers)

    await market.settle()

    const events = await told(agent.id)
    assert.deepEqual(
      events.map(({ data }) => (data as { payout: { worker_id: string } }).payout.worker_id).sort(),
      workers.map(({ id }) => id).sort(),
    )
    const { payout, task: shown } = events[0]!.data as Record<string, Record<string, unknown>>
    assert.deepEqual([shown!.id, shown!.status], [task.id, 'completed'])
    assert.deepEqual(
      [payout!.task_id, payout!.amount_cents, payout!.status, payout!.paid_at],
      [task.id, 410, 'paid', market.now().toISOString()],
    )
    assert.equal(events[0]!.task_id, task.id)
    assert.equal(shardOf(events[0]!.id), shardOf(agent.id))
  })

  test('is sent once, though the job runs again before and after the relay has taken it', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    await market.settle()
    const [{ id }] = (await market.asOwner('select id from payouts where task_id = $1', [
      task.id,
    ])) as [{ id: string }]
    const run = () => tell.run({ ...market.backgroundAt(id), payload: { data: { id } } })

    await run()
    await market.settle()

    assert.equal((await told(agent.id)).length, 1)
  })

  test('is sent and counted once in concurrent jobs', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    await market.settle()
    await market.asOwner(`delete from events where task_id = $1 and type = 'payout.paid'`, [
      task.id,
    ])
    const [payout] = await market.asOwner('select id from payouts where task_id = $1', [task.id])

    await Promise.all(
      Array.from({ length: 4 }, () =>
        tell.run({ ...market.backgroundAt(payout!.id), payload: { data: { id: payout!.id } } }),
      ),
    )
    await market.settle()

    const events = await told(agent.id)
    const [counted] = await market.asOwner('select event_sequence from tasks where id = $1', [
      task.id,
    ])
    assert.equal(events.length, 1)
    assert.equal(counted!.event_sequence, 5, 'accepted, proof, completed, and paid twice')
  })

  test('is sent in test mode, too; and not for an unpaid payout', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent.test, 'completed')
    const waiting = await market.taskIn(agent, 'completed', { budget_cents: 1000 })

    await market.settle()

    assert.equal((await told(task.agent_id)).length, 1)
    assert.equal((await told(agent.id)).length, 0)
    assert.equal((await told(waiting.agent_id)).length, 0)
  })
})
