import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import Stripe from 'stripe'
import { startSandbox } from './server.ts'

type Json = Record<string, any>

/** A private sandbox with a frozen clock, and the processor's package as its client. */
async function begin() {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const server = await startSandbox({ now: () => new Date(now) })
  after(() => server.stop())
  const { hostname, port } = new URL(server.url)
  const stripe = new Stripe('sk_test_control', {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  })
  const ask = (method: string, path: string, body?: unknown, token = server.token) =>
    fetch(`${server.url}/_sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await ask(method, path, body)
    const answer = (await response.json()) as Json
    assert(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const checkout = () =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: 'Deposit' } },
        },
      ],
      success_url: 'http://127.0.0.1/ok',
      expires_at: Math.floor(now / 1000) + 1800,
    })
  const pay = async (card = '4242424242424242'): Promise<Stripe.Charge> => {
    const { id } = await checkout()
    await control('POST', `sessions/${id}/pay`, { card })
    const { payment_intent } = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    })
    return (payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge
  }
  return {
    server,
    stripe,
    ask,
    control,
    checkout,
    pay,
    step: (seconds: number) => {
      now += seconds * 1000
    },
    types: async () => {
      const { data } = await control('GET', 'events?limit=1000')
      return (data as Json[]).map(({ type }) => type as string).toReversed()
    },
    available: async () => (await stripe.balance.retrieve()).available[0]!.amount,
  }
}

test('401: the control API requires its token', async () => {
  const { ask } = await begin()

  const refused = await ask('GET', 'state', undefined, 'guessed')

  assert.equal(refused.status, 401)
})

test('404 and 400: unknown paths and parameters are named', async () => {
  const { ask } = await begin()

  const missing = await ask('POST', 'nothing/of/the/kind', {})
  const misspelt = await ask('POST', 'topups', { amount: 5, currencyy: 'usd' })
  const unknown = await ask('POST', 'charges/ch_nothing/dispute', {})

  assert.deepEqual([missing.status, misspelt.status, unknown.status], [404, 400, 404])
  assert.match(await misspelt.text(), /unknown parameter: currencyy/)
})

test('a session expires at its time, notifies once, and can no longer be paid', async () => {
  const { ask, checkout, step, stripe, types } = await begin()
  const { id } = await checkout()

  step(1799)
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'open')
  step(1)
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'expired')

  const late = await ask('POST', `sessions/${id}/pay`, {})
  assert.equal(late.status, 400)
  assert.deepEqual(await types(), ['checkout.session.expired'])
})

test('a session of a caller with an older clock still lasts 30 minutes', async () => {
  const { checkout, control, stripe } = await begin()
  await control('POST', 'clock/advance', { seconds: 86_400 })

  const { id } = await checkout()
  await control('POST', 'clock/advance', { seconds: 1799 })
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'open')
  await control('POST', 'clock/advance', { seconds: 1 })

  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'expired')
})

test('delayed money is pending, then available, and a notification is sent', async () => {
  const { available, control, pay, step, stripe, types } = await begin()
  await control('POST', 'settings', { available_delay_seconds: 3600 })

  await pay()
  const before = await stripe.balance.retrieve()
  step(3600)

  assert.deepEqual([before.available[0]!.amount, before.pending[0]!.amount], [0, 2397])
  assert.equal(await available(), 2397)
  assert.equal((await types()).filter((type) => type === 'balance.available').length, 1)
})

test('one test card makes money available at once, whatever the delay', async () => {
  const { available, control, pay } = await begin()
  await control('POST', 'settings', { available_delay_seconds: 3600 })

  await pay('4000000000000077')

  assert.equal(await available(), 2397)
})

test('a deferred balance transaction is booked on demand, or after an hour', async () => {
  const { available, control, pay, step, stripe, types } = await begin()
  await control('POST', 'settings', { asynchronous_capture: true })
  const [first, second] = [await pay(), await pay()]
  assert.deepEqual([first.balance_transaction, second.balance_transaction], [null, null])
  assert.equal(await available(), 0)

  await control('POST', `charges/${first.id}/capture`)
  assert.equal(await available(), 2397)
  step(3600)
  assert.equal(await available(), 2 * 2397)

  const booked = await stripe.charges.retrieve(second.id)
  assert.equal(typeof booked.balance_transaction, 'string')
  assert.equal((await types()).filter((type) => type === 'charge.updated').length, 2)
})

test('a pending refund ends as the bank decides', async () => {
  const { available, control, pay, stripe } = await begin()
  await control('POST', 'settings', { pending_refunds: true })
  const charge = await pay()
  const [first, second] = [
    await stripe.refunds.create({ charge: charge.id, amount: 1000 }),
    await stripe.refunds.create({ charge: charge.id, amount: 500 }),
  ]

  await control('POST', `refunds/${first.id}/succeed`)
  await control('POST', `refunds/${second.id}/fail`)

  assert.deepEqual([first.status, first.pending_reason], ['pending', 'processing'])
  assert.equal((await stripe.refunds.retrieve(first.id)).status, 'succeeded')
  assert.equal((await stripe.refunds.retrieve(second.id)).status, 'failed')
  assert.equal((await stripe.charges.retrieve(charge.id)).amount_refunded, 1000)
  assert.equal(await available(), 2397 - 1000)
})

test('a refund above the balance waits for money', async () => {
  const { available, control, pay, stripe } = await begin()
  const charge = await pay()

  const refund = await stripe.refunds.create({ charge: charge.id })
  assert.deepEqual([refund.status, refund.pending_reason], ['pending', 'insufficient_funds'])
  assert.equal(await available(), -103)
  await control('POST', 'topups', { amount: 103 })

  const paid = await stripe.refunds.retrieve(refund.id)
  assert.deepEqual([paid.status, paid.pending_reason], ['succeeded', undefined])
})

test('an inquiry moves no money and the charge stays refundable, until it becomes a dispute', async () => {
  const { available, control, pay, stripe, types } = await begin()
  const charge = await pay()
  const inquiry = await control('POST', `charges/${charge.id}/dispute`, { inquiry: true })
  assert.equal(await available(), 2397)
  assert.equal((await stripe.charges.retrieve(charge.id)).disputed, false)

  const dispute = await control('POST', `disputes/${inquiry.id}/escalate`)

  assert.equal(dispute.status, 'needs_response')
  assert.equal(await available(), 2397 - 2500 - 1500)
  assert.equal((await stripe.charges.retrieve(charge.id)).disputed, true)
  assert.deepEqual((await types()).slice(-3), [
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ])
})

test('the payout schedule of an account pays out all available money, and lists its sources', async () => {
  const { control, pay, stripe, types } = await begin()
  await pay()
  const { id } = await stripe.accounts.create({
    controller: { stripe_dashboard: { type: 'express' } },
    capabilities: { transfers: { requested: true } },
  })
  await control('POST', `accounts/${id}/submit`, { outcome: 'verified' })
  for (const amount of [300, 400])
    await stripe.transfers.create({ amount, currency: 'usd', destination: id })

  const payout = await control('POST', `accounts/${id}/payout`)
  await control('POST', `payouts/${payout.id}`, { status: 'paid' })

  assert.deepEqual([payout.amount, payout.automatic], [700, true])
  const inIt = await stripe.balanceTransactions.list({ payout: payout.id }, { stripeAccount: id })
  assert.deepEqual(
    inIt.data.map(({ net }) => net).toSorted((one, other) => one - other),
    [-700, 300, 400],
  )
  assert.deepEqual((await types()).slice(-2), ['payout.paid', 'payout.reconciliation_completed'])
})

test('a reset deletes everything but the endpoints', async () => {
  const { control, pay } = await begin()
  await control('POST', 'endpoints', {
    kind: 'account',
    url: 'http://127.0.0.1:9/nobody',
    secret: 'whsec_x',
  })
  await pay()
  await control('POST', 'clock/advance', { seconds: 500 })

  await control('POST', 'reset')

  const state = await control('GET', 'state')
  assert.deepEqual(state.balance, { available: 0, pending: 0 })
  assert.equal(state.settings.skew_ms, 0)
  assert.equal(state.endpoints.length, 1)
  assert(Object.values(state.objects as Record<string, unknown[]>).every((all) => all.length === 0))
})

test('held deliveries are released in an order that the seed decides', async () => {
  const received = async (seed: number): Promise<string[]> => {
    const { control, pay } = await begin()
    const bodies: string[] = []
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        bodies.push(body)
        response.end()
      })
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const { port } = receiver.address() as AddressInfo
    await control('POST', 'endpoints', {
      kind: 'account',
      url: `http://127.0.0.1:${port}/`,
      secret: 'whsec_x',
    })
    await control('POST', 'deliveries', { mode: 'hold' })
    await pay('4000000000000259')
    const { sent } = await control('POST', 'deliveries/release', {
      order: 'shuffle',
      times: 2,
      seed,
    })
    receiver.closeAllConnections()
    receiver.close()
    assert.equal(sent, bodies.length)
    return bodies.map((body) => (JSON.parse(body) as Stripe.Event).type)
  }

  const first = await received(7)

  assert.equal(first.length, 12)
  assert.deepEqual(first, await received(7))
  assert.notDeepEqual(first, await received(8))
})
