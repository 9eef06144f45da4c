import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ask, QUESTION } from '../../test/questions.ts'

const market = await marketplace()

describe('GET /worker/questions', () => {
  test('200: lists the worker’s own questions, newest first, in pages', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    await ask(other)
    const ids: string[] = []
    for (let i = 0; i < 3; i += 1) {
      ids.unshift((await ask(worker, { ...QUESTION, text: `${QUESTION.text} ${i}` })).id)
      market.advance(1000)
    }

    const { body: first } = await worker.get('/worker/questions?limit=2')
    const { body: second } = await worker.get(
      `/worker/questions?limit=2&cursor=${first.next_cursor}`,
    )

    const shown = [...first.questions, ...second.questions].map(({ id }: { id: string }) => id)
    assert.deepEqual(shown, ids)
    assert.equal(second.next_cursor, null)
    assert.equal(second.questions[0].text, `${QUESTION.text} 0`)
  })
})
