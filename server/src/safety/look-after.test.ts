import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atWork, inMinutes, pass } from '../../test/check-ins.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace()
const isListed = async () => (await ops(market, 'waiting')).out.includes('1 missed check-ins')

describe('safety.check-ins', () => {
  test('asks at the chosen time; 15 minutes later operators see it until they close it', async () => {
    const { worker, set, current } = await atWork(market)
    await set({ at: inMinutes(market, 30) })

    await pass(market, 29)
    const before = await current()
    await pass(market, 1)
    const asked = [await current(), await isListed()]
    await pass(market, 15)
    const late = [await current(), await isListed()]
    const closed = await ops(market, 'check-in', 'close', worker.id, 'A friend has seen Ada.')

    assert.equal(before.asked_at, null)
    assert.deepEqual(
      [asked[0].asked_at !== null, asked[0].missed_at, asked[1]],
      [true, null, false],
    )
    assert.deepEqual([late[0].missed_at !== null, late[1]], [true, true])
    assert.equal(closed.isBad, false, closed.out)
    assert.deepEqual([await current(), await isListed()], [null, false])
  })

  test('ends it with proof or an unsafe place, but not because the worker’s time ran out', async () => {
    const [proven, unsafe, silent] = [
      await atWork(market),
      await atWork(market),
      await atWork(market),
    ]
    for (const { set } of [proven, unsafe, silent]) await set({ at: inMinutes(market, 300) })
    await proven.worker.post(`/worker/tasks/${proven.id}/proof`, { text: 'Done' })
    await unsafe.worker.post(`/worker/tasks/${unsafe.id}/unsafe`)

    await pass(market, 299)
    await pass(market, 1)
    await pass(market, 15)

    assert.deepEqual([await proven.current(), await unsafe.current()], [null, null])
    assert((await silent.current()).missed_at !== null)
  })

  test('ends it with proof even after it was missed', async () => {
    const { id, worker, set, current } = await atWork(market)
    await set({ at: inMinutes(market, 5) })
    await pass(market, 5)
    await pass(market, 15)

    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
    await pass(market, 5)

    assert.equal(await current(), null)
  })
})
