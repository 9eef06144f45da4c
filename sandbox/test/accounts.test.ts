import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { contract, createAccount, createTransfer, type Json, refusalOf, SECRETS } from './stand.ts'

const INCLUDE: Stripe.V2.Core.AccountRetrieveParams.Include[] = [
  'configuration.recipient',
  'requirements',
]
const onboarding = (account: string): Stripe.V2.Core.AccountLinkCreateParams => ({
  account,
  use_case: {
    type: 'account_onboarding',
    account_onboarding: {
      refresh_url: 'https://legwork.example/payouts/refresh',
      return_url: 'https://legwork.example/payouts/return',
      collection_options: { fields: 'eventually_due' },
    },
  },
})
const ANSWERS = {
  name: 'Ann Worker',
  month: '5',
  day: '17',
  year: '1990',
  country: 'US',
  outcome: 'verified',
}
const transfersOf = (account: Stripe.V2.Core.Account) =>
  account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status

await contract('a worker’s account', ({ stripe, client, test, sandboxTest }) => {
  test('is created with its configuration, and cannot receive money yet', async () => {
    const account = await createAccount(stripe, `worker_${randomUUID()}`)

    assert.match(account.id, /^acct_/)
    assert.equal(account.object, 'v2.core.account')
    assert.equal(account.dashboard, 'express')
    assert.equal(account.livemode, false)
    assert(account.metadata?.worker_id)
    assert.deepEqual(account.applied_configurations, ['recipient'])
    assert.notEqual(transfersOf(account), 'active')
    const due = account.requirements?.entries?.filter(
      ({ awaiting_action_from: from }) => from === 'user',
    )
    assert(due && due.length > 0)
  })

  test('is the same for a repeated request with its idempotency key', async () => {
    const workerId = `worker_${randomUUID()}`

    const [first, second] = [
      await createAccount(stripe, workerId),
      await createAccount(stripe, workerId),
    ]

    assert.equal(second.id, first.id)
  })

  test('includes configuration and requirements only on request', async () => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)

    const plain = await stripe.v2.core.accounts.retrieve(id)
    const full = await stripe.v2.core.accounts.retrieve(id, { include: INCLUDE })

    assert.equal(plain.configuration ?? undefined, undefined)
    assert.equal(plain.requirements ?? undefined, undefined)
    assert(full.configuration?.recipient)
    assert(full.requirements)
  })

  test('gets a new link each time, which expires within the hour', async () => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)

    const first = await stripe.v2.core.accountLinks.create(onboarding(id))
    const second = await stripe.v2.core.accountLinks.create(onboarding(id))

    const minutes = (Date.parse(first.expires_at) - Date.parse(first.created)) / 60_000
    assert.equal(first.object, 'v2.core.account_link')
    assert.equal(first.account, id)
    assert.notEqual(first.url, second.url)
    assert(minutes > 0 && minutes <= 60)
  })

  test('has no dashboard and receives no money before onboarding', async () => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)

    const login = await refusalOf(stripe.accounts.createLoginLink(id))
    const transfer = await refusalOf(createTransfer(stripe, id))

    assert(login instanceof Stripe.errors.StripeInvalidRequestError)
    assert.match(login.message, /not completed onboarding/)
    assert(transfer instanceof Stripe.errors.StripeInvalidRequestError)
    assert.equal(transfer.code, 'insufficient_capabilities_for_transfer')
  })

  test('with an unknown id is refused', async () => {
    const refusal = await refusalOf(stripe.v2.core.accounts.retrieve('acct_1NothingHere0000'))

    assert([403, 404].includes(refusal.statusCode!))
  })

  sandboxTest('is active after the worker has submitted the page', async (sandbox) => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
    const { url } = await stripe.v2.core.accountLinks.create(onboarding(id))

    const sent = await sandbox.submitPage(url, ANSWERS)

    const account = await stripe.v2.core.accounts.retrieve(id, { include: INCLUDE })
    assert.equal(sent.status, 303)
    assert.equal(sent.location, 'https://legwork.example/payouts/return')
    assert.equal(transfersOf(account), 'active')
    assert.deepEqual(account.requirements?.entries ?? [], [])
  })

  sandboxTest('has a link that opens once; a second visit returns to us', async (sandbox) => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
    const { url } = await stripe.v2.core.accountLinks.create(onboarding(id))
    const old = await stripe.v2.core.accountLinks.create(onboarding(id))

    const first = await fetch(url, { redirect: 'manual' })
    const second = await fetch(url, { redirect: 'manual' })
    await sandbox.advance(3601)
    const late = await fetch(old.url, { redirect: 'manual' })

    assert.equal(first.status, 200)
    for (const again of [second, late]) {
      assert.equal(again.status, 303)
      assert.equal(again.headers.get('location'), 'https://legwork.example/payouts/refresh')
    }
  })

  sandboxTest('is reported by thin events that reference it', async (sandbox) => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
    sandbox.receiver.forget()

    await sandbox.control('POST', `accounts/${id}/submit`, { outcome: 'verified' })
    await sandbox.flush()

    const type = 'v2.core.account[configuration.recipient].capability_status_updated'
    const thin = sandbox.receiver.received.find((one) => one.path === '/v2' && one.type === type)
    assert(thin, sandbox.receiver.typesAt('/v2').join())
    const signature = String(thin.headers['stripe-signature'])
    const notification = stripe.parseEventNotification(thin.body, signature, SECRETS.v2)
    assert(notification.type === type)
    assert.equal(notification.related_object.id, id)
    const account = await notification.fetchRelatedObject()
    const event = await notification.fetchEvent()
    assert.equal(account.id, id)
    assert.equal(event.data.updated_capability, 'stripe_balance.stripe_transfers')
    assert.equal('data' in JSON.parse(thin.body.toString()), false)
    assert.throws(() => stripe.webhooks.constructEvent(thin.body, signature, SECRETS.v2))
  })

  sandboxTest('is also reported to the connect endpoint', async (sandbox) => {
    const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
    sandbox.receiver.forget()

    await sandbox.control('POST', `accounts/${id}/submit`, { outcome: 'verified' })
    await sandbox.flush()

    const snapshot = sandbox.receiver.received.find(
      ({ path, type }) => path === '/connect' && type === 'account.updated',
    )
    assert(snapshot, sandbox.receiver.typesAt('/connect').join())
    const event = stripe.webhooks.constructEvent(
      snapshot.body,
      String(snapshot.headers['stripe-signature']),
      SECRETS.connect,
    )
    assert.equal(event.account, id)
    assert.throws(() =>
      stripe.parseEventNotification(
        snapshot.body,
        String(snapshot.headers['stripe-signature']),
        SECRETS.connect,
      ),
    )
  })

  sandboxTest(
    'may be pending, restricted or rejected, and then receives no money',
    async (sandbox) => {
      await sandbox.fund(10_000)
      const outcomes = ['pending', 'rejected', 'needs_information'] as const
      const states = []
      for (const outcome of outcomes) {
        const { id } = await createAccount(stripe, `worker_${randomUUID()}`)
        await sandbox.control('POST', `accounts/${id}/submit`, { outcome })
        const account = await stripe.v2.core.accounts.retrieve(id, { include: INCLUDE })
        const { code } = await refusalOf(createTransfer(stripe, id))
        states.push([transfersOf(account), code])
      }
      const active = await sandbox.activeAccount()
      await sandbox.control('POST', `accounts/${active}/capability`, { status: 'restricted' })
      const { code } = await refusalOf(createTransfer(stripe, active))

      const refused = 'insufficient_capabilities_for_transfer'
      assert.deepEqual(states, [
        ['pending', refused],
        ['rejected', refused],
        ['restricted', refused],
      ])
      assert.equal(code, refused)
    },
  )

  for (const mode of ['error_after', 'reset_after', 'hang_after'])
    sandboxTest(`is created once though the response is lost by ${mode}`, async (sandbox) => {
      const workerId = `worker_${randomUUID()}`
      await sandbox.fault({ match: 'POST /v2/core/accounts', mode, times: 1 })

      const patient = client({ maxNetworkRetries: 2, timeout: 400 })
      const first = await createAccount(patient, workerId).catch(() => undefined)
      const again = await createAccount(stripe, workerId)

      const { data } = await sandbox.control('GET', 'objects/account?limit=10000')
      const made = (data as Json[]).filter(({ metadata }) => metadata?.worker_id === workerId)
      assert.deepEqual(
        made.map(({ id }) => id),
        [again.id],
      )
      assert(first === undefined || first.id === again.id)
    })

  sandboxTest('has a dashboard whose link opens once', async (sandbox) => {
    const id = await sandbox.activeAccount()

    const link = await stripe.accounts.createLoginLink(id)
    const first = await fetch(link.url, { redirect: 'manual' })
    const second = await fetch(link.url, { redirect: 'manual' })

    assert.equal(link.object, 'login_link')
    assert(first.status < 400, `the first time answers ${first.status}`)
    assert(second.status >= 400, `the second time answers ${second.status}`)
  })

  sandboxTest('is shown as closed after closing, and receives no money', async (sandbox) => {
    await sandbox.fund(10_000)
    const id = await sandbox.activeAccount()

    const closed = await stripe.v2.core.accounts.close(id, {
      applied_configurations: ['recipient'],
    })
    const refusal = await refusalOf(createTransfer(stripe, id))

    assert.equal(closed.closed, true)
    assert.equal((await stripe.v2.core.accounts.retrieve(id)).closed, true)
    assert(refusal.statusCode! < 500)
  })

  sandboxTest('behaves the same if the v1 API creates it', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await stripe.accounts.create(
      {
        controller: {
          stripe_dashboard: { type: 'express' },
          fees: { payer: 'application' },
          losses: { payments: 'application' },
          requirement_collection: 'stripe',
        },
        capabilities: { transfers: { requested: true } },
        business_type: 'individual',
        country: 'US',
        email: 'worker@example.com',
        metadata: { worker_id: 'worker_1' },
      },
      { idempotencyKey: randomUUID() },
    )
    const link = await stripe.accountLinks.create({
      account: account.id,
      type: 'account_onboarding',
      refresh_url: 'https://legwork.example/payouts/refresh',
      return_url: 'https://legwork.example/payouts/return',
      collection_options: { fields: 'eventually_due' },
    })
    const early = await refusalOf(createTransfer(stripe, account.id))

    const sent = await sandbox.submitPage(link.url, ANSWERS)
    const ready = await stripe.accounts.retrieve(account.id)
    const transfer = await createTransfer(stripe, account.id)

    assert.equal(account.object, 'account')
    assert.equal(account.details_submitted, false)
    assert.notEqual(account.capabilities?.transfers, 'active')
    assert((account.requirements?.currently_due ?? []).length > 0)
    assert.equal(link.object, 'account_link')
    assert.equal(early.code, 'insufficient_capabilities_for_transfer')
    assert.equal(sent.location, 'https://legwork.example/payouts/return')
    assert.equal(ready.details_submitted, true)
    assert.equal(ready.capabilities?.transfers, 'active')
    assert.equal(ready.metadata?.worker_id, 'worker_1')
    assert.equal(transfer.destination, account.id)
  })

  sandboxTest('keeps its payout schedule', async (sandbox) => {
    const id = await sandbox.activeAccount()
    const on = { stripeAccount: id }

    await stripe.balanceSettings.update(
      {
        payments: {
          debit_negative_balances: true,
          payouts: {
            schedule: { interval: 'weekly', weekly_payout_days: ['friday'] },
            minimum_balance_by_currency: { usd: 1000 },
          },
        },
      },
      on,
    )
    const kept = await stripe.balanceSettings.retrieve({}, on)
    const another = await sandbox.activeAccount()
    const theirs = await stripe.balanceSettings.retrieve({}, { stripeAccount: another })

    assert.equal(kept.object, 'balance_settings')
    assert.equal(kept.payments.payouts?.schedule?.interval, 'weekly')
    assert.deepEqual(kept.payments.payouts?.schedule?.weekly_payout_days, ['friday'])
    assert.deepEqual(kept.payments.payouts?.minimum_balance_by_currency, { usd: 1000 })
    assert.equal(kept.payments.debit_negative_balances, true)
    assert.notEqual(theirs.payments.payouts?.schedule?.interval, 'weekly')
  })
})
