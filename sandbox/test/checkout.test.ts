import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import {
  chargeOf,
  contract,
  createSession,
  DECLINED_CARD,
  GOOD_CARD,
  refusalOf,
  idOf,
} from './stand.ts'

const SHARED_CARD = '5555555555554444'
const EXPIRY = { expiry: '12 / 40', cvc: '123', name: 'Ann Payer' }

await contract('a checkout', ({ stripe, test, sandboxTest }) => {
  test('is open, unpaid, in dollars, with a page, and carries our ids', async () => {
    const session = await createSession(stripe, { amount: 2500, deposit: 'txn_7' })

    assert.equal(session.object, 'checkout.session')
    assert.equal(session.status, 'open')
    assert.equal(session.payment_status, 'unpaid')
    assert.equal(session.amount_total, 2500)
    assert.equal(session.currency, 'usd')
    assert.equal(session.livemode, false)
    assert.equal(session.metadata?.deposit_id, 'txn_7')
    assert.equal(session.client_reference_id, 'txn_7')
    assert.match(session.url ?? '', /^https?:\/\/.*\/c\/pay\//)
    assert.equal(session.lastResponse.statusCode, 200)
    assert.match(session.lastResponse.requestId, /^req_/)
  })

  test('is the same for a repeated request with its idempotency key', async () => {
    const key = randomUUID()

    const first = await createSession(stripe, { key })
    const second = await createSession(stripe, { key })

    assert.equal(second.id, first.id)
    assert.deepEqual(second, first)
    assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true')
    assert.equal(first.lastResponse.headers['idempotent-replayed'], undefined)
  })

  test('is refused under an idempotency key of a different request', async () => {
    const key = randomUUID()
    await createSession(stripe, { key, amount: 2500 })

    const refusal = await refusalOf(createSession(stripe, { key, amount: 2600 }))

    assert(refusal instanceof Stripe.errors.StripeIdempotencyError)
    assert.equal(refusal.statusCode, 400)
  })

  test('can be expired once', async () => {
    const { id } = await createSession(stripe)

    const expired = await stripe.checkout.sessions.expire(id)
    const refusal = await refusalOf(stripe.checkout.sessions.expire(id))

    assert.equal(expired.status, 'expired')
    assert.equal(expired.url, null)
    assert.equal(refusal.statusCode, 400)
    assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'expired')
  })

  test('lasts from 30 minutes to 24 hours', async () => {
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    const lasting = (seconds: number) =>
      createSession(stripe, { params: { expires_at: inSeconds(seconds) } })

    const hour = await lasting(3600)
    const refusals = [await refusalOf(lasting(20 * 60)), await refusalOf(lasting(25 * 3600))]

    assert(Math.abs(hour.expires_at - inSeconds(3600)) < 60)
    assert.deepEqual(
      refusals.map(({ param }) => param),
      ['expires_at', 'expires_at'],
    )
  })

  test('of less than half a dollar is refused', async () => {
    const refusals = [
      await refusalOf(createSession(stripe, { amount: 0 })),
      await refusalOf(createSession(stripe, { amount: 49 })),
      await refusalOf(createSession(stripe, { params: { line_items: [] } })),
    ]

    assert(refusals.every((refusal) => refusal instanceof Stripe.errors.StripeInvalidRequestError))
  })

  sandboxTest('shows its amount, refuses a bad card and accepts a good one', async (sandbox) => {
    const session = await createSession(stripe, { amount: 2500 })

    const page = await fetch(session.url!).then((response) => response.text())
    const declined = await sandbox.submitPage(session.url!, { number: DECLINED_CARD, ...EXPIRY })
    const between = await stripe.checkout.sessions.retrieve(session.id)
    const paid = await sandbox.submitPage(session.url!, { number: GOOD_CARD, ...EXPIRY })

    assert.match(page, /\$25\.00/)
    assert.equal(declined.status, 402)
    assert.match(declined.text, /declined/)
    assert.equal(between.status, 'open')
    assert.equal(paid.status, 303)
    assert.equal(paid.location, `https://legwork.example/wallet?session_id=${session.id}`)
    const after = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(after.status, 'complete')
    assert.equal(after.payment_status, 'paid')
    assert.equal(after.url, null)
  })

  sandboxTest('cannot be paid or expired again after payment', async (sandbox) => {
    const { id, url } = await createSession(stripe)
    await sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD })

    const page = await fetch(url!, { redirect: 'manual' })
    const refusal = await refusalOf(stripe.checkout.sessions.expire(id))
    await assert.rejects(sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD }))

    assert.notEqual(page.status, 500)
    assert.equal(refusal.statusCode, 400)
    const { data } = await stripe.balanceTransactions.list({ type: 'charge', limit: 100 })
    const charge = await chargeOf(stripe, id)
    assert.equal(data.filter(({ source }) => source === charge.id).length, 1)
  })

  sandboxTest('expands to its charge and the fee after payment', async (sandbox) => {
    const { id } = await createSession(stripe, { amount: 2500, deposit: 'txn_8' })
    await sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD })

    const plain = await stripe.checkout.sessions.retrieve(id)
    const charge = await chargeOf(stripe, id)
    const intent = await stripe.paymentIntents.retrieve(idOf(plain.payment_intent), {
      expand: ['latest_charge'],
    })
    const alone = await stripe.charges.retrieve(charge.id, {
      expand: ['payment_intent', 'balance_transaction'],
    })

    const booked = charge.balance_transaction as Stripe.BalanceTransaction
    assert.equal(typeof plain.payment_intent, 'string')
    assert.equal(booked.amount, 2500)
    assert.equal(booked.fee, 103)
    assert.equal(booked.net, 2397)
    assert.equal(booked.type, 'charge')
    assert.equal(booked.source, charge.id)
    assert.equal(charge.status, 'succeeded')
    assert.equal(charge.paid, true)
    assert.equal(intent.metadata.deposit_id, 'txn_8')
    assert.equal((intent.latest_charge as Stripe.Charge).id, charge.id)
    assert.equal((alone.payment_intent as Stripe.PaymentIntent).id, intent.id)
    assert.deepEqual(alone.balance_transaction, booked)
  })

  sandboxTest(
    'has the fingerprint of the card, of which the example is each payer’s own',
    async (sandbox) => {
      const fingerprintOf = async (card: string, customer_email: string) => {
        const { id } = await createSession(stripe, { params: { customer_email } })
        await sandbox.control('POST', `sessions/${id}/pay`, { card })
        return (await chargeOf(stripe, id)).payment_method_details?.card?.fingerprint
      }
      const own = [
        await fingerprintOf(GOOD_CARD, 'ada@example.com'),
        await fingerprintOf(GOOD_CARD, 'ada@example.com'),
        await fingerprintOf(GOOD_CARD, 'ben@example.com'),
      ]
      const shared = [
        await fingerprintOf(SHARED_CARD, 'ada@example.com'),
        await fingerprintOf(SHARED_CARD, 'ben@example.com'),
      ]

      assert.match(own[0]!, /^[\w-]{16}$/)
      assert.equal(own[1], own[0])
      assert.equal(shared[1], shared[0])
      assert.equal(new Set([...own, ...shared]).size, 3)
      assert.equal(await fingerprintOf('bank_debit', 'ada@example.com'), undefined)
    },
  )

  sandboxTest('expires at its time and sends a notification', async (sandbox) => {
    const { id } = await createSession(stripe)
    sandbox.receiver.forget()

    await sandbox.advance(25 * 3600)
    const session = await stripe.checkout.sessions.retrieve(id)
    await sandbox.flush()

    assert.equal(session.status, 'expired')
    assert.equal(session.url, null)
    assert(sandbox.receiver.typesAt('/account').includes('checkout.session.expired'))
    await assert.rejects(sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD }))
  })

  sandboxTest('paid by bank debit is complete but unpaid, then paid', async (sandbox) => {
    const { id } = await createSession(stripe, { amount: 1000 })
    sandbox.receiver.forget()

    await sandbox.control('POST', `sessions/${id}/pay`, { card: 'bank_debit' })
    const between = await stripe.checkout.sessions.retrieve(id)
    await sandbox.control('POST', `sessions/${id}/settle`, { ok: true })
    const after = await stripe.checkout.sessions.retrieve(id)
    await sandbox.flush()

    assert.deepEqual([between.status, between.payment_status], ['complete', 'unpaid'])
    assert.deepEqual([after.status, after.payment_status], ['complete', 'paid'])
    const types = sandbox.receiver.typesAt('/account').filter((type) => type.startsWith('checkout'))
    assert.deepEqual(types.toSorted(), [
      'checkout.session.async_payment_succeeded',
      'checkout.session.completed',
    ])
    const charge = await chargeOf(stripe, id)
    assert.equal((charge.balance_transaction as Stripe.BalanceTransaction).type, 'payment')
  })

  sandboxTest('paid by a failing bank debit brings no money', async (sandbox) => {
    const { id } = await createSession(stripe, { amount: 1000 })
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    await sandbox.control('POST', `sessions/${id}/pay`, { card: 'bank_debit' })
    await sandbox.control('POST', `sessions/${id}/settle`, { ok: false })
    const session = await stripe.checkout.sessions.retrieve(id)
    const charge = await chargeOf(stripe, id)
    await sandbox.flush()

    assert.equal(session.payment_status, 'unpaid')
    assert.equal(charge.status, 'failed')
    assert.deepEqual(await stripe.balance.retrieve(), before)
    assert(sandbox.receiver.typesAt('/account').includes('checkout.session.async_payment_failed'))
  })

  sandboxTest(
    'may succeed before its fee is known, which `charge.updated` adds',
    async (sandbox) => {
      await sandbox.control('POST', 'settings', { asynchronous_capture: true })
      const { id } = await createSession(stripe, { amount: 2500 })
      sandbox.receiver.forget()

      await sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD })
      const before = await chargeOf(stripe, id)
      await sandbox.control('POST', 'settings', { asynchronous_capture: false })
      await sandbox.advance(3600)
      const after = await chargeOf(stripe, id)
      await sandbox.flush()

      assert.equal(before.status, 'succeeded')
      assert.equal(before.balance_transaction, null)
      assert.equal((after.balance_transaction as Stripe.BalanceTransaction).fee, 103)
      assert(sandbox.receiver.typesAt('/account').includes('charge.updated'))
    },
  )

  sandboxTest('behaves as documented for every test card', async (sandbox) => {
    const paying = async (card: string) => {
      const { id } = await createSession(stripe)
      await sandbox.control('POST', `sessions/${id}/pay`, { card }).catch(() => undefined)
      const { payment_status } = await stripe.checkout.sessions.retrieve(id)
      const { status, failure_code, disputed } = await chargeOf(stripe, id)
      return [payment_status, status, failure_code, disputed]
    }

    const outcomes = {
      good: await paying(GOOD_CARD),
      declined: await paying(DECLINED_CARD),
      poor: await paying('4000000000009995'),
      expired: await paying('4000000000000069'),
      disputed: await paying('4000000000000259'),
    }

    assert.deepEqual(outcomes, {
      good: ['paid', 'succeeded', null, false],
      declined: ['unpaid', 'failed', 'card_declined', false],
      poor: ['unpaid', 'failed', 'card_declined', false],
      expired: ['unpaid', 'failed', 'expired_card', false],
      disputed: ['paid', 'succeeded', null, true],
    })
  })
})
