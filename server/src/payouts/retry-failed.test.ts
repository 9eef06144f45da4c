import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { payoutOf, payoutsOfTask, requestedPayout, transfersOf } from '../../test/payouts.ts'
import { retryPayout } from './retry.ts'
import { sendPayout } from './send.ts'

const market = await marketplace({ processor: true, settings: { LOG_LEVEL: 'silent' } })
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })
const DAY = 86_400_000

const refuse = (times: number) =>
  control('POST', 'faults', [
    { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code: 'no_way', times },
  ])

async function failed(times = 1) {
  const payout = await requestedPayout(market)
  await refuse(times)
  await sendPayout(market.backgroundAt(payout.id), payout.id)
  assert.equal((await payoutOf(market, payout.id)).status, 'failed')
  return payout
}

async function after(ms: number) {
  market.advance(ms)
  await market.settle()
}

describe('a failed payout', () => {
  test('is retried after a day and paid, once for two timers', async () => {
    const { task, worker } = await failed()

    await after(DAY - 1000)
    const before = await payoutsOfTask(market, task.id)
    market.advance(1000)
    await Promise.all([market.sweep(), market.sweep()])
    await market.settle()

    assert.deepEqual(
      before.map(({ status }) => status),
      ['failed'],
    )
    assert.deepEqual(
      (await payoutsOfTask(market, task.id)).map(({ status }) => status),
      ['failed', 'paid'],
    )
    assert.equal(await market.payable(worker.id), 0)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('is not retried by the timer after an operator has done so', async () => {
    const { id, task } = await failed()
    await retryPayout(market.background, { payoutId: id })
    await market.settle()

    await after(2 * DAY)

    assert.equal((await payoutsOfTask(market, task.id)).length, 2)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('five times: an operator is alerted, and the worker keeps the money and was notified each time', async () => {
    const { task, worker } = await failed(5)

    for (const days of [1, 2, 4, 8, 30]) await after(days * DAY)

    const payouts = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      payouts.map(({ status, check_at }) => [status, check_at]),
      Array.from({ length: 5 }, () => ['failed', null]),
    )
    assert.equal(await market.payable(worker.id), 820)
    const told = await market.db.reader
      .selectFrom('notices')
      .select('id')
      .where('worker_id', '=', worker.id)
      .where('kind', '=', 'payout_failed')
      .execute()
    assert.equal(told.length, 5)
    const { out, isBad } = await ops(market, 'reconcile')
    assert(isBad)
    assert.match(out, /1 payouts \(\$8\.20\) are stuck \(failed after the last automatic try\)/)
    assert(out.includes('ops payout retry ID'))

    // The processor does not know the test harness's deposits, so reconciliation has stopped payouts.
    await ops(market, 'switch', 'payouts', 'on')
    await ops(market, 'payout', 'retry', payouts.at(-1)!.id)
    await market.settle()
    assert.equal(await market.payable(worker.id), 0)
  })
})
