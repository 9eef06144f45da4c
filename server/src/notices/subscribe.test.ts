import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { addDevice, openPushService } from '../../test/devices.ts'

const market = await marketplace()
const service = await openPushService({ after })

const idsOf = async (worker: TestWorker): Promise<string[]> =>
  (await worker.get('/worker/push')).body.subscriptions.map(({ id }: Json) => id as string)

describe('POST /worker/push', () => {
  test('adds a device, which GET lists with its VAPID key, but without its URL and keys', async () => {
    const worker = await market.worker()
    const { endpoint, keys } = service.device()

    const { status, body } = await worker.post('/worker/push', { endpoint, keys, label: 'Phone' })
    const listed = await worker.get('/worker/push')

    assert.equal(status, 201)
    assert.deepEqual(body.subscription, {
      id: body.subscription.id,
      label: 'Phone',
      created_at: market.now().toISOString(),
    })
    assert.deepEqual(listed.body, {
      public_key: market.server.config.PUSH_PUBLIC_KEY,
      subscriptions: [body.subscription],
    })
    assert.equal(listed.text.includes(keys.auth), false)
  })

  test('the same device again is the same subscription, with new keys', async () => {
    const worker = await market.worker()
    const { endpoint, keys } = service.device()
    const other = service.device()

    const first = await worker.post('/worker/push', { endpoint, keys, label: 'Phone' })
    const again = await worker.post('/worker/push', { endpoint, keys: other.keys })

    assert.equal(again.status, 201)
    assert.deepEqual(again.body, first.body)
    const rows = await market.asOwner('select p256dh from push_subscriptions where endpoint = $1', [
      endpoint,
    ])
    assert.deepEqual(rows, [{ p256dh: other.keys.p256dh }])
  })

  test('a new endpoint of the same device replaces the old one, and keeps its id', async () => {
    const [worker, stranger] = [await market.worker(), await market.worker()]
    const old = await addDevice(service, worker)
    const [next, other] = [service.device(), service.device()]

    const { endpoint, keys } = next
    const replaced = await worker.post('/worker/push', { endpoint, keys, replaces: old.endpoint })
    await stranger.post('/worker/push', {
      endpoint: other.endpoint,
      keys: other.keys,
      replaces: endpoint,
    })

    assert.equal(replaced.body.subscription.id, old.id)
    assert.deepEqual(await idsOf(worker), [old.id])
  })

  test('a device that changes hands belongs to the next worker only, also in concurrent requests', async () => {
    const [ann, bob] = [await market.worker(), await market.worker()]
    const { endpoint, keys } = service.device()
    await ann.post('/worker/push', { endpoint, keys })

    await bob.post('/worker/push', { endpoint, keys })
    const after = [await idsOf(ann), await idsOf(bob)].map((ids) => ids.length)
    await Promise.all(
      [ann, bob, ann, bob].map((who) => who.post('/worker/push', { endpoint, keys })),
    )

    assert.deepEqual(after, [0, 1])
    assert.equal((await idsOf(ann)).length + (await idsOf(bob)).length, 1)
  })

  test('an eleventh device removes the oldest', async () => {
    const worker = await market.worker()
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1) {
      market.advance(1)
      ids.push((await addDevice(service, worker)).id)
    }

    assert.deepEqual(await idsOf(worker), ids.slice(2).toReversed())
  })

  const { keys } = service.device()
  const notOnTheCurve = Buffer.alloc(65, 7)
  notOnTheCurve[0] = 4
  for (const [path, body] of [
    ['endpoint', { endpoint: 'ftp://push.example/1', keys }],
    ['endpoint', { endpoint: 'https://169.254.169.254/latest', keys }],
    ['endpoint', { endpoint: 'https://10.0.0.1/', keys }],
    ['endpoint', { endpoint: 'https://metadata.internal/', keys }],
    ['endpoint', { endpoint: 'https://me:secret@push.example/', keys }],
    ['keys', { endpoint: service.origin }],
    ['keys.p256dh', { endpoint: service.origin, keys: { ...keys, p256dh: 'AAAA' } }],
    [
      'keys.p256dh',
      { endpoint: service.origin, keys: { ...keys, p256dh: notOnTheCurve.toString('base64url') } },
    ],
    ['keys.auth', { endpoint: service.origin, keys: { ...keys, auth: 'AAAA' } }],
  ] as const)
    test(`400 for ${path}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const worker = await market.worker()

      const refused = await worker.post('/worker/push', body)

      assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, path])
      assert.deepEqual(await idsOf(worker), [])
    })

  test('503 if push is not configured', async () => {
    const silent = await marketplace({ settings: { PUSH_PUBLIC_KEY: '', PUSH_PRIVATE_KEY: '' } })
    const worker = await silent.worker()
    const { endpoint, keys } = service.device()

    const { status, body } = await worker.post('/worker/push', { endpoint, keys })

    assert.deepEqual([status, body.code], [503, 'push_unavailable'])
  })
})

describe('DELETE /worker/push/:id', () => {
  test('removes the worker’s own device; 404 for another worker’s, which stays', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    const mine = await addDevice(service, worker)
    const theirs = await addDevice(service, other)

    const removed = await worker.delete(`/worker/push/${mine.id}`)
    const again = await worker.delete(`/worker/push/${mine.id}`)
    const wrong = await worker.delete(`/worker/push/${theirs.id}`)

    assert.equal(removed.status, 200)
    assert.deepEqual([again.status, again.body.code], [404, 'subscription_not_found'])
    assert.equal(wrong.status, 404)
    assert.deepEqual([await idsOf(worker), await idsOf(other)], [[], [theirs.id]])
  })
})
