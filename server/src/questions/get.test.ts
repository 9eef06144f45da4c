import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask } from '../../test/questions.ts'

const market = await marketplace()

describe('GET /worker/questions/:id', () => {
  test('200: shows the messages in order, without the operator’s name', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)
    await answer(market, id, 'It arrives tomorrow.')

    const { status, body, text } = await worker.get(`/worker/questions/${id}`)

    assert.equal(status, 200)
    assert.deepEqual(
      body.question.messages.map(({ author }: { author: string }) => author),
      ['worker', 'operator'],
    )
    assert(!text.includes('ada'))
  })

  test('404: another worker’s question', async () => {
    const { id } = await ask(await market.worker())
    const stranger = await market.worker()

    const { status, body } = await stranger.get(`/worker/questions/${id}`)

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
