import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'
import {
  inTransit,
  payoutOf,
  requestedPayout,
  switchPayouts,
  transfersOf,
} from '../../test/payouts.ts'
import { processorOf } from '../processor/client.ts'
import { sendPayout } from './send.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const market = await marketplace({
  processor: true,
  // These tests fail requests on purpose.
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

const send = (id: string) => sendPayout(market.backgroundAt(id), id)
const attemptsOf = async (id: string) => {
  const rows = await market.db.reader
    .selectFrom('processor_attempts')
    .select(['attempt', 'outcome', 'code'])
    .where('subject_id', '=', id)
    .orderBy('attempt')
    .execute()
  return rows.map(({ attempt, outcome, code }) => [attempt, outcome, code])
}
const fault = (mode: string, more: object = {}) =>
  control('POST', 'faults', [{ match: 'POST /v1/transfers', mode, times: 5, ...more }])

/** Sweeps and runs jobs until the payout needs no further check, without notifications from the processor. */
async function sendUntilSettled(id: string): Promise<void> {
  for (let i = 0; i < 30 && (await payoutOf(market, id)).check_at !== null; i += 1) {
    market.advance(6 * MINUTE)
    await market.sweep()
    await market.work()
  }
}

afterEachHere(async () => {
  await control('DELETE', 'faults')
  await control('POST', 'deliveries', { mode: 'normal' })
  await market.settle()
})

describe('sending a payout', () => {
  test('[1-payout] transfers the earnings to the worker’s account', async () => {
    const { id, task, worker, accountId } = await requestedPayout(market)
    assert.equal(await inTransit(market, id), 820)

    await send(id)

    const paid = await payoutOf(market, id)
    assert.deepEqual([paid.status, paid.paid_at, paid.check_at], ['paid', market.now(), null])
    assert.deepEqual(
      (await transfersOf(market, task.id)).map((sent) => [sent.id, sent.amount, sent.destination]),
      [[paid.transfer_id, 820, accountId]],
    )
    assert.equal(await market.payable(worker.id), 0)
    assert.equal(await inTransit(market, id), 0)
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
    const { body } = await worker.get('/worker/earnings')
    assert.deepEqual(
      [body.held_cents, body.available_cents, body.in_transit_cents, body.paid_out_cents],
      [0, 0, 0, 820],
    )
  })

  test('concurrently, two or eight times, makes one transfer', async () => {
    for (const times of [2, 8]) {
      const { id, task } = await requestedPayout(market)

      await Promise.all(Array.from({ length: times }, () => send(id)))
      await sendUntilSettled(id)

      assert.equal((await payoutOf(market, id)).status, 'paid')
      assert.equal((await transfersOf(market, task.id)).length, 1)
    }
  })

  test('does not send a paid payout again', async () => {
    const { id, task } = await requestedPayout(market)
    await send(id)

    await send(id)
    market.advance(48 * HOUR)
    await send(id)

    assert.equal((await transfersOf(market, task.id)).length, 1)
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
  })

  test('does nothing without a processor, and for an unknown payout', async () => {
    const { id } = await requestedPayout(market)
    const { STRIPE_SECRET_KEY: _, ...rest } = market.server.config

    await sendPayout(
      { ...market.backgroundAt(id), config: { ...rest, STRIPE_SECRET_KEY: undefined } },
      id,
    )
    await send('po_00000000000000000000000000')

    assert.equal((await payoutOf(market, id)).status, 'requested')
  })
})

