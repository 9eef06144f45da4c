import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { payoutOf, requestedPayout, transfersOf } from '../../test/payouts.ts'
import { releaseAwaitingFunds } from './release-funds.ts'
import { sendPayout } from './send.ts'

const market = await marketplace({ processor: true })
const bare = await marketplace()
const { control } = market.sandbox

/** Payouts of 820 cents each that lack funds. */
async function waiting(count: number) {
  const payouts: Awaited<ReturnType<typeof requestedPayout>>[] = []
  for (let i = 0; i < count; i += 1) {
    market.advance(1000)
    const payout = await requestedPayout(market)
    await sendPayout(market.backgroundAt(payout.id), payout.id)
    assert.equal((await payoutOf(market, payout.id)).status, 'awaiting_funds')
    payouts.push(payout)
  }
  return payouts
}
const statuses = (payouts: { id: string }[]) =>
  Promise.all(payouts.map(async ({ id }) => (await payoutOf(market, id)).status))

describe('money that arrives at the processor', () => {
  test('pays the longest-waiting payouts that it covers', async () => {
    const payouts = await waiting(3)
    await control('POST', 'deliveries', { mode: 'hold' })
    await control('POST', 'topups', { amount: 1700 })

    const released = await releaseAwaitingFunds(market.background)
    await market.work()

    assert.equal(released, 2)
    assert.deepEqual(await statuses(payouts), ['paid', 'paid', 'awaiting_funds'])

    await control('POST', 'topups', { amount: 1000 })
    await Promise.all([
      releaseAwaitingFunds(market.background),
      releaseAwaitingFunds(market.background),
    ])
    await market.work()

    assert.deepEqual(await statuses(payouts), ['paid', 'paid', 'paid'])
    for (const { task } of payouts) assert.equal((await transfersOf(market, task.id)).length, 1)
    await control('POST', 'deliveries', { mode: 'normal' })
    await market.settle()
  })

  test('is used an hour later if there was no notification', async () => {
    const payouts = await waiting(1)
    await control('POST', 'deliveries', { mode: 'hold' })
    await control('POST', 'topups', { amount: 5000 })

    market.advance(3_600_000)
    await market.sweep()
    await market.work()

    assert.deepEqual(await statuses(payouts), ['paid'])
    await control('POST', 'deliveries', { mode: 'normal' })
    await market.settle()
  })

  test('is ignored if nobody waits, and if there is no processor', async () => {
    assert.equal(await releaseAwaitingFunds(market.background), 0)
    assert.equal(await releaseAwaitingFunds(bare.background), 0)
  })
})
