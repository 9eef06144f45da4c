import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'
import {
  breaksOf,
  HOUR,
  MINUTE,
  movements,
  openBooks,
  posted,
  reconcileAfter,
} from '../../test/money.ts'
import { requestWithdrawal, sendWithdrawal } from './withdraw.ts'

const market = await openBooks()
const agent = await market.agent({ freeTasks: false })
await market.sandbox.control('POST', 'topups', { amount: 100_000 })
await market.deposit(agent, 50_000)
await reconcileAfter(market, MINUTE)

// These tests are about the books, not about who must agree.
await market.asOwner(
  `update two_person_limits set over_cents = null where kind = 'withdrawal.request'`,
)

const { global } = market.server.db.shards
const request = (amountCents: number) =>
  global.transaction((tx) =>
    requestWithdrawal({ db: global, tx }, { amountCents, operator: 'ada', now: market.now() }),
  )

async function rowOf(id: string) {
  const [row] = await market.asOwner('select * from withdrawals where id = $1', [id])
  return row!
}

/** The payouts to our bank for a withdrawal. */
async function payoutsOf(id: string): Promise<Json[]> {
  const { data } = await market.sandbox.control('GET', 'objects/payout')
  return (data as Json[]).filter(({ metadata }) => metadata.withdrawal_id === id)
}

const fault = (mode: string, more: object = {}) =>
  market.sandbox.control('POST', 'faults', { match: 'POST /v1/payouts', mode, ...more })

afterEachHere(async () => {
  await market.sandbox.control('DELETE', 'faults')
  await market.settle()
  const { unexplained } = await reconcileAfter(market, MINUTE)
  assert.deepEqual(unexplained, [0, 0, 0])
})

describe('a withdrawal', () => {
  test('takes out our own money once, and is posted when the processor lists it', async () => {
    const id = await request(2000)
    await market.settle()
    const sent = await rowOf(id)

    const before = await reconcileAfter(market, MINUTE)

    const [line] = await movements(market)
    assert.deepEqual([sent.status, sent.requested_by, sent.check_at], ['sent', 'ada', null])
    assert.equal((await payoutsOf(id)).length, 1)
    assert.deepEqual(await posted(market, `bt:${line!.id}`), [
      'operator_withdrawal: eq:operator_withdrawals > asset:processor_balance 2000',
    ])
    assert.equal(before.ledger_cents, before.processor_cents)
  })

  test('of more than our own money is refused with a message, and nothing is sent', async () => {
    const { own_funds_cents, ledger_cents } = await reconcileAfter(market, MINUTE)

    await assert.rejects(
      request(own_funds_cents + 1),
      /more than the .* of our own funds.*belongs to agents and workers/,
    )

    assert(ledger_cents > own_funds_cents + 1)
    assert.equal(
      (await market.asOwner(`select from withdrawals where status = 'requested'`)).length,
      0,
    )
  })

  test('of all that is ours is possible, but not twice, even concurrently', async () => {
    const { own_funds_cents } = await reconcileAfter(market, MINUTE)
    const half = Math.floor(own_funds_cents / 2) + 1

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => request(half)))
    const again = await request(half).then(
      () => 'taken',
      () => 'refused',
    )
    await market.settle()
    const sent = await request(half).then(
      () => 'taken',
      () => 'refused',
    )

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.deepEqual([again, sent], ['refused', 'refused'])
  })

  test('is refused while withdrawals are switched off, with the reason', async () => {
    await market.asOwner(
      `update platform_switches set is_on = false, reason = 'stocktaking', set_by = 'ada' where name = 'withdrawals'`,
    )

    await assert.rejects(request(1), /turned off: stocktaking/)

    await market.asOwner(
      `update platform_switches set is_on = true, set_by = 'reconciliation' where name = 'withdrawals'`,
    )
  })

  for (const amount of [0, -5, 1.5, Number.NaN])
    test(`of ${amount} cents is refused`, async () => {
      await assert.rejects(request(amount), /whole number of cents/)
    })

  test('that two jobs send concurrently is sent once', async () => {
    const id = await request(700)
    await market.events()

    await Promise.all(Array.from({ length: 4 }, () => sendWithdrawal(market.background, id)))

    assert.equal((await payoutsOf(id)).length, 1)
    assert.equal((await rowOf(id)).status, 'sent')
  })

  for (const mode of ['error_after', 'reset_after', 'hang_after', 'error_before', 'html502'])
    test(`with a lost response (${mode}) is sent once, and resolved later`, async () => {
      const id = await request(300)
      await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
      await fault(mode, { times: 2, ms: 3000 })

      await market.work()
      const { status } = await rowOf(id)
      for (let i = 0; i < 8; i += 1) {
        market.advance(2 * MINUTE)
        await market.sweep()
        await market.work()
      }
      await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })

      assert.equal(status, 'requested')
      assert.equal((await rowOf(id)).status, 'sent')
      assert.equal((await payoutsOf(id)).length, 1)
    })

  test('with a lost response is resolved by its notification', async () => {
    const id = await request(305)
    await fault('reset_after', { times: 2 })

    await market.settle()

    const [attempt] = await market.asOwner(
      'select outcome from processor_attempts where subject_id = $1',
      [id],
    )
    assert.equal((await rowOf(id)).status, 'sent')
    assert.equal((await payoutsOf(id)).length, 1)
    assert.equal(attempt!.outcome, 'ok')
  })

  test('with a response lost for longer than keys are kept is looked up, and not sent again', async () => {
    const id = await request(310)
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await fault('reset_after', { times: 1 })
    await market.work()
    market.advance(25 * HOUR)

    await market.sweep()
    await market.work()
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })

    assert.equal((await payoutsOf(id)).length, 1)
    assert.equal((await rowOf(id)).status, 'sent')
  })

  test('that never reached the processor is sent once that is certain', async () => {
    const id = await request(320)
    await fault('reset_before', { times: 1 })
    await market.work()
    market.advance(25 * HOUR)

    for (let i = 0; i < 3; i += 1) {
      await market.sweep()
      await market.work()
      market.advance(2 * MINUTE)
    }

    assert.equal((await payoutsOf(id)).length, 1)
    assert.equal((await rowOf(id)).status, 'sent')
  })

  test('that the processor refuses fails, and our balance is unchanged', async () => {
    const { own_funds_cents } = await reconcileAfter(market, MINUTE)
    const id = await request(330)
    await fault('error_before', { status: 400, code: 'balance_insufficient' })

    await market.settle()

    const { status, failure_message, check_at } = await rowOf(id)
    assert.equal(status, 'failed')
    assert.notEqual(failure_message, null)
    assert.equal(check_at, null)
    assert.equal((await reconcileAfter(market, MINUTE)).own_funds_cents, own_funds_cents)
  })

  test('that the bank returns fails, and the money is ours again', async () => {
    const { own_funds_cents } = await reconcileAfter(market, MINUTE)
    const id = await request(340)
    await market.settle()
    const [payout] = await payoutsOf(id)
    await market.sandbox.control('POST', `payouts/${payout!.id}`, {
      status: 'failed',
      code: 'account_closed',
    })
    await market.settle()

    const run = await reconcileAfter(market, MINUTE)

    const { status, failure_message } = await rowOf(id)
    assert.deepEqual([status, failure_message], ['failed', 'account_closed'])
    assert.equal(run.own_funds_cents, own_funds_cents)
    assert.deepEqual(await breaksOf(market), [])
  })
})
