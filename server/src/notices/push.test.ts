import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Marketplace, marketplace, pushKeys, type TestWorker } from '../../test/harness.ts'
import { addDevice, openPushService, readVapid } from '../../test/devices.ts'
import { noticesOf, run, tell } from '../../test/notices.ts'
import { pushNotice } from './push.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const market = await marketplace()
const service = await openPushService({ after })

/** Inserts a device directly, where the server would not accept one. */
async function plantDevice(worker: TestWorker, on: Marketplace) {
  const device = service.device()
  await on.asOwner(
    `insert into push_subscriptions (id, worker_id, endpoint, p256dh, auth, created_at)
     values ('psh_1', $1, $2, $3, $4, now())`,
    [worker.id, device.endpoint, device.keys.p256dh, device.keys.auth],
  )
  return device
}

const waiting = async (id: string) =>
  (
    await market.db.reader
      .selectFrom('notices')
      .select('push_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).push_at

describe('a push', () => {
  test('can be decrypted only by the device, and contains the notice', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    const until = new Date(market.now().getTime() + HOUR)

    const task = { id: 'task_7', title: 'Look at it', agentName: 'Atlas' }
    const id = await tell(market, worker, { kind: 'disputed', task, amountCents: 410, until })
    await run(market)

    assert.deepEqual(device.read(), [
      {
        notice_id: id,
        kind: 'disputed',
        task_id: 'task_7',
        title: 'Look at it',
        agent_name: 'Atlas',
        amount_cents: 410,
        distance_km: null,
        until: until.toISOString(),
        unread: 1,
      },
    ])
    assert.equal(device.received()[0]!.bytes.includes('Atlas'), false)
    assert.equal(await waiting(id), null)
  })

  test('of pay contains the tip', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)

    await tell(market, worker, { kind: 'paid', amountCents: 410, tipCents: 100 })
    await run(market)

    const [pushed] = device.read() as { amount_cents: number; tip_cents: number }[]
    assert.deepEqual([pushed!.amount_cents, pushed!.tip_cents], [410, 100])
  })

  test('is signed for its service, with TTL and urgency', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    const until = new Date(market.now().getTime() + 5 * MINUTE)

    await tell(market, worker)
    await tell(market, worker, { kind: 'half_time', until, isPressing: true })
    await run(market)

    const [paid, half] = device.received().map(({ headers }) => headers)
    const { claims, key } = readVapid(paid!.authorization)
    assert.deepEqual(
      [claims.aud, claims.sub, key],
      [service.origin, 'mailto:no-reply@localhost', market.server.config.PUSH_PUBLIC_KEY],
    )
    assert(claims.exp > Date.now() / 1000 && claims.exp < Date.now() / 1000 + 24 * 3600)
    assert.deepEqual([paid!.ttl, paid!.urgency], [String(72 * 3600), 'normal'])
    assert.deepEqual([half!.ttl, half!.urgency], ['300', 'high'])
    assert.deepEqual(
      [paid!['content-type'], paid!['content-encoding'], paid!['user-agent']],
      ['application/octet-stream', 'aes128gcm', 'Legwork-Push/1'],
    )
    assert.match(String(paid!.topic), /^[\w-]{32}$/)
    assert.notEqual(paid!.topic, half!.topic)
  })

  test('is sent to each device once, however often it is requested', async () => {
    const worker = await market.worker()
    const devices = [await addDevice(service, worker), await addDevice(service, worker)]

    const id = await tell(market, worker, { cause: 'told twice' })
    await tell(market, worker, { cause: 'told twice' })
    await run(market)
    await run(market)
    await pushNotice({ ...market.background, db: market.at(id) }, id)

    assert.deepEqual(
      devices.map((device) => device.read().map(({ notice_id }) => notice_id as string)),
      [[id], [id]],
    )
  })

  test('is not sent to a device from before its worker logged out everywhere', async () => {
    const worker = await market.worker()
    const lost = await addDevice(service, worker)
    await worker.delete('/worker/sessions')
    const { token } = await market.tokens.sign({ workerId: worker.id, version: 2 }, market.now())
    const again = { ...worker, token, ...market.client(token) }
    const kept = await addDevice(service, again)

    const id = await tell(market, worker)
    await run(market)
    const { body } = await again.get('/worker/push')

    assert.deepEqual(lost.read(), [])
    assert.deepEqual(
      kept.read().map(({ notice_id }) => notice_id as string),
      [id],
    )
    assert.equal(body.subscriptions.length, 1)
  })

  test('is retried after a temporary failure, for that device only, and not forever', async () => {
    const worker = await market.worker()
    const [well, ill] = [await addDevice(service, worker), await addDevice(service, worker)]
    ill.answerWith(503)

    const id = await tell(market, worker)
    await run(market)
    const first = await waiting(id)
    for (let i = 0; i < 8; i += 1) {
      market.advance(2 * HOUR)
      await run(market)
    }

    assert.equal(first!.getTime() - market.now().getTime() + 16 * HOUR, MINUTE / 2)
    assert.equal(ill.received().length, 5)
    assert.equal(well.received().length, 1)
    assert.equal(await waiting(id), null)
  })

  test('is retried after Retry-After, at most an hour later', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    const after = async (seconds: number) => {
      device.answerWith(429, { 'retry-after': String(seconds) })
      const id = await tell(market, worker)
      await run(market)
      return ((await waiting(id))!.getTime() - market.now().getTime()) / 1000
    }

    assert.equal(await after(300), 300)
    assert.equal(await after(1), 30)
    assert.equal(await after(86_400), 3600)
  })

  test('is not retried after a permanent refusal, and the device stays', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    device.answerWith(403)

    const id = await tell(market, worker)
    await run(market)
    market.advance(2 * HOUR)
    await run(market)

    assert.equal(device.received().length, 1)
    assert.equal(await waiting(id), null)
    assert.equal((await worker.get('/worker/push')).body.subscriptions.length, 1)
  })

  test('removes a device that responds 404 or 410', async () => {
    const worker = await market.worker()
    const [lost, gone] = [await addDevice(service, worker), await addDevice(service, worker)]
    const well = await addDevice(service, worker)
    lost.answerWith(404)
    gone.answerWith(410)

    await tell(market, worker)
    await run(market)
    await tell(market, worker)
    await run(market)

    const { body } = await worker.get('/worker/push')
    assert.deepEqual(
      body.subscriptions.map(({ id }: { id: string }) => id),
      [well.id],
    )
    assert.deepEqual(
      [lost, gone, well].map((device) => device.received().length),
      [1, 1, 2],
    )
  })

  test('that was lost with its process is sent again after some minutes', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)

    await tell(market, worker)
    await market.sweep()
    await market.events()
    await run(market)
    const before = device.received().length
    market.advance(6 * MINUTE)
    await run(market)

    assert.deepEqual([before, device.received().length], [0, 1])
  })
})

