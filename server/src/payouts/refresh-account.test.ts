import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'
import { payoutsOfTask } from '../../test/payouts.ts'
import type { Db } from '../kit/db.ts'
import type { Background } from '../kit/job.ts'
import { accountOf } from './queries.ts'
import { lookAtAccountSoon, refreshAccount } from './refresh-account.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const market = await marketplace({
  processor: true,
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0 },
})
const { control } = market.sandbox
await control('POST', 'topups', { amount: 1_000_000 })

const ACCOUNT = 'GET /v2/core/accounts'
const becomes = (accountId: string, status: string) =>
  control('POST', `accounts/${accountId}/capability`, { status })
const look = (accountId: string) => refreshAccount(market.background, accountId)
/** Stops notifications from the processor. */
const silence = () => control('POST', 'deliveries', { mode: 'hold' })
/** A worker whom the processor has verified without our knowing yet. */
async function checkedInSilence() {
  await silence()
  const worker = await market.worker()
  const { body } = await worker.post('/worker/stripe/connect')
  const accountId = body.account_id as string
  await control('POST', `accounts/${accountId}/submit`, { outcome: 'verified' })
  return { worker, accountId }
}
const readiness = async (workerId: string) => {
  const [row] = await market.asOwner(
    `select payouts_ready_at is not null as ready, identity_done_at is not null as identity
       from workers where id = $1`,
    [workerId],
  )
  return [row!.ready, row!.identity]
}

afterEachHere(async () => {
  await control('DELETE', 'faults')
  await control('POST', 'deliveries', { mode: 'normal' })
  await market.settle()
})

