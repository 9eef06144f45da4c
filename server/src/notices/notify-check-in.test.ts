import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atWork, inMinutes, pass } from '../../test/check-ins.ts'
import { marketplace } from '../../test/harness.ts'
import { noticesOf } from '../../test/notices.ts'

const market = await marketplace()

describe('a worker who asked to be checked on', () => {
  test('is asked once, at the chosen time', async () => {
    const { id, worker, set } = await atWork(market)
    await set({ at: inMinutes(market, 5) })

    await pass(market, 4)
    const before = await noticesOf(worker)
    await pass(market, 1)
    await pass(market, 15)

    const notices = await noticesOf(worker)
    assert.deepEqual(before, [])
    assert.deepEqual(
      notices.map(({ kind, task_id }) => [kind, task_id]),
      [['check_in', id]],
    )
  })
})
