import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../../test/harness.ts'
import { tell } from '../../test/notices.ts'

const market = await marketplace()

async function tellOften(worker: TestWorker, times: number): Promise<void> {
  for (let amountCents = 0; amountCents < times; amountCents += 1) {
    market.advance(1)
    await tell(market, worker, { amountCents })
  }
}

const amounts = (body: Json) =>
  body.notices.map(({ amount_cents }: Json) => amount_cents as number) as number[]

describe('GET /worker/notices', () => {
  test('lists the worker’s notices, newest first, page by page, with the unread count', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    await tellOften(worker, 5)
    await tellOften(other, 1)

    const first = await worker.get('/worker/notices?limit=2')
    const second = await worker.get(`/worker/notices?limit=2&cursor=${first.body.next_cursor}`)
    const third = await worker.get(`/worker/notices?limit=2&cursor=${second.body.next_cursor}`)

    assert.equal(first.status, 200)
    assert.deepEqual(
      [first, second, third].map(({ body }) => amounts(body)),
      [[4, 3], [2, 1], [0]],
    )
    assert.deepEqual([first.body.unread, third.body.next_cursor], [5, null])
  })

  test('a notice that arrives between two pages neither repeats nor hides another', async () => {
    const worker = await market.worker()
    await tellOften(worker, 3)

    const { body } = await worker.get('/worker/notices?limit=2')
    await tell(market, worker, { amountCents: 9 })
    const next = await worker.get(`/worker/notices?limit=2&cursor=${body.next_cursor}`)

    assert.deepEqual([amounts(body), amounts(next.body)], [[2, 1], [0]])
  })

  test('is empty for a new worker; 400 for an invalid cursor, 401 without a token', async () => {
    const worker = await market.worker()

    const empty = await worker.get('/worker/notices')
    const wrong = await worker.get('/worker/notices?cursor=3')
    const stranger = await market.call('GET', '/worker/notices')

    assert.deepEqual(empty.body, { notices: [], unread: 0, next_cursor: null })
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [400, 'cursor'])
    assert.equal(stranger.status, 401)
  })
})
