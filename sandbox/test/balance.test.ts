import assert from 'node:assert/strict'
import type Stripe from 'stripe'
import { contract, createTransfer, DISPUTED_CARD, refusalOf, idOf } from './stand.ts'

await contract('the balance', ({ stripe, test, sandboxTest }) => {
  test('is in dollars, available and pending', async () => {
    const balance = await stripe.balance.retrieve()

    assert.equal(balance.object, 'balance')
    assert.equal(balance.livemode, false)
    assert(balance.available.some(({ currency }) => currency === 'usd'))
    assert(balance.pending.some(({ currency }) => currency === 'usd'))
  })

  test('has transactions that are filtered by time', async () => {
    const to = Math.floor(Date.now() / 1000)

    const future = await stripe.balanceTransactions.list({ created: { gte: to + 86_400 } })
    const page = await stripe.balanceTransactions.list({ created: { lt: to + 60 }, limit: 3 })

    assert.deepEqual([future.object, future.data, future.has_more], ['list', [], false])
    assert(page.data.length <= 3)
  })

  sandboxTest('is the sum of its transactions, for us and for each worker', async (sandbox) => {
    await sandbox.fund(50_000)
    const account = await sandbox.activeAccount()
    const charge = await sandbox.paidCharge(2500)
    await sandbox.paidCharge(900, DISPUTED_CARD)
    await stripe.refunds.create({ payment_intent: idOf(charge.payment_intent), amount: 300 })
    const transfer = await createTransfer(stripe, account, { amount: 1200 })
    await stripe.transfers.createReversal(transfer.id, { amount: 200 })
    await stripe.payouts.create({ amount: 500, currency: 'usd' }, { stripeAccount: account })
    await stripe.payouts.create({ amount: 4000, currency: 'usd' })
    await sandbox.control('POST', 'fees', { amount: 200, description: 'Connect' })
    await sandbox.control('POST', 'odd', { amount: 17, type: 'contribution' })
    await sandbox.control('POST', 'settings', { available_delay_seconds: 86_400 })
    await sandbox.paidCharge(1000)
    await sandbox.control('POST', 'settings', { available_delay_seconds: 0 })

    for (const on of [{}, { stripeAccount: account }]) {
      const balance = await stripe.balance.retrieve({}, on)
      const all = await stripe.balanceTransactions
        .list({ limit: 100 }, on)
        .autoPagingToArray({ limit: 10_000 })
      const net = (status: string) =>
        all.filter((one) => one.status === status).reduce((sum, one) => sum + one.net, 0)
      assert.equal(balance.available[0]!.amount, net('available'))
      assert.equal(balance.pending[0]!.amount, net('pending'))
      assert(all.every(({ amount, fee, net: rest }) => rest === amount - fee))
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
    }
    const theirs = await stripe.balance.retrieve({}, { stripeAccount: account })
    assert.equal(theirs.available[0]!.amount, 500)
    assert.notEqual((await stripe.balance.retrieve()).pending[0]!.amount, 0)
  })

  sandboxTest('lists transactions by type, source and time', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const refund = await stripe.refunds.create({
      payment_intent: idOf(charge.payment_intent),
      amount: 300,
    })
    const { created } = await stripe.balanceTransactions.retrieve(idOf(refund.balance_transaction))

    const bySource = await stripe.balanceTransactions.list({ source: charge.id })
    const byType = await stripe.balanceTransactions.list({ type: 'refund', limit: 100 })
    const since = await stripe.balanceTransactions.list({ created: { gte: created }, limit: 100 })
    const before = await stripe.balanceTransactions.list({ created: { lt: created }, limit: 100 })

    assert.equal(bySource.data[0]?.source, charge.id)
    assert(byType.data.length > 0 && byType.data.every(({ type }) => type === 'refund'))
    assert(since.data.every((one) => one.created >= created))
    assert(since.data.some(({ id }) => id === refund.balance_transaction))
    assert(before.data.every((one) => one.created < created))
  })

  sandboxTest('falls by a payout to our bank, and rises again if that fails', async (sandbox) => {
    await sandbox.fund(10_000)
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    const payout = await stripe.payouts.create(
      { amount: 3000, currency: 'usd', metadata: { withdrawal_id: 'wd_1' } },
      { idempotencyKey: 'withdrawal_wd_1_a1' },
    )
    const between = await stripe.balance.retrieve()
    await sandbox.control('POST', `payouts/${payout.id}`, {
      status: 'failed',
      code: 'account_closed',
    })
    const failed = await stripe.payouts.retrieve(payout.id)
    await sandbox.flush()

    assert.equal(payout.object, 'payout')
    assert(['pending', 'in_transit'].includes(payout.status))
    assert.equal(payout.metadata?.withdrawal_id, 'wd_1')
    assert.equal(before.available[0]!.amount - between.available[0]!.amount, 3000)
    assert.equal(failed.status, 'failed')
    assert.equal(failed.failure_code, 'account_closed')
    const booked = await stripe.balanceTransactions.retrieve(
      idOf(failed.failure_balance_transaction),
    )
    assert.deepEqual([booked.type, booked.net], ['payout_failure', 3000])
    assert.deepEqual(await stripe.balance.retrieve(), before)
    assert(sandbox.receiver.typesAt('/account').includes('payout.failed'))
  })

  sandboxTest('is not changed by a payout above it', async (sandbox) => {
    const { available } = await stripe.balance.retrieve()
    const account = await sandbox.activeAccount()

    const ours = await refusalOf(
      stripe.payouts.create({ amount: available[0]!.amount + 1, currency: 'usd' }),
    )
    const theirs = await refusalOf(
      stripe.payouts.create({ amount: 1, currency: 'usd' }, { stripeAccount: account }),
    )

    assert.equal(ours.code, 'balance_insufficient')
    assert.equal(theirs.code, 'balance_insufficient')
  })

  sandboxTest(
    'of a worker is paid to the worker’s bank, reported only to the connect endpoint',
    async (sandbox) => {
      await sandbox.fund(10_000)
      const account = await sandbox.activeAccount()
      const on = { stripeAccount: account }
      await createTransfer(stripe, account, { amount: 1500 })
      await sandbox.flush()
      sandbox.receiver.forget()

      const payout = await stripe.payouts.create({ amount: 1500, currency: 'usd' }, on)
      await sandbox.control('POST', `payouts/${payout.id}`, { status: 'paid' })
      const paid = await stripe.payouts.retrieve(payout.id, {}, on)
      const { data } = await stripe.payouts.list({}, on)
      const elsewhere = await refusalOf(stripe.payouts.retrieve(payout.id))
      await sandbox.flush()

      assert.equal(paid.status, 'paid')
      assert.deepEqual(
        data.map(({ id }) => id),
        [payout.id],
      )
      assert.equal(elsewhere.code, 'resource_missing')
      assert.equal((await stripe.balance.retrieve({}, on)).available[0]!.amount, 0)
      const types = sandbox.receiver.typesAt('/connect')
      assert(types.includes('payout.created') && types.includes('payout.paid'), types.join())
      assert.deepEqual(
        sandbox.receiver.typesAt('/account').filter((type) => type.startsWith('payout')),
        [],
      )
      const told = sandbox.receiver.received.find(({ type }) => type === 'payout.paid')!
      assert.equal(JSON.parse(told.body.toString()).account, account)
    },
  )

  sandboxTest('rises by a top-up', async (sandbox) => {
    const before = await stripe.balance.retrieve()
    sandbox.receiver.forget()

    const topup = await stripe.topups.create({
      amount: 5000,
      currency: 'usd',
      description: 'Float',
    })
    const kept = await stripe.topups.retrieve(topup.id)
    await sandbox.flush()

    const after = await stripe.balance.retrieve()
    assert.equal(topup.object, 'topup')
    assert.equal(kept.status, 'succeeded')
    assert.equal(after.available[0]!.amount - before.available[0]!.amount, 5000)
    const booked = await stripe.balanceTransactions.retrieve(idOf(kept.balance_transaction))
    assert.deepEqual([booked.type, booked.net], ['topup', 5000])
    assert(sandbox.receiver.typesAt('/account').includes('topup.succeeded'))
  })

  sandboxTest('falls again when a top-up is reversed', async (sandbox) => {
    const before = await stripe.balance.retrieve()
    const { id } = await stripe.topups.create({ amount: 5000, currency: 'usd' })
    await sandbox.flush()
    sandbox.receiver.forget()

    await sandbox.control('POST', `topups/${id}/reverse`)
    await sandbox.flush()

    assert.deepEqual(await stripe.balance.retrieve(), before)
    assert.equal((await stripe.topups.retrieve(id)).status, 'reversed')
    const { data } = await stripe.balanceTransactions.list({ type: 'topup_reversal' })
    assert.deepEqual(
      data.map(({ net }) => net),
      [-5000],
    )
    assert(sandbox.receiver.typesAt('/account').includes('topup.reversed'))
  })

  sandboxTest(
    'of a worker is paid by the schedule, and returns if the bank refuses it later',
    async (sandbox) => {
      await sandbox.fund(10_000)
      const account = await sandbox.activeAccount()
      const on = { stripeAccount: account }
      await createTransfer(stripe, account, { amount: 1500 })

      await sandbox.control('POST', `accounts/${account}/payout`)
      const [payout] = (await stripe.payouts.list({}, on)).data
      assert(payout)
      await sandbox.control('POST', `payouts/${payout.id}`, { status: 'paid' })
      const empty = await stripe.balance.retrieve({}, on)
      sandbox.receiver.forget()
      await sandbox.control('POST', `payouts/${payout.id}`, {
        status: 'failed',
        code: 'no_account',
      })
      await sandbox.flush()

      assert.deepEqual([payout.automatic, payout.amount], [true, 1500])
      assert.equal(empty.available[0]!.amount, 0)
      assert.equal((await stripe.balance.retrieve({}, on)).available[0]!.amount, 1500)
      assert.equal((await stripe.payouts.retrieve(payout.id, {}, on)).failure_code, 'no_account')
      assert(sandbox.receiver.typesAt('/connect').includes('payout.failed'))
    },
  )

  sandboxTest('lists 250 transactions in pages, each once', async (sandbox) => {
    for (let count = 0; count < 250; count++)
      await sandbox.control('POST', 'fees', { amount: 1, description: `${count}` })

    const pages: string[][] = []
    let after: string | undefined
    for (;;) {
      const page: Stripe.ApiList<Stripe.BalanceTransaction> = await stripe.balanceTransactions.list(
        {
          type: 'stripe_fee',
          limit: 100,
          ...(after === undefined ? {} : { starting_after: after }),
        },
      )
      pages.push(page.data.map(({ id }) => id))
      after = page.data.at(-1)?.id
      if (!page.has_more) break
    }

    const all = pages.flat()
    assert.equal(new Set(all).size, all.length)
    assert(all.length >= 250)
    assert.deepEqual(
      pages.slice(0, -1).map((page) => page.length),
      pages.slice(0, -1).map(() => 100),
    )
  })
})
