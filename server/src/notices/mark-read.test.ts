import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { noticesOf, tell } from '../../test/notices.ts'

const market = await marketplace()

async function told(worker: TestWorker, times: number): Promise<Json[]> {
  for (let i = 0; i < times; i += 1) {
    market.advance(1)
    await tell(market, worker)
  }
  return noticesOf(worker)
}

describe('POST /worker/notices/read', () => {
  test('marks all notices up to one as read; later ones stay unread', async () => {
    const worker = await market.worker()
    const [newest, middle, oldest] = await told(worker, 3)
    market.advance(1000)

    const { status, body } = await worker.post('/worker/notices/read', { up_to: middle!.id })

    assert.deepEqual([status, body], [200, { unread: 1 }])
    const at = market.now().toISOString()
    assert.deepEqual(
      (await noticesOf(worker)).map(({ id, read_at }) => [id, read_at]),
      [
        [newest!.id, null],
        [middle!.id, at],
        [oldest!.id, at],
      ],
    )
  })

  test('keeps the first read time; other workers’ notices are not changed', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    await told(other, 2)
    const [notice] = await told(worker, 1)
    await worker.post('/worker/notices/read', { up_to: notice!.id })
    const at = market.now().toISOString()
    market.advance(1000)

    const again = await worker.post('/worker/notices/read', { up_to: notice!.id })

    assert.deepEqual(again.body, { unread: 0 })
    assert.equal((await noticesOf(worker))[0]!.read_at, at)
    assert.equal((await other.get('/worker/notices')).body.unread, 2)
  })

  test('400 for an invalid notice id', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/notices/read', { up_to: 'task_1' })

    assert.deepEqual([status, body.details[0].path], [400, 'up_to'])
  })
})
