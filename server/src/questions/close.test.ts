import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask } from '../../test/questions.ts'

const market = await marketplace()

describe('POST /worker/questions/:id/close', () => {
  test('200: closes an answered question; closing it again changes nothing', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)
    await answer(market, id)

    const first = await worker.post(`/worker/questions/${id}/close`)
    market.advance(1000)
    const second = await worker.post(`/worker/questions/${id}/close`)

    const { status, due_at, closes_at, can_reply } = first.body.question
    assert.deepEqual([status, due_at, closes_at, can_reply], ['closed', null, null, false])
    assert.deepEqual(second.body.question, first.body.question)
  })

  test('200: closes a question without an answer, which makes room for another', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)

    await worker.post(`/worker/questions/${id}/close`)

    const again = await ask(worker)
    assert.notEqual(again.id, id)
  })

  test('404: another worker’s question', async () => {
    const { id } = await ask(await market.worker())
    const stranger = await market.worker()

    const { status, body } = await stranger.post(`/worker/questions/${id}/close`)

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
