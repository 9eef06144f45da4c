import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { addDevice, openPushService } from '../../test/devices.ts'

const market = await marketplace()
const service = await openPushService({ after })

describe('POST /worker/push/:id/test', () => {
  test('pushes to this device only', async () => {
    const worker = await market.worker()
    const [one, other] = [await addDevice(service, worker), await addDevice(service, worker)]

    const { status } = await worker.post(`/worker/push/${one.id}/test`)
    await market.work()

    assert.equal(status, 202)
    const [pushed] = one.read()
    assert.deepEqual([pushed!.kind, pushed!.notice_id, pushed!.unread], ['test', null, 0])
    assert.deepEqual(other.received(), [])
  })

  test('removes a device that is gone', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    device.answerWith(410)

    await worker.post(`/worker/push/${device.id}/test`)
    await market.work()

    assert.deepEqual((await worker.get('/worker/push')).body.subscriptions, [])
  })

  test('404 for another worker’s device, without a push; 503 if push is not configured', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    const device = await addDevice(service, other)
    const silent = await marketplace({ settings: { PUSH_PUBLIC_KEY: '', PUSH_PRIVATE_KEY: '' } })

    const wrong = await worker.post(`/worker/push/${device.id}/test`)
    await market.work()
    const unavailable = await (await silent.worker()).post(`/worker/push/${device.id}/test`)

    assert.deepEqual([wrong.status, wrong.body.code], [404, 'subscription_not_found'])
    assert.deepEqual(device.received(), [])
    assert.deepEqual([unavailable.status, unavailable.body.code], [503, 'push_unavailable'])
  })
})
