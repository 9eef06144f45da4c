import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace({ processor: true })
/** An older platform, which uses the processor's v1 accounts API. */
const older = await marketplace({ processor: true, settings: { CONNECT_ACCOUNTS_API: 'v1' } })

describe('GET /worker/stripe/status', () => {
  test('[4.6-status] shows a worker without an account as not connected', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.get('/worker/stripe/status')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      connected: false,
      account_id: null,
      status: 'not_connected',
      transfers_enabled: false,
      onboarding_required: true,
      requirements_due: [],
      bank_last4: null,
      next_payout_on: null,
    })
  })

  for (const [interfaceOf, place] of [
    ['second', market],
    ['first', older],
  ] as const)
    test(`[4.7-gap-processor] follows the worker’s account, by the processor’s ${interfaceOf} API`, async () => {
      const { control } = place.sandbox
      const worker = await place.worker()
      const connected = await worker.post('/worker/stripe/connect')
      const accountId = connected.body.account_id
      const shown = async () => {
        await place.settle()
        const { body } = await worker.get('/worker/stripe/status')
        assert.deepEqual([body.connected, body.account_id], [true, accountId])
        assert.equal((await worker.get('/worker/profile')).body.worker.payout_status, body.status)
        return [
          body.status,
          body.transfers_enabled,
          body.onboarding_required,
          body.requirements_due.length > 0,
        ]
      }
      const submit = (outcome: string) =>
        control('POST', `accounts/${accountId}/submit`, { outcome })
      const becomes = (status: string) =>
        control('POST', `accounts/${accountId}/capability`, { status })

      place.advance(60_000)
      assert.deepEqual(await shown(), ['onboarding', false, true, true])
      await submit('pending')
      assert.deepEqual(await shown(), ['pending_verification', false, false, false])
      await becomes('active')
      assert.deepEqual(await shown(), ['active', true, false, false])
      await becomes('restricted')
      assert.deepEqual(await shown(), ['restricted', false, true, true])
      await becomes('active')
      assert.deepEqual(await shown(), ['active', true, false, false])
      await becomes('rejected')
      assert.deepEqual(await shown(), ['rejected', false, false, false])
    })

  test('shows only the worker’s own account, and 401 without a token', async () => {
    const [one, other] = [await market.worker(), await market.worker()]
    await market.onboard(one)

    assert.equal((await other.get('/worker/stripe/status')).body.status, 'not_connected')
    assert.equal((await market.call('GET', '/worker/stripe/status')).status, 401)
  })
})
