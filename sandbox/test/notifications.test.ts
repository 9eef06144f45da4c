import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import {
  contract,
  createAccount,
  createSession,
  GOOD_CARD,
  idOf,
  refusalOf,
  SECRETS,
} from './stand.ts'

const COMPLETED = 'checkout.session.completed'

await contract('a notification', ({ stripe, test, sandboxTest }) => {
  test('is stored as an event that can be fetched and listed', async () => {
    const { id } = await createSession(stripe)
    await stripe.checkout.sessions.expire(id)

    let event: Stripe.Event | undefined
    await until(async () => {
      const types = ['checkout.session.expired' as const]
      const { data } = await stripe.events.list({ types, limit: 100 })
      event = data.find((one) => (one.data.object as { id?: string }).id === id)
      return event !== undefined
    })
    assert(event)
    const again = await stripe.events.retrieve(event.id)

    assert.equal(event.object, 'event')
    assert.equal(event.livemode, false)
    assert.equal((event.data.object as Stripe.Checkout.Session).status, 'expired')
    assert.equal(again.id, event.id)
    assert.equal(again.type, 'checkout.session.expired')
  })

  sandboxTest('is signed; the package accepts it and refuses a forged one', async (sandbox) => {
    sandbox.receiver.forget()
    const { id } = await createSession(stripe, { deposit: 'txn_3' })
    await sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD })
    await sandbox.flush()

    const told = sandbox.receiver.received.find(({ type }) => type === COMPLETED)
    assert(told)
    const signature = String(told.headers['stripe-signature'])
    const event = stripe.webhooks.constructEvent(told.body, signature, SECRETS.account)
    const forged = Buffer.from(told.body.toString().replace('txn_3', 'txn_4'))

    assert(event.type === COMPLETED)
    assert.equal(event.data.object.id, id)
    assert.equal(event.data.object.metadata?.deposit_id, 'txn_3')
    assert.equal(event.account, undefined)
    assert.match(String(told.headers['content-type']), /application\/json/)
    assert.throws(() => stripe.webhooks.constructEvent(forged, signature, SECRETS.account))
    assert.throws(() => stripe.webhooks.constructEvent(told.body, signature, SECRETS.connect))
    assert.throws(() => stripe.webhooks.constructEvent(told.body, 't=1,v1=00', SECRETS.account))
  })

  sandboxTest('contains the object as it was, its changes, and the request id', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const refund = { payment_intent: idOf(charge.payment_intent), amount: 300 }
    await sandbox.flush()
    sandbox.receiver.forget()

    await stripe.refunds.create(refund, { idempotencyKey: 'refund_rfd_9_a1' })
    await stripe.refunds.create(refund, { idempotencyKey: 'refund_rfd_9_a2' })
    await sandbox.flush()

    const [first, second] = sandbox.receiver.received
      .filter(({ type }) => type === 'charge.refunded')
      .map(({ body }) => JSON.parse(body.toString()) as Stripe.Event)
    assert(first && second)
    const shown = [first, second].map(({ data }) => data.object as Stripe.Charge)
    assert.deepEqual(
      shown.map(({ amount_refunded }) => amount_refunded).toSorted((a, b) => a - b),
      [300, 600],
    )
    assert.deepEqual(
      [first, second].map(({ request }) => String(request?.idempotency_key)).toSorted(),
      ['refund_rfd_9_a1', 'refund_rfd_9_a2'],
    )
    assert('amount_refunded' in (first.data.previous_attributes ?? {}))
    assert.equal(first.api_version, Stripe.API_VERSION)
  })

  sandboxTest('is retried until it is accepted', async (sandbox) => {
    const { id } = await createSession(stripe)
    await sandbox.flush()
    sandbox.receiver.forget()
    sandbox.receiver.answerWith(500, 500)

    await stripe.checkout.sessions.expire(id)
    await until(() => sandbox.receiver.received.length >= 3)
    await sandbox.flush()

    const { received } = sandbox.receiver
    assert.equal(received.length, 3)
    assert.equal(new Set(received.map((one) => one.id)).size, 1)
    assert.equal(new Set(received.map((one) => one.body.toString())).size, 1)
    const signature = String(received.at(-1)!.headers['stripe-signature'])
    stripe.webhooks.constructEvent(received.at(-1)!.body, signature, SECRETS.account)
  })

  sandboxTest('is listed as undelivered if nobody accepted it', async (sandbox) => {
    const { id } = await createSession(stripe)
    await sandbox.flush()
    sandbox.receiver.answerWith(500, 500, 500, 500, 500)
    const since = (await stripe.events.list({ limit: 1 })).data[0]!.created

    await stripe.checkout.sessions.expire(id)
    sandbox.receiver.forget()
    await until(() => sandbox.receiver.received.length >= 5)
    await sandbox.flush()
    const undelivered = await stripe.events.list({
      delivery_success: false,
      created: { gte: since },
    })
    const delivered = await stripe.events.list({ delivery_success: true, limit: 100 })
    const [missed] = undelivered.data
    assert(missed)
    await sandbox.control('POST', `events/${missed.id}/resend`)
    await sandbox.flush()
    const healed = await stripe.events.list({ delivery_success: false, created: { gte: since } })

    assert.equal(missed.type, 'checkout.session.expired')
    assert.equal((missed.data.object as Stripe.Checkout.Session).id, id)
    assert(missed.pending_webhooks > 0)
    assert(!delivered.data.some((one) => one.id === missed.id))
    assert.equal(sandbox.receiver.received.at(-1)?.id, missed.id)
    assert.equal(
      healed.data.some((one) => one.id === missed.id),
      false,
    )
  })

  sandboxTest('can be held and released in any order, several times, or never', async (sandbox) => {
    await sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await sandbox.flush()
    sandbox.receiver.forget()
    const expired = async () => {
      const { id } = await createSession(stripe)
      await stripe.checkout.sessions.expire(id)
      return id
    }
    const released = async (order: string, options: object = {}) => {
      const ids = [await expired(), await expired(), await expired(), await expired()]
      const before = sandbox.receiver.received.length
      await sandbox.control('POST', 'deliveries/release', { order, ...options })
      const seen = sandbox.receiver.received
        .splice(0)
        .map(({ body }) => ids.indexOf(JSON.parse(body.toString()).data.object.id))
      return { before, seen }
    }

    const first = await released('fifo')
    const last = await released('lifo')
    const twice = await released('shuffle', { times: 2, seed: 7 })
    const dropped = await released('fifo', { drop: 1 })
    await sandbox.control('POST', 'deliveries', { mode: 'normal' })
    await sandbox.flush()

    assert.deepEqual(first, { before: 0, seen: [0, 1, 2, 3] })
    assert.deepEqual(last, { before: 0, seen: [3, 2, 1, 0] })
    assert.deepEqual(
      twice.seen.toSorted((a, b) => a - b),
      [0, 0, 1, 1, 2, 2, 3, 3],
    )
    assert.notDeepEqual(twice.seen, [0, 0, 1, 1, 2, 2, 3, 3])
    assert.deepEqual(dropped.seen, [])
    assert.deepEqual(sandbox.receiver.received, [])
  })

  sandboxTest('can be duplicated or lost', async (sandbox) => {
    await sandbox.flush()
    sandbox.receiver.forget()
    const expired = async () => {
      const { id } = await createSession(stripe)
      await stripe.checkout.sessions.expire(id)
      await sandbox.flush()
      return sandbox.receiver.received.splice(0).length
    }

    await sandbox.control('POST', 'deliveries/policy', { duplicate: 1 })
    const doubled = await expired()
    await sandbox.control('POST', 'deliveries/policy', { duplicate: 0, drop: 1 })
    const lost = await expired()
    await sandbox.control('POST', 'deliveries/policy', { duplicate: 0, drop: 0 })
    const normal = await expired()

    assert.deepEqual([doubled, lost, normal], [2, 0, 1])
  })

  sandboxTest('is never sent for a refused request', async (sandbox) => {
    await sandbox.flush()
    sandbox.receiver.forget()
    const { data: before } = await stripe.events.list({ limit: 1 })

    await refusalOf(createSession(stripe, { amount: 1 }))
    await refusalOf(stripe.transfers.create({ amount: 1, currency: 'usd', destination: 'acct_x' }))
    await sandbox.flush()

    assert.deepEqual(sandbox.receiver.received, [])
    assert.equal((await stripe.events.list({ limit: 1 })).data[0]?.id, before[0]?.id)
  })

  sandboxTest('is sent to the endpoints that subscribed to its kind', async (sandbox) => {
    const endpoint = await stripe.webhookEndpoints.create({
      url: `${sandbox.receiver.url}/mine`,
      enabled_events: ['checkout.session.expired'],
    })
    assert(endpoint.secret)
    sandbox.receiver.forget()

    const { id } = await createSession(stripe)
    await sandbox.control('POST', `sessions/${id}/pay`, { card: GOOD_CARD })
    const other = await createSession(stripe)
    await stripe.checkout.sessions.expire(other.id)
    await sandbox.flush()
    const mine = sandbox.receiver.received.filter(({ path }) => path === '/mine')
    const listed = await stripe.webhookEndpoints.list()
    await stripe.webhookEndpoints.del(endpoint.id)
    await createSession(stripe).then((session) => stripe.checkout.sessions.expire(session.id))
    await sandbox.flush()

    assert.deepEqual(
      mine.map(({ type }) => type),
      ['checkout.session.expired'],
    )
    stripe.webhooks.constructEvent(
      mine[0]!.body,
      String(mine[0]!.headers['stripe-signature']),
      endpoint.secret,
    )
    assert(listed.data.some((one) => one.id === endpoint.id))
    assert.equal(sandbox.receiver.typesAt('/mine').length, 1)
  })

  sandboxTest('can be fetched in full if it is thin', async (sandbox) => {
    await sandbox.flush()
    sandbox.receiver.forget()
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
    await sandbox.control('POST', `accounts/${id}/submit`, { outcome: 'needs_information' })
    await sandbox.flush()

    const thin = sandbox.receiver.received.filter(({ path }) => path === '/v2')
    const events = await Promise.all(thin.map((one) => stripe.v2.core.events.retrieve(one.id)))

    assert(thin.some(({ type }) => type === 'v2.core.account[requirements].updated'))
    assert.deepEqual(
      events.map(({ type }) => type),
      thin.map(({ type }) => type),
    )
    assert(events.every(({ object }) => object === 'v2.core.event'))
  })
})

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the condition was not met in time')
}
