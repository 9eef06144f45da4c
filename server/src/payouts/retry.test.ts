import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { payoutOf, payoutsOfTask, requestedPayout, transfersOf } from '../../test/payouts.ts'
import { retryPayout } from './retry.ts'
import { reversePayout } from './reverse.ts'
import { sendPayout } from './send.ts'

const market = await marketplace({ processor: true })
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

const retry = (payoutId: string) => retryPayout(market.background, { payoutId })

async function failed() {
  const payout = await requestedPayout(market)
  await control('POST', 'faults', [
    { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code: 'no_way', times: 1 },
  ])
  await sendPayout(market.backgroundAt(payout.id), payout.id)
  assert.equal((await payoutOf(market, payout.id)).status, 'failed')
  return payout
}

describe('retrying a payout', () => {
  test('that has failed creates a new one, which is paid', async () => {
    const { id, task, worker } = await failed()

    const again = await retry(id)
    await market.settle()

    assert.deepEqual([again.previous_id, again.amount_cents, again.status], [id, 820, 'requested'])
    assert.equal((await payoutOf(market, again.id)).status, 'paid')
    assert.equal(await market.payable(worker.id), 0)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('that was reversed creates a new one, too', async () => {
    const { id, worker } = await requestedPayout(market)
    await sendPayout(market.backgroundAt(id), id)
    await reversePayout(market.background, { payoutId: id, requestedBy: 'ann' })
    assert.equal(await market.payable(worker.id), 820)

    await retry(id)
    await market.settle()

    assert.equal(await market.payable(worker.id), 0)
  })

  test('eight times at once creates one; the others are refused', async () => {
    const { id, task } = await failed()

    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => retry(id)))

    assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
    await market.settle()
    assert.equal((await payoutsOfTask(market, task.id)).length, 2)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('409 for one that is sent or paid, 404 for an unknown one', async () => {
    const { id } = await requestedPayout(market)

    await assert.rejects(retry(id), { code: 'payout_not_in_state', extra: { status: 'requested' } })
    await sendPayout(market.backgroundAt(id), id)
    await assert.rejects(retry(id), { code: 'payout_not_in_state', extra: { status: 'paid' } })
    await assert.rejects(retry('po_nothing'), { code: 'payout_not_found' })
  })
})
