import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask } from '../../test/questions.ts'

const market = await marketplace()
const HOUR = 3_600_000
const MORE = { text: 'It still did not arrive.' }

describe('POST /worker/questions/:id/replies', () => {
  test('201: reopens an answered question with a new deadline', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)
    market.advance(48 * HOUR)
    await answer(market, id)
    market.advance(HOUR)

    const { status, body } = await worker.post(`/worker/questions/${id}/replies`, MORE)

    assert.equal(status, 201)
    assert.deepEqual([body.question.status, body.question.closes_at], ['open', null])
    assert.equal(Date.parse(body.question.due_at), market.now().getTime() + 72 * HOUR)
  })

  test('201: adds to an open question, which keeps its deadline; the same text twice is one message', async () => {
    const worker = await market.worker()
    const { id, due_at } = await ask(worker)
    market.advance(HOUR)

    await worker.post(`/worker/questions/${id}/replies`, MORE)
    const { body } = await worker.post(`/worker/questions/${id}/replies`, MORE)

    assert.deepEqual([body.question.message_count, body.question.due_at], [2, due_at])
  })

  test('409: a closed question, and nothing is added', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)
    await worker.post(`/worker/questions/${id}/close`)

    const { status, body } = await worker.post(`/worker/questions/${id}/replies`, MORE)

    assert.deepEqual([status, body.code], [409, 'question_closed'])
    const after = await worker.get(`/worker/questions/${id}`)
    assert.equal(after.body.question.message_count, 1)
  })

  test('409: a twentieth message, which is kept for our answer', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)
    for (let i = 2; i <= 19; i += 1)
      await worker.post(`/worker/questions/${id}/replies`, { text: `And ${i}` })

    const { status, body } = await worker.post(`/worker/questions/${id}/replies`, MORE)
    await answer(market, id)

    assert.deepEqual([status, body.code], [409, 'question_full'])
    const after = await worker.get(`/worker/questions/${id}`)
    const { message_count, status: now, can_reply } = after.body.question
    assert.deepEqual([message_count, now, can_reply], [20, 'answered', false])
  })

  test('404: another worker’s question', async () => {
    const { id } = await ask(await market.worker())
    const stranger = await market.worker()

    const { status, body } = await stranger.post(`/worker/questions/${id}/replies`, MORE)

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
