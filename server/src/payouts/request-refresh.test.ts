import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace({ processor: true })

describe('POST /worker/stripe/refresh', () => {
  test('200: the known status; the processor is asked at once, without a notification', async () => {
    const worker = await market.worker()
    const connected = await worker.post('/worker/stripe/connect')
    const accountId = connected.body.account_id as string
    await market.settle()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await market.sandbox.control('POST', `accounts/${accountId}/submit`, { outcome: 'verified' })
    market.advance(5000)
    await market.work()
    const unasked = await worker.get('/worker/stripe/status')

    const first = await worker.post('/worker/stripe/refresh')
    await market.work()
    const after = await worker.get('/worker/stripe/status')
    const second = await worker.post('/worker/stripe/refresh')
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })

    assert.equal(unasked.body.status, 'onboarding')
    assert.equal(first.status, 200)
    assert.deepEqual(first.body, unasked.body)
    assert.equal(after.body.status, 'active')
    assert.deepEqual(second.body, after.body)
    assert.equal(await asked(worker.id), 0, 'an active account is not refreshed again')
  })

  test('200 without an account: nothing is requested', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/stripe/refresh')

    assert.equal(status, 200)
    assert.equal(body.status, 'not_connected')
    assert.equal(await asked(worker.id), 0)
  })

  test('does not refresh other workers’ accounts', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    await other.post('/worker/stripe/connect')
    await worker.post('/worker/stripe/connect')
    await market.work()
    market.advance(5000)

    await worker.post('/worker/stripe/refresh')

    assert.deepEqual([await asked(worker.id), await asked(other.id)], [1, 0])
  })
})

/** How many refreshes of the worker's account are queued. */
async function asked(workerId: string): Promise<number> {
  const rows = await market.asOwner(
    `select 1 from outbox where type = 'account.look' and data ->> 'id' = $1`,
    [workerId],
  )
  return rows.length
}
