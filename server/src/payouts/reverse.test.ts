import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'
import { payoutOf, requestedPayout } from '../../test/payouts.ts'
import { reversePayout } from './reverse.ts'
import { sendPayout } from './send.ts'

const HOUR = 3_600_000
const market = await marketplace({
  processor: true,
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0 },
})
const bare = await marketplace()
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

async function paid() {
  const payout = await requestedPayout(market)
  await sendPayout(market.backgroundAt(payout.id), payout.id)
  return payout
}
const reverse = (payoutId: string, amountCents?: number) =>
  reversePayout(market.background, { payoutId, amountCents, requestedBy: 'ann' })
const reversalsOf = async (payoutId: string) => {
  const { transfer_id } = await payoutOf(market, payoutId)
  const { data } = await control('GET', 'objects/transfer_reversal')
  return (data as { transfer: string; amount: number }[])
    .filter(({ transfer }) => transfer === transfer_id)
    .map(({ amount }) => amount)
}
const lose = (mode: string) =>
  control('POST', 'faults', [
    { match: 'POST /v1/transfers/[^/]+/reversals', mode, ms: 3000, times: 2 },
  ])

afterEachHere(async () => {
  await control('DELETE', 'faults')
  await market.settle()
})

describe('reversing a payout', () => {
  test('takes the whole remainder, and records a note', async () => {
    const { id, worker } = await paid()

    const first = await reverse(id, 100)
    const rest = await reverse(id)

    assert.deepEqual([first.outcome, rest.outcome], ['reversed', 'reversed'])
    const payout = await payoutOf(market, id)
    assert.deepEqual([payout.status, payout.note], ['reversed', '720 cents reversed by ann'])
    assert.equal(await market.payable(worker.id), 820)
    assert.deepEqual(new Set(await reversalsOf(id)), new Set([100, 720]))
  })

  test('twice by the same amount reverses two parts', async () => {
    const { id, worker } = await paid()

    await reverse(id, 100)
    await reverse(id, 100)

    assert.equal(await market.payable(worker.id), 200)
    assert.deepEqual(await reversalsOf(id), [100, 100])
  })

  test('with a lost response is unknown; a repetition has no second effect', async () => {
    for (const mode of ['hang_after', 'reset_after', 'hang_before']) {
      const { id, worker } = await paid()
      await lose(mode)
      const lost = await reverse(id, 820)
      await control('DELETE', 'faults')

      const again = await reverse(id, 820)

      assert.equal(lost.outcome, 'unknown', mode)
      assert.equal(again.outcome, 'reversed', mode)
      assert.equal((await payoutOf(market, id)).status, 'reversed')
      assert.equal(await market.payable(worker.id), 820)
      assert.deepEqual(await reversalsOf(id), [820])
    }
  })

  test('with a lost response and a notification is complete: the same amount again is another part', async () => {
    const { id } = await paid()
    await lose('reset_after')
    assert.equal((await reverse(id, 100)).outcome, 'unknown')
    await control('DELETE', 'faults')
    await market.settle()

    const next = await reverse(id, 100)

    assert.equal(next.outcome, 'reversed')
    assert.deepEqual(await reversalsOf(id), [100, 100])
    const open = await market.asOwner(
      `select key from processor_attempts where subject_id like $1 and outcome is null`,
      [`${id}r%`],
    )
    assert.deepEqual(open, [])
  })

  test('with a response lost for longer than keys are kept: looked up', async () => {
    const { id, worker } = await paid()
    await control('POST', 'deliveries', { mode: 'hold' })
    await lose('hang_before')
    await reverse(id, 300)
    await control('DELETE', 'faults')
    market.advance(25 * HOUR)

    const lookedUp = await reverse(id, 300)
    const done = await reverse(id, 300)

    assert.deepEqual([lookedUp.outcome, done.outcome], ['unknown', 'reversed'])
    assert.deepEqual(await reversalsOf(id), [300])
    assert.equal(await market.payable(worker.id), 300)
    await control('POST', 'deliveries', { mode: 'normal' })
  })

  test('is refused by the processor if the worker no longer has the money', async () => {
    const { id, worker, accountId } = await paid()
    await control('POST', `accounts/${accountId}/payout`)

    const reversed = await reverse(id)

    assert.equal(reversed.outcome, 'refused')
    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal(await market.payable(worker.id), 0)
  })

  test('409 for more than the remainder, 409 for an unpaid one, 404 for an unknown one', async () => {
    const { id } = await paid()
    const { id: waiting } = await requestedPayout(market)

    await assert.rejects(reverse(id, 821), { code: 'reversal_too_large' })
    await assert.rejects(reverse(waiting), { code: 'payout_not_in_state' })
    await assert.rejects(reverse('po_nothing'), { code: 'payout_not_found' })
    await assert.rejects(reversePayout(bare.background, { payoutId: id, requestedBy: 'ann' }), {
      code: 'payments_unavailable',
    })
  })
})
