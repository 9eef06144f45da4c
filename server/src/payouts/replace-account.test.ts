import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../../test/payouts.ts'

const market = await marketplace({ processor: true, settings: { LOG_LEVEL: 'silent' } })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const reject = async (accountId: string) => {
  await market.sandbox.control('POST', `accounts/${accountId}/capability`, { status: 'rejected' })
  await market.settle()
}

describe('a payout account that the processor has rejected', () => {
  test('is replaced by an operator: the worker opens another, and is paid there', async () => {
    const worker = await payableWorker(market)
    await reject(worker.accountId)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    await market.settle()
    const refused = await worker.post('/worker/stripe/connect')

    const { out } = await ops(market, 'account', 'replace', worker.id, 'asked', 'by', 'mail')
    const accountId = await market.onboard(worker)

    assert.deepEqual([refused.status, refused.body.code], [409, 'account_rejected'])
    assert.match(out, /can open another payout account/)
    assert.notEqual(accountId, worker.accountId)
    const payouts = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      payouts.map(({ status, account_id }) => [status, account_id]),
      [['paid', accountId]],
    )
  })

  test('is not replaced while it works, or if there is none', async () => {
    const worker = await payableWorker(market)
    const without = await market.worker()

    for (const { id } of [worker, without]) {
      const { out, isBad } = await ops(market, 'account', 'replace', id, 'asked')
      assert(isBad)
      assert.match(out, /has no closed or rejected payout account/)
    }
    assert.equal((await worker.get('/worker/stripe/status')).body.account_id, worker.accountId)
  })
})