describe('a lost response', () => {
  const lost: [what: string, mode: string, more: object][] = [
    ['a 500 that is not stored', 'error_after', { stores: 'answer' }],
    ['a 500 that is replayed under its key', 'error_after', { stores: 'error' }],
    ['a timeout', 'hang_after', { ms: 3000 }],
    ['a broken connection', 'reset_after', {}],
    ['a timeout before any effect', 'hang_before', { ms: 3000 }],
    ['a 500 before any effect', 'error_before', {}],
    ['a broken connection before any effect', 'reset_before', {}],
    ['the page of a gateway', 'html502', {}],
    ['the JSON of a gateway', 'json_without_error', {}],
    ['a rate limit', 'rate_limit', {}],
    ['a lock timeout', 'lock_timeout', {}],
  ]
  for (const [what, mode, more] of lost)
    test(`by ${what}: one transfer, and paid in the end`, async () => {
      const { id, task, worker } = await requestedPayout(market)
      await control('POST', 'deliveries', { mode: 'hold' })
      await fault(mode, more)

      await send(id)

      const before = await payoutOf(market, id)
      assert.deepEqual([before.status, before.transfer_id], ['submitting', null])
      assert(before.check_at! > market.now())
      // The outcome is unknown, so no money is given back.
      assert.equal(await inTransit(market, id), 820)
      assert.equal(await market.payable(worker.id), 0)

      await control('DELETE', 'faults')
      await sendUntilSettled(id)

      assert.equal((await payoutOf(market, id)).status, 'paid')
      assert.equal((await transfersOf(market, task.id)).length, 1)
      assert.equal(await inTransit(market, id), 0)
    })

  test('is resolved by the processor’s notification, before we ask again', async () => {
    const { id, task } = await requestedPayout(market)
    await fault('hang_after', { ms: 3000 })
    await send(id)
    assert.equal((await payoutOf(market, id)).status, 'submitting')

    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('for longer than the processor keeps keys: looked up, and there is exactly one transfer', async () => {
    const { id, task } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000 })
    await send(id)
    await control('DELETE', 'faults')
    market.advance(25 * HOUR)

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
  })

  test('for as long, without an effect: a new attempt, and exactly one transfer', async () => {
    const { id, task } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_before', { ms: 3000 })
    await send(id)
    await control('DELETE', 'faults')
    market.advance(25 * HOUR)

    await send(id)
    await market.work()

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
    assert.deepEqual(await attemptsOf(id), [
      [1, 'not_found', null],
      [2, 'ok', null],
    ])
  })

  test('control: a sender that only repeats its key pays twice', async () => {
    const { task, worker, accountId } = await requestedPayout(market)
    const naive = () =>
      processorOf(market.server.config)!.createTransfer({
        payoutId: 'po_naive',
        taskId: task.id,
        workerId: worker.id,
        accountId,
        amountCents: 820,
        key: `naive_${task.id}`,
      })
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000 })
    assert.equal((await naive()).kind, 'ambiguous')
    await control('DELETE', 'faults')
    market.advance(25 * HOUR)

    assert.equal((await naive()).kind, 'ok')

    assert.equal((await transfersOf(market, task.id)).length, 2)
  })

  test('with the account lost meanwhile: the completed transfer is found', async () => {
    const { id, task, accountId } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000 })
    await send(id)
    await control('POST', `accounts/${accountId}/capability`, { status: 'restricted' })
    await control('DELETE', 'faults')

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })
})

