import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { tellWorker } from './tell.ts'

const market = await marketplace()

async function tell(worker: TestWorker, times: number): Promise<Json[]> {
  for (let i = 0; i < times; i += 1) {
    market.advance(1)
    await market.db.transaction((tx) =>
      tellWorker(
        tx,
        { workerId: worker.id, kind: 'paid', cause: `task_${i}` },
        { config: market.server.config, now: market.now() },
      ),
    )
  }
  return (await worker.get('/worker/notices')).body.notices
}

describe('POST /worker/notices/read', () => {
  test('notes when all up to one were read; those that came later are unread', async () => {
    const worker = await market.worker()
    const [newest, middle, oldest] = await tell(worker, 3)
    market.advance(1000)

    const { status, body } = await worker.post('/worker/notices/read', { up_to: middle!.id })

    assert.deepEqual([status, body], [200, { unread: 1 }])
    const { notices } = (await worker.get('/worker/notices')).body
    const at = market.now().toISOString()
    assert.deepEqual(
      notices.map(({ id, read_at }: Json) => [id, read_at]),
      [
        [newest!.id, null],
        [middle!.id, at],
        [oldest!.id, at],
      ],
    )
  })

  test('what was read stays as it was read; others’ notices are left alone', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    await tell(other, 2)
    const [notice] = await tell(worker, 1)
    await worker.post('/worker/notices/read', { up_to: notice!.id })
    const at = market.now().toISOString()
    market.advance(1000)

    const again = await worker.post('/worker/notices/read', { up_to: notice!.id })

    assert.deepEqual(again.body, { unread: 0 })
    assert.equal((await worker.get('/worker/notices')).body.notices[0].read_at, at)
    assert.equal((await other.get('/worker/notices')).body.unread, 2)
  })

  test('400 for what is no notice’s id', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/notices/read', { up_to: 'task_1' })

    assert.deepEqual([status, body.details[0].path], [400, 'up_to'])
  })
})
