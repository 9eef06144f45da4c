import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { noticesOf } from '../../test/notices.ts'
import { opsByTwo } from '../../test/ops.ts'
import { answer, ask } from '../../test/questions.ts'

const market = await marketplace({ mail: true })

describe('a worker is notified of an answer', () => {
  test('by a notice that names the question, and an email with the answer', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)

    await answer(market, id, 'It arrives tomorrow.')

    const [notice, ...others] = await noticesOf(worker)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [notice!.kind, notice!.question_id, notice!.reason, notice!.task_id],
      ['question_answered', id, 'payment', null],
    )
    const { text } = await market.inbox.mailTo(worker.email)
    assert.match(text, /It arrives tomorrow\./)
    assert.match(text, new RegExp(`/me/questions/${id}`))
  })

  test('of each answer once', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)

    await answer(market, id, 'It arrives tomorrow.')
    await answer(market, id, 'It arrived.')
    await market.work()

    assert.equal((await noticesOf(worker)).length, 2)
  })

  test('by email also while suspended or closed, without a link to the app', async () => {
    for (const how of ['suspend', 'close']) {
      const worker = await market.worker()
      const { id } = await ask(worker)
      await opsByTwo(market, 'worker', how, worker.id, 'Copied', 'photos')
      await market.work()
      await market.inbox.mailTo(worker.email)

      await answer(market, id, 'It arrives tomorrow.')

      const { text } = await market.inbox.mailTo(worker.email)
      assert.match(text, /It arrives tomorrow\./)
      assert.doesNotMatch(text, /me\/questions/)
      assert.match(text, /\/objection/)
    }
  })
})
