import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { runEverywhere } from '../../test/run-sweep.ts'
import { removeOld } from './remove-old.ts'

const DAY = 86_400_000
const market = await marketplace()

test('a question is deleted with its messages two years after it was closed; others stay', async () => {
  const worker = await market.worker()
  const ids: string[] = []
  const ask = async (text: string) => {
    const { status, body } = await worker.post('/worker/questions', { subject: 'other', text })
    assert.equal(status, 201)
    ids.push(body.question.id)
    return ids.at(-1)!
  }
  const close = (id: string, days: number) =>
    market.asOwner(
      `update questions set status = 'closed', due_at = null, waits_since = null, closes_at = null,
              ended_for = 'worker', closed_at = $2 where id = $1`,
      [id, new Date(market.now().getTime() - days * DAY)],
    )
  await close(await ask('Closed long ago'), 731)
  await close(await ask('Closed later'), 729)
  await ask('Still open today')

  await runEverywhere(market, removeOld)

  const left = await market.asOwner('select id from questions order by id')
  assert.deepEqual(
    left.map(({ id }) => id),
    ids.slice(1),
  )
  const texts = await market.asOwner('select text from question_messages order by id')
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['Closed later', 'Still open today'],
  )
})
