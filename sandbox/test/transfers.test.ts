import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { contract, createTransfer, refusalOf, idOf } from './stand.ts'

/** The server's settings, with a shorter timeout to keep tests fast. */
const PATIENT = { maxNetworkRetries: 2, timeout: 400 }
const TRANSFERS = 'POST /v1/transfers'

await contract('a transfer', ({ stripe, client, test, sandboxTest }) => {
  test('to an unknown account is refused', async () => {
    const refusal = await refusalOf(createTransfer(stripe, 'acct_1NothingHere0000'))

    assert(refusal instanceof Stripe.errors.StripeInvalidRequestError)
    assert.equal(refusal.code, 'resource_missing')
    assert.equal(refusal.param, 'destination')
  })

  sandboxTest('changes both balances by its amount, and sends notifications', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    const transfer = await createTransfer(stripe, account, { amount: 410, group: 'task_5' })
    const after = await stripe.balance.retrieve()
    const theirs = await stripe.balance.retrieve({}, { stripeAccount: account })
    await sandbox.flush()

    assert.equal(transfer.object, 'transfer')
    assert.equal(transfer.amount, 410)
    assert.equal(transfer.destination, account)
    assert.equal(transfer.transfer_group, 'task_5')
    assert.equal(transfer.metadata.payout_id, 'po_1')
    assert.equal(transfer.reversed, false)
    assert.deepEqual(transfer.reversals.data, [])
    assert.equal(before.available[0]!.amount - after.available[0]!.amount, 410)
    assert.equal(theirs.available[0]!.amount, 410)
    assert(sandbox.receiver.typesAt('/account').includes('transfer.created'))
    const booked = await stripe.balanceTransactions.retrieve(idOf(transfer.balance_transaction))
    assert.deepEqual(
      [booked.type, booked.amount, booked.fee, booked.net, booked.source],
      ['transfer', -410, 0, -410, transfer.id],
    )
  })

  for (const [name, fault] of [
    ['a 500 error', { mode: 'error_after', stores: 'answer' }],
    ['a timeout', { mode: 'hang_after' }],
    ['a broken connection', { mode: 'reset_after' }],
    ['the HTML page of a proxy', { mode: 'html502' }],
  ] as const)
    sandboxTest(`is made once if the response after it is ${name}`, async (sandbox) => {
      await sandbox.fund(10_000)
      const account = await sandbox.activeAccount()
      const group = `task_${randomUUID()}`
      await sandbox.fault({ match: TRANSFERS, times: 1, ...fault })

      const transfer = await createTransfer(client(PATIENT), account, { group })

      const { data } = await stripe.transfers.list({ transfer_group: group })
      assert.deepEqual(
        data.map(({ id }) => id),
        [transfer.id],
      )
    })

  sandboxTest('with a lost response is found by its transfer_group', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const group = `task_${randomUUID()}`
    const key = randomUUID()
    await sandbox.fault({ match: TRANSFERS, mode: 'reset_after', times: 2 })

    const lost = await refusalOf(createTransfer(stripe, account, { group, key }))
    const { data } = await stripe.transfers.list({ transfer_group: group })
    const repeated = await createTransfer(stripe, account, { group, key })

    assert(lost instanceof Stripe.errors.StripeConnectionError)
    assert.equal(data.length, 1)
    assert.equal(data[0]!.metadata.payout_id, 'po_1')
    assert.equal(repeated.id, data[0]!.id)
  })

  sandboxTest('with a stored failure fails forever under its idempotency key', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const [group, key] = [`task_${randomUUID()}`, randomUUID()]
    await sandbox.fault({ match: TRANSFERS, mode: 'error_after', stores: 'error', times: 1 })

    const failures = []
    for (let count = 0; count < 3; count++)
      failures.push(await refusalOf(createTransfer(stripe, account, { group, key })))

    assert.deepEqual(
      failures.map(({ statusCode }) => statusCode),
      [500, 500, 500],
    )
    assert.equal(await sandbox.countTransfers(group), 1)
  })

  sandboxTest(
    'above the balance is refused, and stays refused under its idempotency key',
    async (sandbox) => {
      const account = await sandbox.activeAccount()
      const { available } = await stripe.balance.retrieve()
      const amount = available[0]!.amount + 1
      const key = randomUUID()

      const first = await refusalOf(createTransfer(stripe, account, { amount, key }))
      await sandbox.fund(10_000)
      const again = await refusalOf(createTransfer(stripe, account, { amount, key }))
      const next = await createTransfer(stripe, account, { amount, key: `${key}_a2` })

      assert(first instanceof Stripe.errors.StripeInvalidRequestError)
      assert.equal(first.code, 'balance_insufficient')
      assert.equal(again.code, 'balance_insufficient')
      assert.equal(next.amount, amount)
    },
  )

  sandboxTest('cannot be paid from pending money', async (sandbox) => {
    const account = await sandbox.activeAccount()
    await sandbox.control('POST', 'settings', { available_delay_seconds: 86_400 })
    const { available } = await stripe.balance.retrieve()
    const charge = await sandbox.paidCharge(5000)
    await sandbox.control('POST', 'settings', { available_delay_seconds: 0 })
    const amount = available[0]!.amount + 100
    sandbox.receiver.forget()

    const early = await refusalOf(createTransfer(stripe, account, { amount }))
    const tied = await stripe.transfers.create({
      amount: 100,
      currency: 'usd',
      destination: account,
      source_transaction: charge.id,
    })
    await sandbox.advance(86_401)
    await createTransfer(stripe, account, { amount })
    await sandbox.flush()

    assert.equal(early.code, 'balance_insufficient')
    assert.equal(tied.source_transaction, charge.id)
    assert(sandbox.receiver.typesAt('/account').includes('balance.available'))
  })

  sandboxTest('is made once for eight concurrent requests under one key', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const [group, key] = [`task_${randomUUID()}`, randomUUID()]

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        createTransfer(client({ maxNetworkRetries: 2 }), account, { group, key }),
      ),
    )

    assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1)
    assert.equal(await sandbox.countTransfers(group), 1)
  })

  sandboxTest(
    'responds 409 while the first request is running, then with the same transfer',
    async (sandbox) => {
      await sandbox.fund(10_000)
      const account = await sandbox.activeAccount()
      const [group, key] = [`task_${randomUUID()}`, randomUUID()]
      await sandbox.fault({ match: TRANSFERS, mode: 'slow', ms: 600, times: 1 })

      const first = createTransfer(stripe, account, { group, key })
      await new Promise((resolve) => setTimeout(resolve, 150))
      const second = await refusalOf(createTransfer(stripe, account, { group, key }))
      const made = await first
      const third = await createTransfer(stripe, account, { group, key })

      assert(second instanceof Stripe.errors.StripeAPIError)
      assert.equal(second.statusCode, 409)
      assert.equal(second.code, 'idempotency_key_in_use')
      assert.equal(third.id, made.id)
      assert.equal(await sandbox.countTransfers(group), 1)
    },
  )

  sandboxTest('is made again under a key older than a day', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const [group, key] = [`task_${randomUUID()}`, randomUUID()]
    const first = await createTransfer(stripe, account, { group, key })

    await sandbox.advance(23 * 3600)
    const sameDay = await createTransfer(stripe, account, { group, key })
    await sandbox.advance(2 * 3600)
    const nextDay = await createTransfer(stripe, account, { group, key })

    assert.equal(sameDay.id, first.id)
    assert.notEqual(nextDay.id, first.id)
    assert.equal(await sandbox.countTransfers(group), 2)
  })

  sandboxTest('is reversed in parts, never above the remainder', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const transfer = await createTransfer(stripe, account, { amount: 500 })
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    const part = await stripe.transfers.createReversal(transfer.id, {
      amount: 200,
      metadata: { payout_id: 'po_1' },
    })
    const tooMuch = await refusalOf(stripe.transfers.createReversal(transfer.id, { amount: 301 }))
    const half = await stripe.transfers.retrieve(transfer.id)
    const rest = await stripe.transfers.createReversal(transfer.id)
    const nothingLeft = await refusalOf(stripe.transfers.createReversal(transfer.id))
    const whole = await stripe.transfers.retrieve(transfer.id)
    await sandbox.flush()

    assert.equal(part.object, 'transfer_reversal')
    assert.equal(part.transfer, transfer.id)
    assert.deepEqual([half.amount_reversed, half.reversed], [200, false])
    assert.equal(rest.amount, 300)
    assert.deepEqual([whole.amount_reversed, whole.reversed], [500, true])
    assert.deepEqual(new Set(whole.reversals.data.map(({ id }) => id)), new Set([part.id, rest.id]))
    assert.deepEqual([tooMuch.statusCode, nothingLeft.statusCode], [400, 400])
    const listed = await stripe.transfers.listReversals(transfer.id)
    assert.equal(listed.data.length, 2)
    const after = await stripe.balance.retrieve()
    assert.equal(after.available[0]!.amount - before.available[0]!.amount, 500)
    const booked = await stripe.balanceTransactions.retrieve(idOf(part.balance_transaction))
    assert.deepEqual([booked.type, booked.net, booked.source], ['transfer_refund', 200, part.id])
    assert(sandbox.receiver.typesAt('/account').includes('transfer.reversed'))
  })

  sandboxTest('cannot be reversed after the worker’s bank has the money', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const transfer = await createTransfer(stripe, account, { amount: 500 })
    await stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount: account })

    const refusal = await refusalOf(stripe.transfers.createReversal(transfer.id, { amount: 200 }))
    const left = await stripe.transfers.createReversal(transfer.id, { amount: 100 })

    assert.equal(refusal.code, 'balance_insufficient')
    assert.equal(left.amount, 100)
  })

  sandboxTest('is found by transfer_group and by destination only', async (sandbox) => {
    await sandbox.fund(10_000)
    const [one, other] = [await sandbox.activeAccount(), await sandbox.activeAccount()]
    const [mine, yours] = [`task_${randomUUID()}`, `task_${randomUUID()}`]
    const a = await createTransfer(stripe, one, { group: mine })
    const b = await createTransfer(stripe, other, { group: mine })
    const c = await createTransfer(stripe, one, { group: yours })

    const found = async (params: Stripe.TransferListParams) =>
      (await stripe.transfers.list(params)).data.map(({ id }) => id)

    assert.deepEqual(await found({ transfer_group: mine }), [b.id, a.id])
    assert.deepEqual(await found({ destination: one }), [c.id, a.id])
    assert.deepEqual(await found({ destination: one, transfer_group: mine }), [a.id])
    assert.deepEqual(await found({ transfer_group: 'task_nobody' }), [])
  })

  sandboxTest('appears once in lists of 250, in both directions', async (sandbox) => {
    await sandbox.fund(100_000)
    const account = await sandbox.activeAccount()
    const group = `task_${randomUUID()}`
    const made: string[] = []
    for (let count = 0; count < 250; count++)
      made.push((await createTransfer(stripe, account, { amount: 1 + count, group })).id)

    const forward = await stripe.transfers
      .list({ transfer_group: group, limit: 100 })
      .autoPagingToArray({ limit: 1000 })
    const backward = await stripe.transfers
      .list({ transfer_group: group, limit: 40, ending_before: made[0]! })
      .autoPagingToArray({ limit: 1000 })
    const byDefault = await stripe.transfers.list({ transfer_group: group })

    assert.deepEqual(
      forward.map(({ id }) => id),
      made.toReversed(),
    )
    assert.deepEqual(
      backward.map(({ id }) => id),
      made.slice(1),
    )
    assert.equal(byDefault.data.length, 10)
    assert.equal(byDefault.has_more, true)
  })
})
