import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { runEverywhere } from '../../test/run-sweep.ts'
import { addDevice, openPushService } from '../../test/devices.ts'
import { noticesOf, tell } from '../../test/notices.ts'
import { tidy } from './tidy.ts'

const DAY = 86_400_000
const market = await marketplace()
const service = await openPushService({ after })

test('deletes notices after 90 days, and the settings of closed accounts', async () => {
  const [worker, closed] = [await market.worker(), await market.worker()]
  for (const one of [worker, closed]) {
    await addDevice(service, one)
    await one.put('/worker/alert', {})
  }
  await tell(market, worker)
  market.advance(DAY)
  const young = await tell(market, worker)
  market.advance(90 * DAY - 1)
  await market.asOwner(`update workers set status = 'closed' where id = $1`, [closed.id])

  await runEverywhere(market, tidy)

  const { token } = await market.tokens.sign({ workerId: worker.id, version: 1 }, market.now())
  const left = await noticesOf(market.client(token))
  assert.deepEqual(
    left.map(({ id }) => id as string),
    [young],
  )
  for (const table of ['alerts', 'push_subscriptions'])
    assert.deepEqual(await market.asOwner(`select worker_id from ${table}`), [
      { worker_id: worker.id },
    ])
})
