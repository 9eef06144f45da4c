import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { contract, DISPUTED_CARD, refusalOf, idOf } from './stand.ts'

await contract('a refund', ({ stripe, test, sandboxTest }) => {
  test('of an unknown charge is refused', async () => {
    const refusal = await refusalOf(
      stripe.refunds.create({ payment_intent: 'pi_3NothingHere000000', amount: 100 }),
    )

    assert.equal(refusal.code, 'resource_missing')
  })

  sandboxTest('can be split, down to the last cent and not beyond', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const payment_intent = idOf(charge.payment_intent)
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    const part = await stripe.refunds.create(
      { payment_intent, amount: 1000, metadata: { refund_id: 'rfd_1' } },
      { idempotencyKey: 'refund_rfd_1_a1' },
    )
    const repeated = await stripe.refunds.create(
      { payment_intent, amount: 1000, metadata: { refund_id: 'rfd_1' } },
      { idempotencyKey: 'refund_rfd_1_a1' },
    )
    const tooMuch = await refusalOf(stripe.refunds.create({ payment_intent, amount: 1501 }))
    const half = await stripe.charges.retrieve(charge.id)
    const rest = await stripe.refunds.create({ payment_intent })
    const nothingLeft = await refusalOf(stripe.refunds.create({ payment_intent }))
    const whole = await stripe.charges.retrieve(charge.id)
    await sandbox.flush()

    assert.equal(part.object, 'refund')
    assert.equal(part.status, 'succeeded')
    assert.equal(part.charge, charge.id)
    assert.equal(part.metadata?.refund_id, 'rfd_1')
    assert.equal(repeated.id, part.id)
    assert.equal(tooMuch.statusCode, 400)
    assert.deepEqual([half.amount_refunded, half.refunded], [1000, false])
    assert.equal(rest.amount, 1500)
    assert.deepEqual([whole.amount_refunded, whole.refunded], [2500, true])
    assert.equal(nothingLeft.code, 'charge_already_refunded')
    // The fee of the charge is not returned.
    const after = await stripe.balance.retrieve()
    assert.equal(before.available[0]!.amount - after.available[0]!.amount, 2500)
    const { data } = await stripe.refunds.list({ payment_intent })
    assert.deepEqual(
      data.map(({ id }) => id),
      [rest.id, part.id],
    )
    const booked = await stripe.balanceTransactions.retrieve(idOf(part.balance_transaction))
    assert.deepEqual([booked.type, booked.amount, booked.fee], ['refund', -1000, 0])
    const types = new Set(sandbox.receiver.typesAt('/account'))
    assert(types.has('refund.created') && types.has('charge.refunded'), [...types].join())
  })

  sandboxTest('of a disputed charge is refused', async (sandbox) => {
    const { payment_intent } = await sandbox.paidCharge(900, DISPUTED_CARD)

    const refusal = await refusalOf(
      stripe.refunds.create({ payment_intent: idOf(payment_intent), amount: 100 }),
    )

    assert.equal(refusal.statusCode, 400)
    assert.equal(refusal.code, 'charge_disputed')
  })

  sandboxTest('returns the money when it fails days later', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const before = await stripe.balance.retrieve()
    const refund = await stripe.refunds.create({
      payment_intent: idOf(charge.payment_intent),
      amount: 700,
    })
    sandbox.receiver.forget()

    await sandbox.advance(5 * 86_400)
    await sandbox.control('POST', `refunds/${refund.id}/fail`)
    const failed = await stripe.refunds.retrieve(refund.id)
    await sandbox.flush()

    assert.equal(refund.status, 'succeeded')
    assert.equal(failed.status, 'failed')
    assert(failed.failure_reason)
    const booked = await stripe.balanceTransactions.retrieve(
      idOf(failed.failure_balance_transaction),
    )
    assert.deepEqual([booked.type, booked.net], ['refund_failure', 700])
    assert.deepEqual(await stripe.balance.retrieve(), before)
    assert.equal((await stripe.charges.retrieve(charge.id)).amount_refunded, 0)
    assert(sandbox.receiver.typesAt('/account').includes('refund.failed'))
  })

  sandboxTest('above the available balance waits for money', async (sandbox) => {
    const charge = await sandbox.paidCharge(3000)
    const account = await sandbox.activeAccount()
    const { available } = await stripe.balance.retrieve()
    await stripe.transfers.create({
      amount: available[0]!.amount,
      currency: 'usd',
      destination: account,
    })

    const refund = await stripe.refunds.create({ payment_intent: idOf(charge.payment_intent) })
    await sandbox.fund(10_000)
    await sandbox.advance(1)
    const funded = await stripe.refunds.retrieve(refund.id)

    assert.equal(refund.status, 'pending')
    assert.equal(refund.pending_reason, 'insufficient_funds')
    assert.equal(funded.status, 'succeeded')
  })

  sandboxTest('never exceeds the charge in eight concurrent requests', async (sandbox) => {
    const { payment_intent, id } = await sandbox.paidCharge(1000)

    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        stripe.refunds.create(
          { payment_intent: idOf(payment_intent), amount: 300 },
          { idempotencyKey: randomUUID() },
        ),
      ),
    )

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.equal((await stripe.charges.retrieve(id)).amount_refunded, 900)
  })
})
