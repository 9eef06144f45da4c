import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atWork, inMinutes, pass } from '../../test/check-ins.ts'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('POST /worker/tasks/:id/check-in/ok', () => {
  test('200: ends a missed check-in; answering again changes nothing', async () => {
    const { set, isFine, current } = await atWork(market)
    await set({ at: inMinutes(market, 5) })
    await pass(market, 5)
    await pass(market, 15)
    const missed = await current()

    const [first, second] = await Promise.all([isFine(), isFine()])

    assert(missed.missed_at !== null)
    assert.deepEqual([first.status, first.body, second.body], [200, { check_in: null }, first.body])
    assert.equal(await current(), null)
  })

  test('404 for a task that the worker never accepted', async () => {
    const { id } = await atWork(market)

    const { status, body } = await (await market.worker()).post(`/worker/tasks/${id}/check-in/ok`)

    assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
  })
})
