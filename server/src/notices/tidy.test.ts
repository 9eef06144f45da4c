import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { addDevice, openPushService } from '../../test/devices.ts'
import { tellWorker } from './tell.ts'
import { tidy } from './tidy.ts'

const DAY = 86_400_000
const market = await marketplace()
const service = await openPushService({ after })

const tell = (worker: TestWorker, cause: string) =>
  market.db.transaction((tx) =>
    tellWorker(
      tx,
      { workerId: worker.id, kind: 'paid', cause, amountCents: 1, reason: cause },
      { config: market.server.config, now: market.now() },
    ),
  )

test('forgets notices of 90 days, and what closed accounts wished for', async () => {
  const [worker, closed] = [await market.worker(), await market.worker()]
  for (const one of [worker, closed]) {
    await addDevice(service, one)
    await one.put('/worker/alert', {})
  }
  await tell(worker, 'old')
  market.advance(DAY)
  await tell(worker, 'young')
  market.advance(90 * DAY - 1)
  await market.asOwner(`update workers set status = 'closed' where id = $1`, [closed.id])

  await tidy.run({ ...market.background, payload: undefined })

  const { token } = await market.tokens.sign({ workerId: worker.id, version: 1 }, market.now())
  const { body } = await market.client(token).get('/worker/notices')
  assert.deepEqual(
    body.notices.map(({ reason }: Json) => reason as string),
    ['young'],
  )
  for (const table of ['alerts', 'push_subscriptions'])
    assert.deepEqual(await market.asOwner(`select worker_id from ${table}`), [
      { worker_id: worker.id },
    ])
})
