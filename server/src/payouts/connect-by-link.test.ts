import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endAllLinks, objectBy, shutOut } from '../../test/decisions.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { completedBy, payoutsOfTask } from '../../test/payouts.ts'

const market = await marketplace({
  mail: true,
  processor: true,
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0, HOLD_HOURS: 0, HOLD_HOURS_NEW: 0 },
})
const PATH = '/worker/objections/payout-account'
const connect = (token: string, more: object = {}) =>
  market.call('POST', PATH, { body: { token, ...more } })
const show = async (token: string) =>
  (await market.call('GET', `/worker/objections?token=${token}`)).body
const accountsOf = async (workerId: string) => {
  const { data } = await market.sandbox.control('GET', 'objects/account')
  return (data as { id: string; metadata: { worker_id?: string }; country: string }[]).filter(
    ({ metadata }) => metadata.worker_id === workerId,
  )
}

describe('POST /worker/objections/payout-account', () => {
  test('[5-shut-out-account] a closed worker without an account adds one by the link, and is paid', async () => {
    await market.sandbox.control('POST', 'topups', { amount: 10_000 })
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 5000)
    const worker = await market.worker({ approvals: 100 })
    const task = await completedBy(agent, [worker])
    await market.settle()
    const { token } = await shutOut(market, worker, 'close')
    await objectBy(market, token)
    await ops(market, 'objection', worker.id, 'uphold', 'We looked')
    const [waiting] = await payoutsOfTask(market, task.id)
    const before = await show(token)

    const { status, body } = await connect(token, { country: 'de' })

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'onboarding_url', 'status'])
    assert(body.onboarding_url.startsWith(`${market.sandbox.url}/setup/`))
    const [account, ...more] = await accountsOf(worker.id)
    assert.deepEqual([account!.country, more], ['DE', []])
    await market.sandbox.control('POST', `accounts/${account!.id}/submit`, { outcome: 'verified' })
    await market.settle()
    const [paid] = await payoutsOfTask(market, task.id)
    const after = await show(token)
    assert.deepEqual([waiting!.status, paid!.status], ['awaiting_account', 'paid'])
    assert.deepEqual([before.payable_cents, before.payout_status], [820, 'not_connected'])
    assert.deepEqual([after.payable_cents, after.payout_status], [0, 'active'])
  })

  test('a repeated request gives a new link to the same account; the return URL has no token', async () => {
    const worker = await market.worker()
    const { token } = await shutOut(market, worker)

    const [first, second] = [await connect(token), await connect(token)]

    assert.notEqual(first.body.onboarding_url, second.body.onboarding_url)
    assert.equal((await accountsOf(worker.id)).length, 1)
    const page = await (await fetch(second.body.onboarding_url)).text()
    assert(page.includes('/objection'))
    assert(!page.includes(token))
  })

  test('400 with the same message for an unknown, an expired and a malformed link', async () => {
    const { token } = await shutOut(market, await market.worker())
    await endAllLinks(market)

    for (const link of [token, 'a'.repeat(43), '%']) {
      const { status, body } = await connect(link)
      assert.deepEqual(
        [status, body.code, body.error],
        [400, 'invalid_mail_link', 'This link is no longer valid; request a new one'],
      )
    }
    assert.equal((await connect('a'.repeat(5000))).status, 413)
  })

  test('409 after reactivation: the link no longer reaches the bank account', async () => {
    const worker = await market.worker()
    const { token } = await shutOut(market, worker)
    await ops(market, 'worker', 'reinstate', worker.id, 'x')

    const { status, body } = await connect(token)

    assert.deepEqual([status, body.code], [409, 'decision_ended'])
    assert.deepEqual(await accountsOf(worker.id), [])
  })

  test('a link of an earlier decision works while the account is still closed', async () => {
    const worker = await market.worker()
    const { token } = await shutOut(market, worker)
    await shutOut(market, worker, 'close')

    assert.equal((await connect(token)).status, 200)
  })
})
