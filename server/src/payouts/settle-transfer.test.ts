import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'
import {
  inTransit,
  payoutOf,
  payoutsOfTask,
  requestedPayout,
  transfersOf,
} from '../../test/payouts.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import { openPayouts } from './open.ts'
import { sendPayout } from './send.ts'
import { settleTransfer } from './settle-transfer.ts'

const market = await marketplace({
  processor: true,
  // These tests fail requests on purpose.
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

const processor = processorOf(market.server.config) as Processor
const settle = (transferId: string) => settleTransfer(market.background, transferId)
const silence = () => control('POST', 'deliveries', { mode: 'hold' })

/** A payout that has arrived. */
async function paid() {
  const payout = await requestedPayout(market)
  await sendPayout(market.backgroundAt(payout.id), payout.id)
  const { transfer_id } = await payoutOf(market, payout.id)
  return { ...payout, transferId: transfer_id! }
}
/** Reverses a transfer as if by hand in the processor's dashboard. */
const takeBack = (transferId: string, amountCents: number, key: string) =>
  processor.reverseTransfer({ transferId, payoutId: 'none', amountCents, key: key + transferId })

afterEachHere(async () => {
  await control('DELETE', 'faults')
  await control('POST', 'deliveries', { mode: 'normal' })
  await market.settle()
})

describe('a transfer whose response was lost', () => {
  test('is adopted by its payout, also by eight at once', async () => {
    const { id, task, worker } = await requestedPayout(market)
    await silence()
    await control('POST', 'faults', [
      { match: 'POST /v1/transfers', mode: 'hang_after', ms: 3000, times: 2 },
    ])
    await sendPayout(market.backgroundAt(id), id)
    const [transfer] = await transfersOf(market, task.id)

    const settled = await Promise.all(Array.from({ length: 8 }, () => settle(transfer!.id)))

    assert.deepEqual([...new Set(settled)], ['done'])
    const payout = await payoutOf(market, id)
    assert.deepEqual([payout.status, payout.transfer_id], ['paid', transfer!.id])
    assert.equal(await inTransit(market, id), 0)
    assert.equal(await market.payable(worker.id), 0)
    await sendPayout(market.backgroundAt(id), id)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('is adopted even if the payout now waits for its account', async () => {
    const { id, task, accountId } = await requestedPayout(market)
    await silence()
    await control('POST', `accounts/${accountId}/capability`, { status: 'restricted' })
    await sendPayout(market.backgroundAt(id), id)
    assert.equal((await payoutOf(market, id)).status, 'awaiting_account')
    await control('POST', `accounts/${accountId}/capability`, { status: 'active' })
    const [attempt] = await market.asOwner(
      'select key from processor_attempts where subject_id = $1',
      [id],
    )
    const late = await processor.createTransfer({
      payoutId: id,
      taskId: task.id,
      workerId: 'worker',
      accountId,
      amountCents: 820,
      key: attempt!.key,
    })
    assert(late.kind === 'ok')

    assert.equal(await settle(late.value.id), 'done')

    assert.equal((await payoutOf(market, id)).status, 'paid')
  })
})

describe('a transfer that is not ours', () => {
  test('is left to reconciliation: without a payout, of an unknown one, of a wrong amount', async () => {
    const { id, task, accountId } = await requestedPayout(market)
    const create = (payoutId: string, amountCents: number) =>
      processor.createTransfer({
        payoutId,
        taskId: task.id,
        workerId: 'worker',
        accountId,
        amountCents,
        key: `${payoutId}_${amountCents}_${task.id}`,
      })
    await silence()
    const wrong = [await create('po_nobody', 820), await create(id, 819)]

    for (const transfer of wrong) {
      assert(transfer.kind === 'ok')
      assert.equal(await settle(transfer.value.id), 'unknown')
    }
    assert.equal(await settle('tr_nothing'), 'unknown')

    assert.equal((await payoutOf(market, id)).status, 'requested')
    assert.equal(await inTransit(market, id), 820)
  })

  test('is left to reconciliation if it is a second one of a paid payout', async () => {
    const { id, task, accountId, transferId } = await paid()
    await silence()
    const second = await processor.createTransfer({
      payoutId: id,
      taskId: task.id,
      workerId: 'worker',
      accountId,
      amountCents: 820,
      key: `second_${id}`,
    })
    assert(second.kind === 'ok')

    assert.equal(await settle(second.value.id), 'unknown')

    assert.equal((await payoutOf(market, id)).transfer_id, transferId)
  })

  test('is retried while the processor is down', async () => {
    const { transferId } = await paid()
    await control('POST', 'faults', [{ match: 'GET /v1/transfers', mode: 'html502', times: 5 }])

    assert.equal(await settle(transferId), 'waiting')
  })
})

describe('a reversed transfer', () => {
  test('in full: the worker’s balance has the money again, and no new payout starts', async () => {
    const { id, agent, task, worker, transferId } = await paid()

    await takeBack(transferId, 820, 'whole')
    await market.settle()

    const payout = await payoutOf(market, id)
    assert.deepEqual([payout.status, payout.reversed_cents], ['reversed', 820])
    assert.equal(await market.payable(worker.id), 820)
    const now = market.now()
    await openPayouts({ db: market.db, config: market.server.config, now }, task.id)
    const { body } = await agent.post(`/tasks/${task.id}/payout`)
    assert.equal(body.payouts[0].id, id)
    assert.equal(body.payouts[0].status, 'failed')
    assert.match(body.payouts[0].reason, /was reversed/)
    assert.equal((await payoutsOfTask(market, task.id)).length, 1)
  })

  test('in parts: each part is counted once, until nothing is left', async () => {
    const { id, agent, task, worker, transferId } = await paid()

    await takeBack(transferId, 300, 'one')
    await market.settle()

    const part = await payoutOf(market, id)
    assert.deepEqual([part.status, part.reversed_cents], ['partially_reversed', 300])
    assert.equal(await market.payable(worker.id), 300)
    const { body } = await agent.post(`/tasks/${task.id}/payout`)
    assert.equal(body.payouts[0].status, 'paid')

    await takeBack(transferId, 220, 'two')
    await takeBack(transferId, 300, 'three')
    await market.settle()

    const whole = await payoutOf(market, id)
    assert.deepEqual([whole.status, whole.reversed_cents], ['reversed', 820])
    assert.equal(await market.payable(worker.id), 820)
  })

  test('notified repeatedly, concurrently and out of order: booked once', async () => {
    const { id, worker, transferId } = await paid()
    await silence()
    await takeBack(transferId, 300, 'one')
    await takeBack(transferId, 100, 'two')

    await Promise.all(Array.from({ length: 8 }, () => settle(transferId)))
    await control('POST', 'deliveries/release', { order: 'lifo', times: 3 })
    await market.settle()

    assert.equal((await payoutOf(market, id)).reversed_cents, 400)
    assert.equal(await market.payable(worker.id), 400)
    const booked = await market.asOwner(
      `select amount_cents from transfers where ref_id = $1 and kind = 'payout_reversed' order by 1`,
      [id],
    )
    assert.deepEqual(
      booked.map(({ amount_cents }) => Number(amount_cents)),
      [100, 300],
    )
  })

  test('before we knew that it was paid: both are booked', async () => {
    const { id, task, worker } = await requestedPayout(market)
    await silence()
    await control('POST', 'faults', [
      { match: 'POST /v1/transfers', mode: 'hang_after', ms: 3000, times: 2 },
    ])
    await sendPayout(market.backgroundAt(id), id)
    await control('DELETE', 'faults')
    const [transfer] = await transfersOf(market, task.id)
    await takeBack(transfer!.id, 820, 'early')

    await settle(transfer!.id)

    assert.equal((await payoutOf(market, id)).status, 'reversed')
    assert.equal(await market.payable(worker.id), 820)
    const { body } = await worker.get('/worker/earnings')
    assert.equal(body.paid_out_cents, 0)
  })
})
