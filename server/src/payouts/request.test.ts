import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { completedBy, payableWorker, payoutsOfTask, transfersOf } from '../../test/payouts.ts'

const market = await marketplace({ processor: true })
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

describe('POST /tasks/:id/payout', () => {
  test('[4.1-payout] pays out a completed task, and returns its progress', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])

    const { status, body } = await agent.post(`/tasks/${task.id}/payout`)
    const asked = market.now()
    await market.settle()
    const after = await agent.post(`/tasks/${task.id}/payout`)

    assert.equal(status, 200)
    const { id } = body.payouts[0]
    assert.deepEqual(body, {
      payouts: [
        {
          id,
          worker_id: worker.id,
          amount_cents: 820,
          status: 'pending',
          available_at: asked.toISOString(),
        },
      ],
    })
    assert.match(id, /^po_/)
    assert.deepEqual(after.body.payouts, [{ ...body.payouts[0], status: 'paid' }])
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('waits for the worker’s account, and says so', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'completed', { budget_cents: 1000 })

    const { body } = await agent.post(`/tasks/${task.id}/payout`)

    assert.equal(body.payouts[0].status, 'awaiting_account')
    assert.match(body.payouts[0].reason, /account is not ready/)
    assert.equal(await market.payable(task.workers[0]!.id), 820)
  })

  test('does not shorten a hold, however often it is requested', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent()
    const task = await completedBy(agent, [worker])

    const [first] = [await agent.post(`/tasks/${task.id}/payout`)]
    market.advance(86_400_000)
    await market.settle()
    const second = await agent.post(`/tasks/${task.id}/payout`)

    assert.equal(first.body.payouts[0].status, 'held')
    assert.match(first.body.payouts[0].reason, /free task/)
    assert.deepEqual(second.body, first.body)
    assert.equal(await market.payable(worker.id), 820)
  })

  test('64 concurrent requests give the same payouts, and one transfer each', async () => {
    const workers = [await payableWorker(market), await payableWorker(market)]
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, workers)

    const replies = await Promise.all(
      Array.from({ length: 64 }, () => agent.post(`/tasks/${task.id}/payout`)),
    )

    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(replies[0]!.body.payouts.length, 2)
    await market.settle()
    assert.equal((await transfersOf(market, task.id)).length, 2)
    for (const { id } of workers) assert.equal(await market.payable(id), 0)
  })

  test('retries a failed payout once in eight concurrent requests', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    await control('POST', 'faults', [
      { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code: 'no_way', times: 1 },
    ])
    await market.settle()
    const [failed] = await payoutsOfTask(market, task.id)
    assert.equal(failed!.status, 'failed')

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/tasks/${task.id}/payout`)),
    )
    await market.settle()

    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    const payouts = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      payouts.map(({ status, previous_id }) => [status, previous_id]),
      [
        ['failed', null],
        ['paid', failed!.id],
      ],
    )
    assert.equal(await market.payable(worker.id), 0)
  })

  test('is paid at once in test mode', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent.test, 'completed', { budget_cents: 1000 })

    const { body } = await agent.test.post(`/tasks/${task.id}/payout`)

    assert.equal(body.payouts[0].status, 'paid')
    assert.deepEqual(await transfersOf(market, task.id), [])
  })

  test('409 invalid_state for a task that is not completed, and no payout is opened', async () => {
    const agent = await market.agent({ balanceCents: 20_000, freeTasks: false })
    const statuses = ['pending', 'in_progress', 'proof_submitted', 'disputed', 'cancelled'] as const
    for (const status of statuses) {
      const task = await market.taskIn(agent, status)

      const reply = await agent.post(`/tasks/${task.id}/payout`)

      assert.equal(reply.status, 409)
      assert.deepEqual([reply.body.code, reply.body.status], ['invalid_state', status])
      assert.deepEqual(await payoutsOfTask(market, task.id), [])
    }
  })

  test('404 for another agent’s task, whose payouts stay unopened, and for an unknown one', async () => {
    const [agent, other] = [await market.agent(), await market.agent({ balanceCents: 2500 })]
    const task = await market.taskIn(other, 'completed')

    const replies = [
      await agent.post(`/tasks/${task.id}/payout`),
      await agent.post('/tasks/nothing/payout'),
    ]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [404, 'task_not_found'])
    assert.deepEqual(await payoutsOfTask(market, task.id), [])
  })

  test('a request repeated with its Idempotency-Key gets the first response, also a refusal', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    const open = await market.taskIn(agent, 'pending')
    const key = (name: string) => ({ 'idempotency-key': name })

    const first = await agent.post(`/tasks/${task.id}/payout`, undefined, key('one'))
    await market.settle()
    const second = await agent.post(`/tasks/${task.id}/payout`, undefined, key('one'))
    const refused = await agent.post(`/tasks/${open.id}/payout`, undefined, key('two'))
    const again = await agent.post(`/tasks/${open.id}/payout`, undefined, key('two'))

    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual([refused.status, again.text], [409, refused.text])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })
})
