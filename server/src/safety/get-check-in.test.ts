import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atWork, inMinutes } from '../../test/check-ins.ts'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/check-in', () => {
  test('200: null without a check-in, and only the worker’s own', async () => {
    const [one, other] = [await atWork(market), await atWork(market)]

    await one.set({ at: inMinutes(market, 5) })

    assert.equal((await one.current()).task_id, one.id)
    assert.equal(await other.current(), null)
  })
})
