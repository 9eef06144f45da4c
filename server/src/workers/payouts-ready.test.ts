import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { setPayoutsReady } from './payouts-ready.ts'

const market = await marketplace()

const set = (workerId: string, isReady: boolean) =>
  market
    .at(workerId)
    .transaction((tx) => setPayoutsReady(tx, { workerId, isReady, now: market.now() }))
const read = (workerId: string) =>
  market.db.reader
    .selectFrom('workers')
    .select(['payouts_ready_at', 'identity_done_at'])
    .where('id', '=', workerId)
    .executeTakeFirstOrThrow()

describe('the payout readiness of a worker', () => {
  test('has a start time; the identity is verified since the first time', async () => {
    const { id } = await market.worker()
    const first = market.now()

    await set(id, true)
    market.advance(1000)
    await set(id, true)

    assert.deepEqual(await read(id), { payouts_ready_at: first, identity_done_at: first })

    await set(id, false)
    assert.deepEqual(await read(id), { payouts_ready_at: null, identity_done_at: first })

    await set(id, true)
    assert.deepEqual(await read(id), { payouts_ready_at: market.now(), identity_done_at: first })
  })
})
