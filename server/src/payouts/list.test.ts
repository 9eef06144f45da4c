import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'

const market = await marketplace({ processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

describe('GET /worker/payouts', () => {
  test('lists paid and pending payouts, and what they wait for, in words for the worker', async () => {
    const worker = await payableWorker(market)
    const rich = await market.agent({ balanceCents: 5000, freeTasks: false })
    const paid = await completedBy(rich, [worker])
    await market.settle()
    const free = await completedBy(await market.agent(), [worker])
    await market.settle()

    const { status, body } = await worker.get('/worker/payouts')

    assert.equal(status, 200)
    const [held, arrived] = body.payouts as Json[]
    assert.deepEqual(held, {
      id: held!.id,
      amount_cents: 820,
      status: 'held',
      available_at: held!.available_at,
      reason: 'Earnings from free tasks are held for a few days',
      reason_code: 'free_task',
      task_id: free.id,
      title: 'Look',
      created_at: held!.created_at,
      paid_at: null,
    })
    assert.deepEqual(
      [arrived!.task_id, arrived!.status, arrived!.reason, arrived!.reason_code],
      [paid.id, 'paid', undefined, undefined],
    )
    assert.equal(arrived!.paid_at, market.now().toISOString())
    assert.equal(body.next_cursor, null)
    const ofTask = await worker.get(`/worker/payouts?task_id=${paid.id}`)
    assert.deepEqual(ofTask.body.payouts, [arrived])
  })

  test('waits for an account if there is none; has pages, and only the worker’s own', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const worker = await market.worker()
    const tasks: string[] = []
    for (let i = 0; i < 3; i += 1) {
      tasks.push((await completedBy(agent, [worker])).id)
      await market.settle()
    }
    const stranger = await market.worker()

    const first = await worker.get('/worker/payouts?limit=2')
    const second = await worker.get(`/worker/payouts?limit=2&cursor=${first.body.next_cursor}`)

    const shown = [...first.body.payouts, ...second.body.payouts] as Json[]
    assert.deepEqual(
      shown.map(({ task_id }) => task_id),
      tasks.toReversed(),
    )
    assert(shown.every(({ reason_code }) => reason_code === 'no_account'))
    assert.match(shown[0]!.reason, /^Your payout account is not ready/)
    assert.equal(second.body.next_cursor, null)
    assert.deepEqual((await stranger.get('/worker/payouts')).body.payouts, [])
  })

  test('shows only the last attempt of a failed and repeated payout', async () => {
    const worker = await market.worker()
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    await completedBy(agent, [worker])
    await market.settle()
    const before = await worker.get('/worker/payouts')
    const { id } = before.body.payouts[0]
    await market.asOwner(
      `insert into payouts (id, worker_id, agent_id, task_id, mode, funding, amount_cents, status, available_at,
                            failure_code, created_at, updated_at)
         select replace(id, 'po_0', 'po_1'), worker_id, agent_id, task_id, mode, funding, amount_cents, 'failed',
                available_at, 'account_changed', created_at, updated_at from payouts where id = $1`,
      [id],
    )
    const failed = await worker.get('/worker/payouts')
    await market.asOwner('update payouts set previous_id = $2 where id = $1', [
      id,
      id.replace('po_0', 'po_1'),
    ])

    const after = await worker.get('/worker/payouts')

    assert.deepEqual(
      failed.body.payouts.map((payout: Json) => payout.reason_code),
      ['account_changed', 'no_account'],
    )
    assert.deepEqual(after.body, before.body)
  })

  test('400 for a cursor of another list', async () => {
    const worker = await market.worker()

    assert.equal((await worker.get('/worker/payouts?cursor=x')).status, 400)
  })
})
