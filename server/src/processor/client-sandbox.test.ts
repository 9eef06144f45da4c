/** Tests the adapter against the sandbox: the sandbox accepts its requests, and it parses the responses correctly. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSandbox } from '../../test/sandbox.ts'
import { readConfig } from '../config.ts'
import { type Pages, processorOf } from './client.ts'
import type { Outcome } from './outcome.ts'

const sandbox = await openSandbox({ now: () => new Date() })
after(() => sandbox.stop())
const settings = Object.fromEntries(
  Object.entries(sandbox.settings).map(([name, value]) => [name, String(value)]),
)
const processor = processorOf(readConfig({ ...settings, STRIPE_RETRIES: '0' }))!
const older = processorOf(
  readConfig({ ...settings, STRIPE_RETRIES: '0', CONNECT_ACCOUNTS_API: 'v1' }),
)!
const START = new Date(Date.now() - 3_600_000)

let count = 0
const fresh = (prefix: string) => `${prefix}_${++count}`

function valueOf<T>(outcome: Outcome<T>): T {
  assert(outcome.kind === 'ok', JSON.stringify(outcome))
  return outcome.value
}

async function wholeOf<T>(pages: Pages<T>): Promise<T[]> {
  return (await Array.fromAsync(pages)).flatMap(valueOf)
}

async function newCheckout(depositId = fresh('txn')) {
  return processor.createCheckout({
    depositId,
    agentId: 'agent_1',
    email: 'robot@example.com',
    amountCents: 2500,
    expiresAt: new Date(START.getTime() + 2 * 3_600_000),
    successUrl: 'https://legwork.example/wallet?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: 'https://legwork.example/wallet',
  })
}

async function activeAccount() {
  const account = valueOf(
    await processor.createAccount({
      workerId: fresh('worker'),
      email: 'ann@example.com',
      name: 'Ann',
      country: 'US',
    }),
  )
  await sandbox.control('POST', `accounts/${account.id}/submit`, { outcome: 'verified' })
  return account.id
}

const payoutTo = (accountId: string, taskId = fresh('task')) => ({
  payoutId: fresh('po'),
  taskId,
  workerId: 'worker_1',
  accountId,
  amountCents: 410,
  key: fresh('payout'),
})

describe('money in', () => {
  test('a deposit works from the page to the fee', async () => {
    const depositId = fresh('txn')
    const made = valueOf(await newCheckout(depositId))
    const again = valueOf(await newCheckout(depositId))
    await sandbox.pay(made.id)

    const paid = valueOf(await processor.getCheckout(made.id))
    const charge = valueOf(await processor.getCharge(paid.charge!.id))

    assert.equal(again.id, made.id)
    assert.match(made.url!, /\/c\/pay\//)
    assert.equal(made.status, 'open')
    assert.deepEqual(
      [paid.status, paid.paymentStatus, paid.amountCents, paid.currency, paid.depositId],
      ['complete', 'paid', 2500, 'usd', depositId],
    )
    assert.equal(paid.charge?.balanceTransaction?.feeCents, 103)
    assert.deepEqual(charge, paid.charge)
    assert.equal(charge.depositId, depositId)
    assert.match(charge.cardFingerprint!, /^[\w-]{16}$/)
  })

  test('a refund works, and a chargeback that is won', async () => {
    const { id } = valueOf(await newCheckout())
    await sandbox.pay(id)
    const { charge } = valueOf(await processor.getCheckout(id))
    const paymentIntentId = charge!.paymentIntentId!

    const refund = valueOf(
      await processor.createRefund({
        refundId: 'rfd_1',
        paymentIntentId,
        amountCents: 500,
        key: fresh('refund'),
      }),
    )
    const opened = await sandbox.control('POST', `charges/${charge!.id}/dispute`, { amount: 2000 })
    await sandbox.control('POST', `disputes/${opened.id}/close`, { status: 'won' })
    const dispute = valueOf(await processor.getDispute(opened.id))
    const refused = await processor.createRefund({
      refundId: 'rfd_2',
      paymentIntentId,
      amountCents: 9999,
      key: fresh('refund'),
    })

    assert.deepEqual([refund.status, refund.refundId], ['succeeded', 'rfd_1'])
    assert.deepEqual(valueOf(await processor.getRefund(refund.id)), refund)
    assert.deepEqual(valueOf(await processor.listRefunds(paymentIntentId)), [refund])
    assert.deepEqual([dispute.status, dispute.chargeId], ['won', charge!.id])
    assert.deepEqual(
      dispute.balanceTransactions.map(({ amountCents, feeCents }) => [amountCents, feeCents]),
      [
        [-2000, 1500],
        [2000, 0],
      ],
    )
    assert.equal(refused.kind, 'definite')
  })
})

describe('money out', () => {
  for (const [name, accounts] of [
    ['the v2 API', processor],
    ['the v1 API', older],
  ] as const)
    test(`an account by ${name} works from onboarding to dashboard`, async () => {
      const workerId = fresh('worker')
      const made = valueOf(
        await accounts.createAccount({
          workerId,
          email: 'ann@example.com',
          name: 'Ann',
          country: 'US',
        }),
      )
      const noBank = valueOf(await accounts.getBank(made.id))
      const early = await accounts.createDashboardLink(made.id)
      const link = valueOf(
        await accounts.createOnboardingLink({
          accountId: made.id,
          refreshUrl: 'https://legwork.example/refresh',
          returnUrl: 'https://legwork.example/return',
        }),
      )
      await sandbox.control('POST', `accounts/${made.id}/submit`, { outcome: 'verified' })

      const ready = valueOf(await accounts.getAccount(made.id))
      const dashboard = valueOf(await accounts.createDashboardLink(made.id))
      const scheduled = await accounts.setPayoutSchedule(made.id)
      const bank = valueOf(await accounts.getBank(made.id))

      assert.equal(made.workerId, workerId)
      assert.notEqual(made.transfers, 'active')
      assert.equal(made.detailsSubmitted, false)
      assert(made.requirementsDue.length > 0)
      assert.equal(noBank, undefined)
      assert.equal(early.kind, 'definite')
      assert(link.expiresAt > new Date())
      assert.deepEqual(ready, {
        id: made.id,
        workerId,
        transfers: 'active',
        requirementsDue: [],
        detailsSubmitted: true,
        isClosed: false,
      })
      assert(URL.canParse(dashboard.url))
      assert.equal(scheduled.kind, 'ok')
      assert.equal(bank?.last4, '6789')
      assert.match(bank.fingerprint!, /^[\w-]{16}$/)
    })

  test('a transfer and its reversal are found by the task', async () => {
    await sandbox.control('POST', 'topups', { amount: 10_000 })
    const payout = payoutTo(await activeAccount())

    const sent = valueOf(await processor.createTransfer(payout))
    const reversal = valueOf(
      await processor.reverseTransfer({
        transferId: sent.id,
        payoutId: payout.payoutId,
        amountCents: 110,
        key: fresh('reversal'),
      }),
    )
    const [found] = valueOf(await processor.listTransfers(payout.taskId))
    const repeated = valueOf(await processor.createTransfer(payout))

    assert.equal(sent.payoutId, payout.payoutId)
    assert.equal(found?.id, sent.id)
    assert.equal(found?.reversedCents, 110)
    assert.deepEqual(found?.reversals, [reversal])
    assert.deepEqual(valueOf(await processor.getTransfer(sent.id)), found)
    assert.equal(repeated.id, sent.id)
  })

  test('refused, ambiguous and retryable results are distinguished', async () => {
    await sandbox.control('POST', 'topups', { amount: 10_000 })
    const accountId = await activeAccount()
    const faults = [
      ['reset_after', 2, 'ambiguous'],
      ['hang_after', 1, 'ambiguous'],
      ['error_after', 1, 'ambiguous'],
      ['error_before', 1, 'ambiguous'],
      ['html502', 1, 'ambiguous'],
      ['json_without_error', 1, 'ambiguous'],
      ['rate_limit', 1, 'retry_later'],
      ['lock_timeout', 1, 'retry_later'],
    ] as const

    for (const [mode, times, kind] of faults) {
      await sandbox.control('POST', 'faults', [{ match: 'POST /v1/transfers', mode, times }])
      assert.equal((await processor.createTransfer(payoutTo(accountId))).kind, kind, mode)
      await sandbox.control('DELETE', 'faults')
    }
    const tooMuch = await processor.createTransfer({
      ...payoutTo(accountId),
      amountCents: 99_999_999,
    })
    const unready = valueOf(
      await processor.createAccount({
        workerId: fresh('worker'),
        email: 'bob@example.com',
        name: 'Bob',
        country: 'US',
      }),
    )
    const notYet = await processor.createTransfer(payoutTo(unready.id))

    assert(tooMuch.kind === 'definite' && notYet.kind === 'definite')
    assert.equal(tooMuch.code, 'balance_insufficient')
    assert.equal(notYet.code, 'insufficient_capabilities_for_transfer')
  })
})

describe('the books', () => {
  test('the balance is the sum of the transactions, including withdrawals', async () => {
    await sandbox.control('POST', 'topups', { amount: 10_000 })

    const payout = valueOf(
      await processor.createBankPayout({
        withdrawalId: 'wd_1',
        amountCents: 1000,
        key: fresh('withdrawal'),
      }),
    )

    const all = await wholeOf(processor.listBalanceTransactions({ createdFrom: START }))
    const none = await wholeOf(
      processor.listBalanceTransactions({ createdFrom: START, createdTo: START }),
    )
    const balance = valueOf(await processor.getBalance())
    const booked = valueOf(await processor.getBalanceTransaction(payout.balanceTransactionId!))
    assert.equal(
      balance.availableCents + balance.pendingCents,
      all.reduce((sum, { netCents }) => sum + netCents, 0),
    )
    assert.deepEqual(none, [])
    assert.deepEqual([booked.type, booked.netCents, booked.sourceId], ['payout', -1000, payout.id])
    assert.equal(payout.withdrawalId, 'wd_1')
    assert.deepEqual(valueOf(await processor.getBankPayout(payout.id)).id, payout.id)
  })

  test('undelivered notifications are listed', async () => {
    await sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await sandbox.control('POST', 'endpoints', {
      kind: 'account',
      url: 'http://127.0.0.1:1/nobody',
      secret: 'whsec_nobody',
    })
    const { id } = valueOf(await newCheckout())
    await sandbox.pay(id)

    const missed = await wholeOf(processor.listUndeliveredEvents({ createdFrom: START }))

    const completed = missed.find(({ type }) => type === 'checkout.session.completed')
    assert.equal(completed?.objectId, id)
    assert.equal(completed?.objectType, 'checkout.session')
  })
})