describe('notification settings', () => {
  const preferences = (notify: object) => ({ preferences: { notify } })
  /** Daily quiet hours from an hour ago to an hour from now. */
  const quietNow = () => {
    const time = (hours: number) =>
      new Date(market.now().getTime() + hours * HOUR).toISOString().slice(11, 16)
    return { quiet: { from: time(-1), to: time(1), tz: 'UTC' } }
  }

  test('a disabled kind is in the inbox, and not pushed', async () => {
    const worker = await market.worker(preferences({ paid: false }))
    const device = await addDevice(service, worker)

    await tell(market, worker)
    await tell(market, worker, { kind: 'cancelled' })
    await run(market)

    assert.deepEqual(
      device.read().map(({ kind }) => kind as string),
      ['cancelled'],
    )
    assert.equal((await noticesOf(worker)).length, 2)
  })

  test('a push waits until quiet hours end, unless it is urgent', async () => {
    const worker = await market.worker(preferences(quietNow()))
    const device = await addDevice(service, worker)
    const until = new Date(market.now().getTime() + MINUTE)

    await tell(market, worker)
    await tell(market, worker, { kind: 'half_time', until, isPressing: true })
    await run(market)
    const during = device.read().map(({ kind }) => kind as string)
    market.advance(HOUR)
    await run(market)

    assert.deepEqual(during, ['half_time'])
    assert.deepEqual(
      device.read().map(({ kind }) => kind as string),
      ['half_time', 'paid'],
    )
  })

  test('a change of the settings applies to a pending push', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    device.answerWith(503)

    const id = await tell(market, worker)
    await run(market)
    await worker.put('/worker/profile', preferences(quietNow()))
    market.advance(MINUTE)
    await run(market)
    const leftMs = (await waiting(id))!.getTime() - market.now().getTime()
    await worker.put('/worker/profile', preferences({ paid: false }))
    market.advance(24 * HOUR)
    await run(market)

    assert(leftMs > HOUR - 2 * MINUTE && leftMs <= HOUR)
    assert.equal(device.received().length, 1)
    assert.equal(await waiting(id), null)
  })

  test('an outdated push is dropped', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)
    device.answerWith(503)
    const until = new Date(market.now().getTime() + MINUTE)

    const id = await tell(market, worker, { kind: 'half_time', until, isPressing: true })
    await run(market)
    market.advance(2 * MINUTE)
    await run(market)

    assert.equal(device.received().length, 1)
    assert.equal(await waiting(id), null)
  })
})

