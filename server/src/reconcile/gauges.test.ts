import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { requestedPayout } from '../../test/payouts.ts'
import { sendPayout } from '../payouts/send.ts'
import { showGauges } from './gauges.ts'

const MINUTE = 60_000
const market = await marketplace({ processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

async function oldestPayout(): Promise<number | undefined> {
  await showGauges(market.background)
  return (await market.server.metrics.payoutAge.get()).values[0]?.value
}

test('the age of a payout grows from its request until it is paid', async () => {
  const before = await oldestPayout()
  const { id } = await requestedPayout(market)
  market.advance(40 * MINUTE)
  const waiting = await oldestPayout()
  await sendPayout(market.backgroundAt(id), id)

  assert.deepEqual([before, waiting, await oldestPayout()], [0, 2400, 0])
})

test('results of a reconciliation that never ran are not exported', async () => {
  const text = await market.server.metrics.registry.metrics()

  assert.doesNotMatch(text, /^legwork_(?:own_funds_cents|reconciled_timestamp_seconds) /m)
})
