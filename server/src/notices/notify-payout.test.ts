import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { noticesOf } from '../../test/notices.ts'
import { requestedPayout } from '../../test/payouts.ts'
import { sendPayout } from '../payouts/send.ts'

const market = await marketplace({
  processor: true,
  // These tests fail requests on purpose.
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

const told = async (worker: TestWorker) =>
  (await noticesOf(worker)).filter(({ kind }) => String(kind).startsWith('payout_'))

describe('a worker is notified', () => {
  test('that a payout has arrived, once', async () => {
    const { id, task, worker } = await requestedPayout(market)

    await sendPayout({ ...market.background, db: market.at(id) }, id)
    await market.settle()

    const [notice, ...others] = await told(worker)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [notice!.kind, notice!.task_id, notice!.amount_cents, notice!.reason],
      ['payout_paid', task.id, 820, null],
    )
  })

  test('that a payout has failed, and that the next attempt has arrived', async () => {
    const { id, agent, task, worker } = await requestedPayout(market)
    const fault = { mode: 'error_before', status: 400, code: 'amount_too_small', times: 1 }
    await control('POST', 'faults', [{ match: 'POST /v1/transfers', ...fault }])

    await sendPayout({ ...market.background, db: market.at(id) }, id)
    await market.settle()
    const failed = await told(worker)
    await agent.post(`/tasks/${task.id}/payout`)
    await market.settle()

    assert.deepEqual(
      failed.map(({ kind, amount_cents, reason }) => [kind, amount_cents, reason]),
      [['payout_failed', 820, 'amount_too_small']],
    )
    assert.deepEqual(
      (await told(worker)).map(({ kind }) => kind as string),
      ['payout_paid', 'payout_failed'],
    )
  })
})
