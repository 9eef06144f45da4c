import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { contract, createAccount, createSession, createTransfer, refusalOf } from './stand.ts'

await contract('an error response', ({ stripe, test, sandboxTest }) => {
  test('names an unknown id', async () => {
    const refusals = await Promise.all([
      refusalOf(stripe.checkout.sessions.retrieve('cs_test_nothing')),
      refusalOf(stripe.paymentIntents.retrieve('pi_nothing')),
      refusalOf(stripe.charges.retrieve('ch_nothing')),
      refusalOf(stripe.refunds.retrieve('re_nothing')),
      refusalOf(stripe.disputes.retrieve('du_nothing')),
      refusalOf(stripe.transfers.retrieve('tr_nothing')),
      refusalOf(stripe.balanceTransactions.retrieve('txn_nothing')),
      refusalOf(stripe.payouts.retrieve('po_nothing')),
      refusalOf(stripe.topups.retrieve('tu_nothing')),
      refusalOf(stripe.events.retrieve('evt_nothing')),
    ])

    for (const refusal of refusals) {
      assert(refusal instanceof Stripe.errors.StripeInvalidRequestError, refusal.message)
      assert.equal(refusal.statusCode, 404)
      assert.equal(refusal.code, 'resource_missing')
      assert.match(refusal.message, /^No such .*nothing/)
    }
  })

  test('names an unknown parameter, which catches misspellings', async () => {
    const sent = { limit: 1, transfergroup: 'task_1' } as Stripe.TransferListParams

    const list = await refusalOf(stripe.transfers.list(sent))
    const nested = await refusalOf(
      createSession(stripe, {
        params: {
          payment_intent_data: {
            metadatas: 'x',
          } as Stripe.Checkout.SessionCreateParams.PaymentIntentData,
        },
      }),
    )

    assert.deepEqual(
      [list.statusCode, list.code, list.param],
      [400, 'parameter_unknown', 'transfergroup'],
    )
    assert.deepEqual([nested.statusCode, nested.code], [400, 'parameter_unknown'])
  })

  test('refuses to expand an unknown field', async () => {
    const { id } = await createSession(stripe)

    const refusal = await refusalOf(
      stripe.checkout.sessions.retrieve(id, { expand: ['nothing_of_the_kind'] }),
    )

    assert.equal(refusal.statusCode, 400)
    assert.match(refusal.message, /cannot be expanded/)
  })

  test('names a missing parameter', async () => {
    const refusal = await refusalOf(
      stripe.transfers.create({ amount: 100, currency: 'usd' } as Stripe.TransferCreateParams),
    )

    assert.deepEqual(
      [refusal.statusCode, refusal.code, refusal.param],
      [400, 'parameter_missing', 'destination'],
    )
  })

  test('names the parameter of a wrong value', async () => {
    const amount = 'much' as unknown as number
    const refusal = await refusalOf(
      stripe.transfers.create({ amount, currency: 'usd', destination: 'acct_1' }),
    )

    assert.equal(refusal.statusCode, 400)
    assert.equal(refusal.param, 'amount')
  })

  test('for an unknown path is an error to the package, not a success', async () => {
    const refusals = [
      await refusalOf(stripe.rawRequest('GET', '/v1/nothing_of_the_kind')),
      await refusalOf(stripe.rawRequest('POST', '/v1/transfers/tr_1/cancel/again', {})),
      await refusalOf(stripe.rawRequest('GET', '/v2/core/nothing_of_the_kind')),
    ]

    for (const refusal of refusals) assert.equal(refusal.statusCode, 404)
    assert.match(refusals[0]!.message, /Unrecognized request URL/)
  })

  test('refuses too large a page, an unknown cursor, and too many event types', async () => {
    const refusals = [
      await refusalOf(stripe.transfers.list({ limit: 101 })),
      await refusalOf(stripe.transfers.list({ limit: 0 })),
      await refusalOf(stripe.transfers.list({ starting_after: 'tr_nothing' })),
      await refusalOf(
        stripe.events.list({ types: Array.from({ length: 21 }, () => 'charge.updated') }),
      ),
    ]

    assert.deepEqual(
      refusals.map(({ statusCode }) => statusCode),
      [400, 400, 400, 400],
    )
  })

  test('for an invalid request is not stored under its idempotency key', async () => {
    const key = randomUUID()
    const wrong = await refusalOf(
      createSession(stripe, { key, params: { mode: 'gift' as 'payment' } }),
    )

    const right = await createSession(stripe, { key })

    assert.equal(wrong.statusCode, 400)
    assert.equal(right.status, 'open')
  })

  test('refuses metadata that is too long', async () => {
    const withMetadata = (metadata: Stripe.MetadataParam) =>
      refusalOf(createSession(stripe, { params: { metadata } }))
    const fifty = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`key_${i}`, 'x']))

    const refusals = [
      await withMetadata({ ['k'.repeat(41)]: 'x' }),
      await withMetadata({ key: 'x'.repeat(501) }),
      await withMetadata(fifty),
    ]

    assert.deepEqual(
      refusals.map(({ statusCode }) => statusCode),
      [400, 400, 400],
    )
  })

  test('refuses an invalid API key', async () => {
    const stranger = new Stripe('nonsense', { ...addressOf(stripe), maxNetworkRetries: 0 })

    const refusal = await refusalOf(stranger.balance.retrieve())

    assert(refusal instanceof Stripe.errors.StripeAuthenticationError)
    assert.equal(refusal.statusCode, 401)
  })

  sandboxTest('refuses a live key', async () => {
    const address = addressOf(stripe)
    const refusals = await Promise.all(
      ['sk_live_1234567890', 'rk_live_1234567890', 'pk_test_1234567890'].map((key) =>
        refusalOf(new Stripe(key, { ...address, maxNetworkRetries: 0 }).balance.retrieve()),
      ),
    )

    for (const refusal of refusals) {
      assert(refusal instanceof Stripe.errors.StripeAuthenticationError, refusal.message)
      assert.equal(refusal.statusCode, 401)
      assert.doesNotMatch(refusal.message, /_1234567890/)
    }
  })

  sandboxTest('is not sent for a restricted test key', async () => {
    const client = new Stripe('rk_test_1234567890', addressOf(stripe))

    assert.equal((await client.balance.retrieve()).object, 'balance')
  })

  sandboxTest('refuses every currency but dollars', async (sandbox) => {
    const account = await sandbox.activeAccount()

    const refusal = await refusalOf(
      stripe.transfers.create({ amount: 100, currency: 'eur', destination: account }),
    )

    assert.equal(refusal.statusCode, 400)
    assert.equal(refusal.param, 'currency')
  })

  sandboxTest('of the v2 API has the v2 shape', async () => {
    const workerId = randomUUID()
    const unknown = await refusalOf(
      stripe.v2.core.accounts.create({
        contact_emaill: 'a@b.c',
      } as Stripe.V2.Core.AccountCreateParams),
    )
    await createAccount(stripe, workerId)
    const mismatch = await refusalOf(
      stripe.v2.core.accounts.create(
        { contact_email: 'another@example.com' },
        { idempotencyKey: `acct_${workerId}` },
      ),
    )

    assert.equal(unknown.statusCode, 400)
    assert(mismatch instanceof Stripe.errors.StripeIdempotencyError)
  })

  sandboxTest('refuses a request on behalf of an unknown account', async (sandbox) => {
    const account = await sandbox.activeAccount()
    await sandbox.fund(1000)
    const transfer = await createTransfer(stripe, account, { amount: 100 })

    const unknown = await refusalOf(
      stripe.balance.retrieve({}, { stripeAccount: 'acct_1NothingHere0000' }),
    )
    const notTheirs = await refusalOf(
      stripe.transfers.retrieve(transfer.id, {}, { stripeAccount: account }),
    )

    assert([401, 403].includes(unknown.statusCode!), `${unknown.statusCode}`)
    assert.equal(notTheirs.code, 'resource_missing')
  })

  sandboxTest('of the control API refuses a missing token', async (sandbox) => {
    const answers = await Promise.all(
      [{}, { authorization: 'Bearer wrong' }, { authorization: 'Bearer sk_test_contract' }].map(
        (headers) => fetch(`${sandbox.url}/_sandbox/state`, { headers: headers }),
      ),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401],
    )
  })
})

/** The address that a client uses, for creating another one with another key. */
function addressOf(stripe: Stripe): Stripe.StripeConfig {
  const field = (name: string) => stripe.getApiField(name as never) as never
  return {
    host: field('host'),
    port: field('port'),
    protocol: field('protocol'),
    telemetry: false,
  }
}
