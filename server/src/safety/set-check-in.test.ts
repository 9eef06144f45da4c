import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atWork, inMinutes } from '../../test/check-ins.ts'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('POST /worker/tasks/:id/check-in', () => {
  test('200: stores the time and whom to call; a new one replaces it', async () => {
    const { id, set } = await atWork(market)
    const at = inMinutes(market, 30)

    const { status, body } = await set({ at, contact: 'Ann, +1 555 0100' })
    const other = await set({ at: inMinutes(market, 60) })

    assert.equal(status, 200)
    assert.deepEqual(body.check_in, {
      task_id: id,
      at,
      contact: 'Ann, +1 555 0100',
      asked_at: null,
      missed_at: null,
    })
    assert.deepEqual([other.status, other.body.check_in.contact], [200, null])
  })

  test('400 for a time in the past or after a day; 404 for another’s task; 409 after proof', async () => {
    const { id, worker, set } = await atWork(market)
    const at = inMinutes(market, 5)

    const past = await set({ at: inMinutes(market, -1) })
    const far = await set({ at: inMinutes(market, 1441) })
    const foreign = await (await market.worker()).post(`/worker/tasks/${id}/check-in`, { at })
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
    const late = await set({ at })

    assert.deepEqual(
      [past, far, foreign, late].map(({ status, body }) => [status, body.code]),
      [
        [400, 'invalid_request'],
        [400, 'invalid_request'],
        [404, 'assignment_not_found'],
        [409, 'assignment_ended'],
      ],
    )
  })
})
