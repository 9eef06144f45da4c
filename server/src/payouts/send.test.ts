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

const send = (id: string) => sendPayout(market.background, id)
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
  test('[1-payout] transfers what the worker has earned to their account', async () => {
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

  test('two at once, and eight, are one transfer', async () => {
    for (const times of [2, 8]) {
      const { id, task } = await requestedPayout(market)

      await Promise.all(Array.from({ length: times }, () => send(id)))
      await sendUntilSettled(id)

      assert.equal((await payoutOf(market, id)).status, 'paid')
      assert.equal((await transfersOf(market, task.id)).length, 1)
    }
  })

  test('what is paid is not sent again', async () => {
    const { id, task } = await requestedPayout(market)
    await send(id)

    await send(id)
    market.advance(48 * HOUR)
    await send(id)

    assert.equal((await transfersOf(market, task.id)).length, 1)
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
  })

  test('without a processor nothing happens, and one that nobody knows is left alone', async () => {
    const { id } = await requestedPayout(market)
    const { STRIPE_SECRET_KEY: _, ...rest } = market.server.config

    await sendPayout(
      { ...market.background, config: { ...rest, STRIPE_SECRET_KEY: undefined } },
      id,
    )
    await send('po_00000000000000000000000000')

    assert.equal((await payoutOf(market, id)).status, 'requested')
  })
})

describe('an answer that is lost', () => {
  const lost: [what: string, mode: string, more: object][] = [
    ['a 500 of which nothing is kept', 'error_after', { stores: 'answer' }],
    ['a 500 that is repeated whenever the key comes again', 'error_after', { stores: 'error' }],
    ['a time-out', 'hang_after', { ms: 3000 }],
    ['a connection that breaks', 'reset_after', {}],
    ['a time-out before anything happened', 'hang_before', { ms: 3000 }],
    ['a 500 before anything happened', 'error_before', {}],
    ['a connection that breaks before anything happened', 'reset_before', {}],
    ['a gateway’s page', 'html502', {}],
    ['a gateway’s JSON', 'json_without_error', {}],
    ['“not so fast”', 'rate_limit', {}],
    ['“somebody holds it”', 'lock_timeout', {}],
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

  test('is learned from the processor’s own notification, before we ask again', async () => {
    const { id, task } = await requestedPayout(market)
    await fault('hang_after', { ms: 3000 })
    await send(id)
    assert.equal((await payoutOf(market, id)).status, 'submitting')

    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.deepEqual(await attemptsOf(id), [[1, 'ok', null]])
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('for longer than the processor keeps keys: looked up, so that there is exactly one transfer', async () => {
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

  test('for as long, and it had not happened: a new attempt, and exactly one transfer', async () => {
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

  test('a sender that only repeats its key pays twice then, which is what the look-up is for', async () => {
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

  test('and the account is lost meanwhile: what had arrived is found', async () => {
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
  test('for want of money waits, and is sent under a new key when money has arrived', async () => {
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

  test('for good gives the money back; asked again, it is a new payout', async () => {
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

  test('for good, of what had happened before it: found, and nothing is given back', async () => {
    const { id, task } = await requestedPayout(market)
    await control('POST', 'deliveries', { mode: 'hold' })
    await fault('hang_after', { ms: 3000, times: 1 })
    await send(id)
    await fault('error_before', { status: 400, code: 'parameter_unknown', times: 1 })

    await send(id)

    assert.equal((await payoutOf(market, id)).status, 'paid')
    assert.equal((await transfersOf(market, task.id)).length, 1)
  })

  test('of our key is none of the payout: it waits, and is sent when the key is right again', async () => {
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
  test('that can’t be paid any more: nothing is sent, and it is when it can', async () => {
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

  test('that becomes useless between the look and the transfer: the processor’s refusal is heeded', async () => {
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

  test('that was rejected: the payout waits, and nobody is asked in vain', async () => {
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

  test('that was replaced: the payout fails, and its money goes by a new one to the new account', async () => {
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

  test('that was replaced while nobody knows: the money is found where it went', async () => {
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

  test('that was replaced while nobody knows, and nothing had happened: it fails once that is certain', async () => {
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

describe('the switch for payouts', () => {
  test('off: nothing is sent, and what was requested waits; on: it is sent', async () => {
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
  test('sends what was requested and forgotten', async () => {
    const { id } = await requestedPayout(market)

    await market.settle()
    assert.equal((await payoutOf(market, id)).status, 'requested')
    market.advance(MINUTE)
    await market.settle()

    assert.equal((await payoutOf(market, id)).status, 'paid')
  })
})
