import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { payoutOf, payoutsOfTask, requestedPayout, transfersOf } from '../../test/payouts.ts'
import { PASSWORD } from '../../test/people.ts'
import { sendPayout } from './send.ts'

const market = await marketplace({ processor: true, settings: { LOG_LEVEL: 'silent' } })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

describe('payouts.pay-before-closing', () => {
  test('sends a failed payout again at once, and only once', async () => {
    const { id, task, worker } = await requestedPayout(market)
    await market.sandbox.control('POST', 'faults', [
      { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code: 'no_way', times: 1 },
    ])
    await sendPayout(market.backgroundAt(id), id)
    assert.equal((await payoutOf(market, id)).status, 'failed')

    for (const _ of ['ask', 'ask again']) {
      await worker.post('/worker/close', { current_password: PASSWORD })
      await market.settle()
      await worker.delete('/worker/close')
    }

    assert.deepEqual(
      (await payoutsOfTask(market, task.id)).map(({ status }) => status),
      ['failed', 'paid'],
    )
    assert.equal((await transfersOf(market, task.id)).length, 1)
    assert.equal(await market.payable(worker.id), 0)
  })
})