describe('the push connection', () => {
  test('is checked when it is opened: a private IP address is never dialed', async () => {
    const guarded = await marketplace({ settings: { WEBHOOK_ALLOW_CIDRS: '' } })
    const worker = await guarded.worker()
    const device = await plantDevice(worker, guarded)

    await tell(guarded, worker)
    await run(guarded)

    assert.equal(device.received().length, 0)
    const metrics = await guarded.server.metrics.pushes.get()
    assert.deepEqual(
      metrics.values.map(({ labels, value }) => [labels.outcome, value]),
      [['failed', 1]],
    )
  })
})

describe('after the pair of push keys was replaced', () => {
  const [before, next] = [pushKeys(Buffer.alloc(32, 5)), pushKeys(Buffer.alloc(32, 6))]
  const keyOf = (header: string | undefined) => readVapid(header).key

  test('each device gets messages that are signed with its own key', async () => {
    const rotated = await marketplace({
      settings: { ...next, PUSH_OLD_PRIVATE_KEY: before.PUSH_PRIVATE_KEY },
    })
    const worker = await rotated.worker()
    const [old, fresh] = [service.device(), await addDevice(service, worker)]
    const { endpoint, keys } = old
    await worker.post('/worker/push', { endpoint, keys, public_key: before.PUSH_PUBLIC_KEY })
    const unknown = await plantDevice(worker, rotated)

    await tell(rotated, worker)
    await run(rotated)

    assert.deepEqual(
      [old, unknown, fresh].map((one) => keyOf(one.received()[0]?.headers.authorization)),
      [before.PUSH_PUBLIC_KEY, before.PUSH_PUBLIC_KEY, next.PUSH_PUBLIC_KEY],
    )
    assert.deepEqual(
      [old, fresh].map((one) => one.read()[0]!.server_key as string),
      [next.PUSH_PUBLIC_KEY, undefined],
      'a device with the old key is told to subscribe again',
    )
  })

  test('a device is removed once its key is', async () => {
    const removed = await marketplace({ settings: next })
    const worker = await removed.worker()
    const { endpoint, keys, received } = service.device()
    await worker.post('/worker/push', { endpoint, keys, public_key: before.PUSH_PUBLIC_KEY })

    await tell(removed, worker)
    await run(removed)

    assert.equal(received().length, 0)
    assert.deepEqual((await worker.get('/worker/push')).body.subscriptions, [])
  })
})

test('without push keys nothing is pushed or queued', async () => {
  const silent = await marketplace({ settings: { PUSH_PUBLIC_KEY: '', PUSH_PRIVATE_KEY: '' } })
  const worker = await silent.worker()
  const device = await plantDevice(worker, silent)

  await tell(silent, worker)
  await run(silent)

  assert.equal(device.received().length, 0)
  const { body } = await worker.get('/worker/push')
  assert.deepEqual([body.public_key, body.subscriptions.length], [null, 1])
  assert.equal((await worker.get('/worker/notices')).body.unread, 1)
})