describe('refreshing an account', () => {
  test('that became active: the worker is verified, can be paid, and is paid to the bank weekly', async () => {
    const { worker, accountId } = await checkedInSilence()
    assert.deepEqual(await readiness(worker.id), [false, false])

    assert.equal(await look(accountId), 'done')

    assert.deepEqual(await readiness(worker.id), [true, true])
    const account = await accountOf(market.db.reader, worker.id)
    assert.deepEqual(
      [account!.status, account!.refreshed_at, account!.schedule_set_at],
      ['active', market.now(), market.now()],
    )
    const { badges } = (await worker.get('/worker/profile')).body.worker
    assert(badges.includes('payout_ready'))
    const settings = await fetch(`${market.sandbox.url}/v1/balance_settings`, {
      headers: { authorization: 'Bearer sk_test_sandbox', 'stripe-account': accountId },
    })
    const { payments } = (await settings.json()) as Json
    assert.equal(payments.payouts.schedule.interval, 'weekly')
  })

  test('learns the last digits of the bank account, and those of another one later', async () => {
    const { worker, accountId } = await checkedInSilence()
    const shown = async () => (await worker.get('/worker/stripe/status')).body as Json
    assert.equal((await shown()).bank_last4, null)

    await look(accountId)
    const first = await shown()
    await control('POST', `accounts/${accountId}/submit`, {
      outcome: 'verified',
      bank: { routing: '110000000', number: '000999998777' },
    })
    await look(accountId)

    assert.equal(first.bank_last4, '6789')
    assert.match(first.next_payout_on as string, /^\d{4}-\d\d-\d\d$/)
    assert.equal((await shown()).bank_last4, '8777')
  })

  test('keeps what it knows of the bank account while the processor does not tell', async () => {
    const { worker, accountId } = await checkedInSilence()
    await look(accountId)
    await control('POST', 'faults', [{ match: 'GET /v1/accounts', mode: 'html502', times: 5 }])

    assert.equal(await look(accountId), 'done')

    const { body } = await worker.get('/worker/stripe/status')
    assert.deepEqual([body.status, body.bank_last4], ['active', '6789'])
  })

  test('releases all payouts that waited for it', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const first = await market.taskIn(agent, 'completed', { budget_cents: 1000 })
    const worker = first.workers[0]!
    const second = await market.taskIn(agent, 'pending', { budget_cents: 2000 })
    await worker.post(`/worker/tasks/${second.id}/accept`)
    await worker.post(`/worker/tasks/${second.id}/proof`, { text: 'Done' })
    await agent.post(`/tasks/${second.id}/approve`)
    await market.settle()
    assert.equal(await market.payable(worker.id), 2460)

    await market.onboard(worker)

    assert.equal(await market.payable(worker.id), 0)
    for (const { id } of [first, second])
      assert.equal((await payoutsOfTask(market, id))[0]!.status, 'paid')
  })

  test('releases a payout that starts to wait at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      const task = await market.taskIn(agent, 'completed', { budget_cents: 1000 })
      const worker = task.workers[0]!
      await silence()
      const { body } = await worker.post('/worker/stripe/connect')
      await control('POST', `accounts/${body.account_id}/submit`, { outcome: 'verified' })

      await Promise.all([look(body.account_id), agent.post(`/tasks/${task.id}/payout`)])
      await market.sweep()
      await market.work()

      assert.equal((await payoutsOfTask(market, task.id))[0]!.status, 'paid')
    }
  })

  test('that is no longer active: the badge is removed, and the identity stays verified', async () => {
    const worker = await market.worker()
    const accountId = await market.onboard(worker)

    await becomes(accountId, 'restricted')
    await market.settle()

    assert.deepEqual(await readiness(worker.id), [false, true])
    const { body } = await worker.get('/worker/profile')
    assert.equal(body.worker.payout_status, 'restricted')
    assert(!body.worker.badges.includes('payout_ready'))
  })

  test('that is not ours: ignored, without a request', async () => {
    assert.equal(await look('acct_of_another_platform'), 'unknown')
  })

  test('sixteen times at once during a change ends with the current state', async () => {
    const { worker, accountId } = await checkedInSilence()

    await Promise.all([
      ...Array.from({ length: 8 }, () => look(accountId)),
      becomes(accountId, 'pending').then(() => becomes(accountId, 'active')),
      ...Array.from({ length: 8 }, () => look(accountId)),
    ])
    await look(accountId)

    assert.equal((await accountOf(market.db.reader, worker.id))!.status, 'active')
    assert.deepEqual(await readiness(worker.id), [true, true])
  })

  test('does not overwrite a newer result with an older one', async () => {
    const { worker, accountId } = await checkedInSilence()
    await becomes(accountId, 'pending')
    const { background } = market
    const newerHasWritten = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    const shard = market.at(worker.id)
    const heldShard: Db = {
      ...shard,
      async transaction(work) {
        isAsked.resolve()
        await newerHasWritten.promise
        return shard.transaction(work)
      },
    }
    const shards = { ...background.db.shards, at: () => heldShard }
    const held: Background = { ...background, db: { ...background.db, shards } }

    const older = refreshAccount(held, accountId)
    await isAsked.promise
    await becomes(accountId, 'active')
    await look(accountId)
    newerHasWritten.resolve()
    await older

    assert.equal((await accountOf(market.db.reader, worker.id))!.status, 'active')
  })

  test('that is unreachable: it stays unchanged, and is refreshed later', async () => {
    const worker = await market.worker()
    const accountId = await market.onboard(worker)
    await control('POST', 'faults', [{ match: ACCOUNT, mode: 'html502', times: 5 }])

    assert.equal(await look(accountId), 'waiting')

    const account = await accountOf(market.db.reader, worker.id)
    assert.equal(account!.status, 'active')
    assert(account!.check_at! > market.now())
  })

  test('that the processor does not know: not treated as closed, since the fault may be ours', async () => {
    const worker = await market.worker()
    const accountId = await market.onboard(worker)
    await control('POST', 'faults', [
      { match: ACCOUNT, mode: 'error_before', status: 404, code: 'resource_missing' },
    ])

    assert.equal(await look(accountId), 'waiting')

    assert.equal((await accountOf(market.db.reader, worker.id))!.status, 'active')
  })

  test('whose schedule could not be set: the next refresh sets it', async () => {
    const { worker, accountId } = await checkedInSilence()
    await control('POST', 'faults', [
      { match: 'POST /v1/balance_settings', mode: 'error_before', times: 5 },
    ])
    await look(accountId)
    assert.equal((await accountOf(market.db.reader, worker.id))!.schedule_set_at, null)
    await control('DELETE', 'faults')

    await look(accountId)

    assert.deepEqual((await accountOf(market.db.reader, worker.id))!.schedule_set_at, market.now())
  })

  test('that was closed: never refreshed again by the timer', async () => {
    const worker = await market.worker()
    const accountId = await market.onboard(worker)
    await fetch(`${market.sandbox.url}/v2/core/accounts/${accountId}/close`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/json' },
      body: '{}',
    })
    await market.settle()

    const account = await accountOf(market.db.reader, worker.id)
    assert.deepEqual([account!.status, account!.check_at], ['closed', null])
    assert.deepEqual(await readiness(worker.id), [false, true])
  })
})

describe('without a notification from the processor', () => {
  test('a new account is refreshed within minutes', async () => {
    const { worker } = await checkedInSilence()

    market.advance(5 * MINUTE)
    await market.sweep()
    await market.work()

    assert.equal((await accountOf(market.db.reader, worker.id))!.status, 'active')
  })

  test('an active account is refreshed daily', async () => {
    const worker = await market.worker()
    const accountId = await market.onboard(worker)
    await silence()
    await becomes(accountId, 'restricted')
    const lookNow = async () => {
      await market.sweep()
      await market.work()
      return (await accountOf(market.db.reader, worker.id))!.status
    }

    market.advance(DAY - MINUTE)
    assert.equal(await lookNow(), 'active')
    market.advance(MINUTE)
    assert.equal(await lookNow(), 'restricted')
  })

  test('a worker who returns from onboarding is refreshed once, at once', async () => {
    const { worker } = await checkedInSilence()
    const comeBack = () =>
      market
        .at(worker.id)
        .transaction((tx) => lookAtAccountSoon(tx, { workerId: worker.id, now: market.now() }))

    await comeBack()
    await market.work()
    assert.equal((await accountOf(market.db.reader, worker.id))!.status, 'active')
    await comeBack()

    assert.deepEqual(await market.events(), [])
  })
})