describe('a refusal', () => {
  test('for insufficient funds waits, and is sent under a new key when money has arrived', async () => {
    const { id, task } = await requestedPayout(market, { budgetCents: 1_000_000 })
    const { id: second } = await requestedPayout(market, { budgetCents: 1_000_000 })

    await send(id)
    await send(second)

    const [first, waiting] = [await payoutOf(market, id), await payoutOf(market, second)]
    assert.deepEqual([first.status, waiting.status], ['paid', 'awaiting_funds'])
    assert.deepEqual(await attemptsOf(second), [[1, 'refused', 'balance_insufficient']])
    assert.equal(await inTransit(market, second), 820_000)

    await control('POST', 'topups', { amount: 2_000_000 })
    market.advance(HOUR)
    await market.sweep()
    await market.work()

    assert.equal((await payoutOf(market, second)).status, 'paid')
    assert.deepEqual(await attemptsOf(second), [
      [1, 'refused', 'balance_insufficient'],
      [2, 'ok', null],
    ])
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('that is final returns the money; a new request is a new payout', async () => {
    const { id, agent, task, worker } = await requestedPayout(market)
    await fault('error_before', { status: 400, code: 'amount_too_small', times: 1 })

    await send(id)

    const failed = await payoutOf(market, id)
    assert.deepEqual(
      [failed.status, failed.failure_code, failed.check_at],
      ['failed', 'amount_too_small', new Date(market.now().getTime() + 86_400_000)],
    )
    assert.equal(await inTransit(market, id), 0)
    assert.equal(await market.payable(worker.id), 820)

    const { body } = await agent.post(`/tasks/${task.id}/payout`)
    await market.settle()

    assert.notEqual(body.payouts[0].id, id)
    assert.equal(body.payouts[0].status, 'pending')
    const again = await payoutOf(market, body.payouts[0].id)
    assert.deepEqual([again.status, again.previous_id], ['paid', id])
    assert.equal(await market.payable(worker.id), 0)
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('that is final, after a completed transfer: it is found, and nothing is returned', async () => {
    const { id, task } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000, times: 1 })
    await send(id)
    await fault('error_before', { status: 400, code: 'parameter_unknown', times: 1 })

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('of our API key does not fail the payout: it is sent when the key is right again', async () => {
    const { id } = await requestedPayout(market)
    await fault('error_before', { status: 401, code: 'api_key_expired', times: 1 })

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'submitting')
    assert.equal(await inTransit(market, id), 820)
    await sendUntilSettled(id)
    assert.equal((await payoutOf(market, id)).status, 'paid')
  })
})

describe('an account', () => {
  test('that can no longer be paid: nothing is sent until it can', async () => {
    const { id, task, worker, accountId } = await requestedPayout(market)
    await control('POST', `accounts/${accountId}/capability`, { status: 'restricted' })

    await send(id)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'awaiting_account')
    assert.equal((await transfersOf(market, task.id)).length, 0)
    assert.equal(await inTransit(market, id), 820)
    assert.equal((await worker.get('/worker/stripe/status')).body.status, 'restricted')

    await control('POST', `accounts/${accountId}/capability`, { status: 'active' })
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('that is disabled between check and transfer: the processor’s refusal is respected', async () => {
    const { id, accountId } = await requestedPayout(market)
    const code = 'insufficient_capabilities_for_transfer'
    await fault('error_before', { status: 400, code, times: 1 })

    await send(id)
    const refused = await payoutOf(market, id)
    await market.settle()

    assert.deepEqual([refused.status, refused.failure_code], ['awaiting_account', code])
    // The account was fine all along, and the refresh that followed shows it.
    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await payoutOf(market, id)).account_id, accountId)
  })

  test('that was rejected: the payout waits, and the processor is not called', async () => {
    const { id, task, worker, accountId } = await requestedPayout(market)
    await control('POST', `accounts/${accountId}/capability`, { status: 'rejected' })
    await send(id)
    await market.settle()

    market.advance(25 * HOUR)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'awaiting_account')
    assert.equal((await worker.get('/worker/stripe/status')).body.status, 'rejected')
    assert.equal((await transfersOf(market, task.id)).length, 0)
    assert.equal((await attemptsOf(id)).length, 1)
  })

  test('that was replaced: the payout fails, and a new one pays the new account', async () => {
    const { id, agent, task, worker } = await requestedPayout(market)
    const other = await market.onboard(await market.worker())
    await market.asOwner('delete from payout_accounts where account_id = $1', [other])
    await market.asOwner('update payout_accounts set account_id = $1 where worker_id = $2', [
      other,
      worker.id,
    ])

    await send(id)

    const failed = await payoutOf(market, id)
    assert.deepEqual([failed.status, failed.failure_code], ['failed', 'account_changed'])
    assert.equal(await market.payable(worker.id), 820)

    await agent.post(`/tasks/${task.id}/payout`)
    await market.settle()

    const [transfer, ...more] = await transfersOf(market, task.id)
    assert.deepEqual([transfer!.destination, more], [other, []])
  })

  test('that was replaced while the result is unknown: the money is found at the old account', async () => {
    const { id, task, worker, accountId } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000 })
    await send(id)
    await control('DELETE', 'faults')
    await market.asOwner(
      `update payout_accounts set account_id = 'acct_new' || $1 where worker_id = $1`,
      [worker.id],
    )

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.deepEqual(
      (await transfersOf(market, task.id)).map(({ destination }) => destination),
      [accountId],
    )
  })

  test('that was replaced while the result is unknown, without an effect: it fails once certain', async () => {
    const { id, task, worker } = await requestedPayout(market)
    await fault('hang_before', { ms: 3000 })
    await send(id)
    await control('DELETE', 'faults')
    await market.asOwner(
      `update payout_accounts set account_id = 'acct_new' || $1 where worker_id = $1`,
      [worker.id],
    )

    await send(id)
    // A request sent a minute ago may still be in flight.
    assert.equal((await payoutOf(market, id)).status, 'submitting')
    market.advance(6 * MINUTE)
    await send(id)

    assert.equal((await payoutOf(market, id)).failure_code, 'account_changed')
    assert.equal(await market.payable(worker.id), 820)
    assert.equal((await transfersOf(market, task.id)).length, 0)
  })
})

describe('the payout switch', () => {
  test('off: nothing is sent, and requested payouts wait; on: they are sent', async () => {
    const { id, task } = await requestedPayout(market)
    await switchPayouts(market, false)

    await send(id)
    market.advance(HOUR)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'requested')
    assert.equal((await transfersOf(market, task.id)).length, 0)

    await switchPayouts(market, true)
    market.advance(HOUR)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
  })
})

describe('the timer', () => {
  test('sends requested payouts whose job was lost', async () => {
    const { id } = await requestedPayout(market)

    await market.settle()
    assert.equal((await payoutOf(market, id)).status, 'requested')
    market.advance(MINUTE)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
  })
})
