import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('the alert of a worker', () => {
  test('can be absent, set, replaced and removed', async () => {
    const worker = await market.worker()
    const at = market.now().toISOString()

    const before = await worker.get('/worker/alert')
    const set = await worker.put('/worker/alert', { lat: 52.5, lng: 13.4, types: ['custom'] })
    const again = await worker.put('/worker/alert', { radius_km: 5, min_pay_cents: 300 })
    const shown = await worker.get('/worker/alert')
    const removed = await worker.delete('/worker/alert')

    const nothing = { lat: null, lng: null, radius_km: null, types: null, min_pay_cents: null }
    assert.deepEqual(before.body, { alert: null })
    assert.deepEqual(set.body, {
      alert: { ...nothing, lat: 52.5, lng: 13.4, types: ['custom'], created_at: at },
    })
    assert.deepEqual(again.body, {
      alert: { ...nothing, radius_km: 5, min_pay_cents: 300, created_at: at },
    })
    assert.deepEqual(shown.body, again.body)
    assert.equal(removed.status, 200)
    assert.deepEqual((await worker.get('/worker/alert')).body, { alert: null })
  })

  for (const [path, body] of [
    ['lat', { lat: 1 }],
    ['lat', { lat: 91, lng: 0 }],
    ['radius_km', { radius_km: 201 }],
    ['types.0', { types: ['housework'] }],
    ['min_pay_cents', { min_pay_cents: -1 }],
  ] as const)
    test(`400 for ${JSON.stringify(body)}`, async () => {
      const worker = await market.worker()

      const refused = await worker.put('/worker/alert', body)

      assert.deepEqual([refused.status, refused.body.details[0].path], [400, path])
      assert.deepEqual((await worker.get('/worker/alert')).body, { alert: null })
    })
})
