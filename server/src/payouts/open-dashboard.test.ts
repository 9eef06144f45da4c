import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { afterEachHere } from '../../test/hooks.ts'

const market = await marketplace({
  processor: true,
  settings: { STRIPE_TIMEOUT_MS: 1000, STRIPE_RETRIES: 0 },
})
const { control } = market.sandbox
afterEachHere(() => control('DELETE', 'faults'))
const key = { 'idempotency-key': 'dashboard-0123456789-0123456789' }

describe('POST /worker/stripe/dashboard', () => {
  test('[4.6-dashboard] links to the processor’s dashboard, by a link that works once', async () => {
    const worker = await market.worker()
    await market.onboard(worker)

    const { status, body } = await worker.post('/worker/stripe/dashboard')

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['dashboard_url'])
    assert(body.dashboard_url.startsWith(`${market.sandbox.url}/express/`))
    const next = await worker.post('/worker/stripe/dashboard')
    assert.notEqual(next.body.dashboard_url, body.dashboard_url)
  })

  test('works as soon as the processor knows of the onboarding, before we do', async () => {
    const worker = await market.worker()
    const { body } = await worker.post('/worker/stripe/connect')
    await control('POST', 'deliveries', { mode: 'hold' })
    await control('POST', `accounts/${body.account_id}/submit`, { outcome: 'pending' })

    const { status } = await worker.post('/worker/stripe/dashboard')

    assert.equal(status, 200)
    await control('POST', 'deliveries', { mode: 'normal' })
    await market.settle()
  })

  test('409 onboarding_required with a new link, before onboarding', async () => {
    const worker = await market.worker()
    const connected = await worker.post('/worker/stripe/connect')

    const { status, body } = await worker.post('/worker/stripe/dashboard')

    assert.deepEqual([status, body.code], [409, 'onboarding_required'])
    assert(body.onboarding_url.startsWith(`${market.sandbox.url}/setup/`))
    assert.notEqual(body.onboarding_url, connected.body.onboarding_url)
  })

  test('409 with a link for a worker without an account, which is opened', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/stripe/dashboard')

    assert.deepEqual([status, body.code], [409, 'onboarding_required'])
    assert(body.onboarding_url.startsWith(`${market.sandbox.url}/setup/`))
    const shown = await worker.get('/worker/stripe/status')
    assert.deepEqual([shown.body.connected, shown.body.status], [true, 'onboarding'])
  })

  test('409 with a link is not stored: after onboarding the same key opens the dashboard', async () => {
    const worker = await market.worker()
    const refused = await worker.post('/worker/stripe/dashboard', undefined, key)
    await market.onboard(worker)

    const first = await worker.post('/worker/stripe/dashboard', undefined, key)
    const second = await worker.post('/worker/stripe/dashboard', undefined, key)

    assert.equal(refused.status, 409)
    assert.equal(first.status, 200)
    assert.equal(second.text, first.text)
    const stored = JSON.stringify(await market.asOwner('select answer from idempotency_keys'))
    assert(!stored.includes(refused.body.onboarding_url.split('/').at(-1)))
    assert(!stored.includes(first.body.dashboard_url.split('/').at(-1)))
  })

  test('a rejected worker still reaches the dashboard, where money may be left', async () => {
    const worker = await market.worker()
    const { body } = await worker.post('/worker/stripe/connect')
    await control('POST', `accounts/${body.account_id}/submit`, { outcome: 'rejected' })
    await market.settle()

    const { status } = await worker.post('/worker/stripe/dashboard')

    assert.equal(status, 200)
  })

  test('409 account_rejected if the processor allows no login', async () => {
    const worker = await market.worker()
    const { body } = await worker.post('/worker/stripe/connect')
    await control('POST', `accounts/${body.account_id}/submit`, { outcome: 'rejected' })
    await market.settle()
    const match = 'POST /v1/accounts/[^/]+/login_links'
    await control('POST', 'faults', [
      { match, mode: 'error_before', status: 400, code: 'rejected' },
    ])

    const reply = await worker.post('/worker/stripe/dashboard')

    assert.deepEqual([reply.status, reply.body.code], [409, 'account_rejected'])
  })

  test('503 while the processor is down', async () => {
    const worker = await market.worker()
    await market.onboard(worker)
    const match = 'POST /v1/accounts/[^/]+/login_links'
    await control('POST', 'faults', [{ match, mode: 'html502', times: 5 }])

    const { status, body } = await worker.post('/worker/stripe/dashboard')

    assert.deepEqual([status, body.code], [503, 'processor_unavailable'])
  })

  test('409 for a worker of test mode', async () => {
    const worker = await market.worker({ mode: 'test' })

    const { status, body } = await worker.post('/worker/stripe/dashboard')

    assert.deepEqual([status, body.code], [409, 'test_worker'])
  })
})
