import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import {
  completedBy,
  payableWorker,
  payoutOf,
  payoutsOfTask,
  requestedPayout,
} from '../../test/payouts.ts'
import { decideHold } from './decide-hold.ts'
import { NEVER } from './holds.ts'

const DAY = 86_400_000
const market = await marketplace({ processor: true, settings: { PROMO_DAILY_CENTS: 500 } })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const decide = (payoutId: string, verdict: 'let_go' | 'keep') =>
  decideHold(market.background, { payoutId, verdict, note: `ann: ${verdict}` })

/** A payout from a free task whose worker and agent share an inbox. */
async function selfDealt() {
  const worker = await payableWorker(market)
  const agent = await market.agent()
  await market.asOwner('update agents set email = $1 where id = $2', [worker.email, agent.id])
  const task = await completedBy(agent, [worker], { budget_cents: 500 })
  await market.settle()
  const [payout] = await payoutsOfTask(market, task.id)
  assert.equal(payout!.hold_reason, 'self_dealing')
  return { id: payout!.id, worker }
}

describe('a held payout', () => {
  test('is paid at once when released, with a note', async () => {
    const { id, worker } = await selfDealt()

    const released = await decide(id, 'let_go')
    await market.settle()

    assert.deepEqual([released.status, released.hold_reason], ['requested', null])
    const payout = await payoutOf(market, id)
    assert.deepEqual([payout.status, payout.note], ['paid', 'ann: let_go'])
    assert.equal(await market.payable(worker.id), 0)
  })

  test('is released even if the daily promotional budget is used up, and counts for it', async () => {
    const [first, second] = [await selfDealt(), await selfDealt()]

    await decide(first.id, 'let_go')
    await decide(second.id, 'let_go')

    assert.equal((await payoutOf(market, second.id)).status, 'requested')
    const [day] = await market.asOwner('select spent_cents from promo_days where day = $1', [
      market.now().toISOString().slice(0, 10),
    ])
    assert(Number(day!.spent_cents) >= 820)
    await market.settle()
  })

  test('waits for the account after its release if there is none', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'completed', { budget_cents: 500 })
    await market.settle()
    const [held] = await payoutsOfTask(market, task.id)

    const released = await decide(held!.id, 'let_go')

    assert.deepEqual([held!.status, released.status], ['held', 'awaiting_account'])
    assert.equal(await market.payable(task.workers[0]!.id), 410)
  })

  test('that is kept is released only by an operator, never by time', async () => {
    const worker = await payableWorker(market)
    const task = await completedBy(await market.agent(), [worker], { budget_cents: 500 })
    await market.settle()
    const [held] = await payoutsOfTask(market, task.id)

    await decide(held!.id, 'keep')
    market.advance(30 * DAY)
    await market.settle()

    const kept = await payoutOf(market, held!.id)
    assert.deepEqual(
      [kept.status, kept.hold_reason, kept.available_at, kept.note],
      ['held', 'review', NEVER, 'ann: keep'],
    )
    await decide(held!.id, 'let_go')
    await market.settle()
    assert.equal((await payoutOf(market, held!.id)).status, 'paid')
  })

  test('409 after its money was sent, 404 for an unknown one', async () => {
    const { id } = await requestedPayout(market)

    await assert.rejects(decide(id, 'keep'), { code: 'payout_not_in_state' })
    await assert.rejects(decide(id, 'let_go'), { code: 'payout_not_in_state' })
    await assert.rejects(decide('po_nothing', 'keep'), { code: 'payout_not_found' })
  })
})
