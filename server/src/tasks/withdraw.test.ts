import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { restrictAgent } from '../agents/restrict.ts'
import { shardOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { chargeback } from '../ledger/movements.ts'
import { withdraw } from './withdraw.ts'

const market = await marketplace()

const restrict = (agentId: string) =>
  market
    .at(agentId)
    .transaction((tx) => restrictAgent(tx, { agentId, why: 'chargeback', now: market.now() }))
const run = (agentId: string) =>
  withdraw.run({ ...market.backgroundAt(agentId), payload: { data: { id: agentId } } })
const statusesOf = async (agent: Awaited<ReturnType<typeof market.agent>>) => {
  const { body } = await agent.get('/tasks?limit=100')
  return body.tasks.map(({ status }: { status: string }) => status).sort()
}

describe('a restricted agent’s tasks', () => {
  test('are canceled if nobody has accepted them, and their budgets are refunded', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'pending')
    await restrict(agent.id)

    await market.work()

    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.status, 'cancelled')
    assert.equal(body.task.status_reason, 'agent_restricted')
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('repay the debt first', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    await market.taskIn(agent, 'pending')
    await market.at(agent.id).transaction((tx) =>
      postEntry(
        tx,
        chargeback({
          mode: 'live',
          shard: shardOf(agent.id),
          agentId: agent.id,
          balanceTransactionId: `txn_${agent.id}`,
          amountCents: 2000,
          feeCents: 1500,
        }),
        { now: market.now() },
      ),
    )
    const owing = await market.balance(agent.id)
    await restrict(agent.id)

    await market.work()

    assert.equal(owing, -2000)
    assert.equal(await market.balance(agent.id), 500)
  })

  test('are honored if somebody has accepted or proved them', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const accepted = await market.taskIn(agent, 'in_progress')
    const proved = await market.taskIn(agent, 'proof_submitted')
    await restrict(agent.id)

    await market.work()

    assert.deepEqual(await statusesOf(agent), ['in_progress', 'proof_submitted'])
    const worker = accepted.workers[0]!
    const proof = await worker.post(`/worker/tasks/${accepted.id}/proof`, { text: 'Done' })
    assert.equal(proof.status, 201)
    for (const { id } of [accepted, proved])
      assert.equal((await agent.post(`/tasks/${id}/approve`)).status, 200)
    assert.equal(await market.payable(worker.id), 2050)
  })

  test('return the free task if they were free', async () => {
    const agent = await market.agent()
    await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    await restrict(agent.id)

    await market.work()

    const { body } = await agent.get('/wallet')
    assert.deepEqual([body.balance_cents, body.free_tasks_remaining], [0, 3])
  })

  test('are withdrawn in batches, and once by two concurrent jobs', async () => {
    const agent = await market.agent({ balanceCents: 12_000, freeTasks: false })
    await Promise.all(
      Array.from({ length: 120 }, () =>
        agent.post('/tasks', { description: 'Look', budget_cents: 100 }),
      ),
    )
    await restrict(agent.id)

    // A run that finds all tasks locked fails, and the queue retries it.
    const ended = await Promise.allSettled([run(agent.id), run(agent.id)])
    await run(agent.id)

    assert(ended.some(({ status }) => status === 'fulfilled'))
    assert.equal(await market.balance(agent.id), 12_000)
    const told = (await market.events()).filter(({ type }) => type === 'task.cancelled')
    assert.equal(told.length, 120)
  })

  test('stay if the restriction was lifted before', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    await market.taskIn(agent, 'pending')

    await run(agent.id)

    assert.deepEqual(await statusesOf(agent), ['pending'])
  })

  test('that are locked at that moment are left to the next attempt', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'pending')
    await restrict(agent.id)

    await market.at(task.id).transaction(async (tx) => {
      await tx.selectFrom('tasks').select('id').where('id', '=', task.id).forUpdate().execute()
      await assert.rejects(run(agent.id), /locked by others/)
    })
    await run(agent.id)

    assert.deepEqual(await statusesOf(agent), ['cancelled'])
  })
})
