import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'

const MINUTE = 60_000
const market = await marketplace({
  processor: true,
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0 },
})
const bare = await marketplace()
const { control } = market.sandbox
afterEachHere(() => control('DELETE', 'faults'))

const accountsOf = async (workerId: string) => {
  const { data } = await control('GET', 'objects/account')
  return (
    data as { id: string; metadata: { worker_id?: string }; country: string; email: string }[]
  ).filter(({ metadata }) => metadata.worker_id === workerId)
}
const fault = (match: string, mode: string, more: object = {}) =>
  control('POST', 'faults', [{ match, mode, times: 5, ...more }])
const ACCOUNTS = 'POST /v2/core/accounts$'
/** Long, because this key decrypts a sealed response. */
const key = (name: string) => ({ 'idempotency-key': `connect-${name}-0123456789` })

describe('POST /worker/stripe/connect', () => {
  test('[4.6-connect] opens an account at the processor and links to its onboarding', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/stripe/connect', { country: 'de' })

    assert.equal(status, 200)
    const [account, ...more] = await accountsOf(worker.id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [account!.id, account!.country, account!.email],
      [body.account_id, 'DE', worker.email],
    )
    assert.equal(body.status, 'onboarding')
    assert(body.onboarding_url.startsWith(`${market.sandbox.url}/setup/`))
    assert(new Date(body.expires_at) > market.now())
    const page = await fetch(body.onboarding_url)
    assert.equal(page.status, 200)
    await page.body?.cancel()
  })

  test('a repeated request gives a new link to the same account', async () => {
    const worker = await market.worker()

    const first = await worker.post('/worker/stripe/connect')
    const second = await worker.post('/worker/stripe/connect', { country: 'FR' })

    assert.equal(second.body.account_id, first.body.account_id)
    assert.notEqual(second.body.onboarding_url, first.body.onboarding_url)
    const accounts = await accountsOf(worker.id)
    assert.deepEqual(
      accounts.map(({ country }) => country),
      ['US'],
    )
  })

  test('eight concurrent requests create one account', async () => {
    const worker = await market.worker()

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => worker.post('/worker/stripe/connect')),
    )

    // While the processor is still creating the account for one request, the others may get a 503.
    for (const { status } of replies) assert([200, 503].includes(status))
    assert.equal((await accountsOf(worker.id)).length, 1)
    assert.equal((await worker.post('/worker/stripe/connect')).status, 200)
  })

  test('does not store the link in a table, except sealed under an idempotency key', async () => {
    const worker = await market.worker()

    const { body } = await worker.post('/worker/stripe/connect', {}, key('secret'))

    const token = body.onboarding_url.split('/').at(-1)
    const [kept] = await market.asOwner(
      `select (select json_agg(a)::text from payout_accounts a) as accounts,
              (select json_agg(k)::text from idempotency_keys k) as keys,
              (select json_agg(o)::text from outbox o) as outbox`,
    )
    assert(!JSON.stringify(kept).includes(token))
    const again = await worker.post('/worker/stripe/connect', {}, key('secret'))
    assert.deepEqual(again.body, body)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  test('503 while the processor is down; then the same account, though its response was lost', async () => {
    for (const mode of ['hang_after', 'reset_after', 'error_before']) {
      const worker = await market.worker()
      await fault(ACCOUNTS, mode, { ms: 3000 })

      const refused = await worker.post('/worker/stripe/connect', {}, key(mode))
      await control('DELETE', 'faults')
      const { status, body } = await worker.post('/worker/stripe/connect', {}, key(mode))

      assert.deepEqual(
        [refused.status, refused.body.code],
        [503, 'processor_unavailable'],
        `${mode}: ${refused.text}`,
      )
      assert.equal(status, 200)
      assert.deepEqual(
        (await accountsOf(worker.id)).map(({ id }) => id),
        [body.account_id],
      )
    }
  })

  test('503 if the account exists and its link fails; nothing is lost', async () => {
    const worker = await market.worker()
    await fault('POST /v2/core/account_links', 'error_before')

    const refused = await worker.post('/worker/stripe/connect')
    await control('DELETE', 'faults')
    const { body } = await worker.post('/worker/stripe/connect')

    assert.equal(refused.status, 503)
    assert.deepEqual(
      (await accountsOf(worker.id)).map(({ id }) => id),
      [body.account_id],
    )
  })

  test('an interrupted account creation is completed by the timer', async () => {
    const worker = await market.worker()
    await fault(ACCOUNTS, 'hang_after', { ms: 3000 })
    await worker.post('/worker/stripe/connect')
    await control('DELETE', 'faults')
    assert.equal((await worker.get('/worker/stripe/status')).body.status, 'not_connected')

    market.advance(MINUTE)
    await market.settle()

    const { body } = await worker.get('/worker/stripe/status')
    assert.deepEqual([body.connected, body.status], [true, 'onboarding'])
    assert.equal((await accountsOf(worker.id)).length, 1)
  })

  test('409 if the processor opens no account; another country may be tried', async () => {
    const worker = await market.worker()
    await fault(ACCOUNTS, 'error_before', { status: 400, code: 'country_unsupported', times: 1 })

    const refused = await worker.post('/worker/stripe/connect', { country: 'AQ' })
    await fault(ACCOUNTS, 'error_before', { status: 400, code: 'country_unsupported', times: 1 })
    const { status } = await worker.post('/worker/stripe/connect', { country: 'DE' })

    assert.deepEqual([refused.status, refused.body.code], [409, 'account_refused'])
    assert.equal(status, 200)
    assert.deepEqual(
      (await accountsOf(worker.id)).map(({ country }) => country),
      ['DE'],
    )
  })

  test('another country does not create a second account after a lost response', async () => {
    const worker = await market.worker()
    await fault(ACCOUNTS, 'hang_after', { ms: 3000 })
    await worker.post('/worker/stripe/connect', { country: 'US' })
    await control('DELETE', 'faults')

    const { status, body } = await worker.post('/worker/stripe/connect', { country: 'DE' })

    assert.equal(status, 200)
    assert.deepEqual(
      (await accountsOf(worker.id)).map(({ id, country }) => [id, country]),
      [[body.account_id, 'US']],
    )
  })

  test('409 for an account that was rejected or closed', async () => {
    const rejected = await market.worker()
    const { body } = await rejected.post('/worker/stripe/connect')
    await control('POST', `accounts/${body.account_id}/submit`, { outcome: 'rejected' })
    const closed = await market.worker()
    const accountId = await market.onboard(closed)
    await fetch(`${market.sandbox.url}/v2/core/accounts/${accountId}/close`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/json' },
      body: '{}',
    })
    await market.settle()

    const replies = [
      await rejected.post('/worker/stripe/connect'),
      await closed.post('/worker/stripe/connect'),
    ]

    assert.deepEqual(
      replies.map(({ status, body: { code } }) => [status, code]),
      [
        [409, 'account_rejected'],
        [409, 'account_closed'],
      ],
    )
  })

  test('409 for a worker of test mode, with a clear message', async () => {
    const worker = await market.worker({ mode: 'test' })

    const { status, body } = await worker.post('/worker/stripe/connect')

    assert.deepEqual([status, body.code], [409, 'test_worker'])
    assert.match(body.error, /test mode earn play money/)
    assert.deepEqual(await accountsOf(worker.id), [])
  })

  test('400 for an invalid country', async () => {
    const worker = await market.worker()

    for (const country of ['USA', 'U', '12', 5]) {
      const { status, body } = await worker.post('/worker/stripe/connect', { country })
      assert.deepEqual([status, body.details[0].path], [400, 'country'])
    }
  })

  test('503 payments_unavailable on a server without a processor', async () => {
    const worker = await bare.worker()

    const replies = [
      await worker.post('/worker/stripe/connect'),
      await worker.post('/worker/stripe/dashboard'),
    ]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [503, 'payments_unavailable'])
  })

  test('401 without a token, and with an API key', async () => {
    const agent = await market.agent()

    for (const reply of [
      await market.call('POST', '/worker/stripe/connect'),
      await agent.post('/worker/stripe/connect'),
    ])
      assert.deepEqual([reply.status, reply.body.code], [401, 'invalid_token'])
  })
})
