import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { answer, ask, QUESTION } from '../../test/questions.ts'
import { showOpsGauges } from './gauges.ts'

const HOUR = 3_600_000

describe('ops questions', () => {
  test('lists the nearest deadline first, and ops waiting raises an alarm at the deadline', async () => {
    const market = await marketplace()
    const lateNow = async () => {
      await showOpsGauges(market.background)
      const { values } = await market.server.metrics.waitingLate.get()
      return values.find(({ labels }) => labels.what === 'questions to answer')?.value
    }
    const none = await ops(market, 'questions')
    const early = await ask(await market.worker())
    const urgent = await ask(await market.worker(), { ...QUESTION, subject: 'safety' })

    const { out, isBad } = await ops(market, 'questions')
    const before = { said: await ops(market, 'waiting'), late: await lateNow() }
    market.advance(24 * HOUR)
    const after = { said: await ops(market, 'waiting'), late: await lateNow() }

    assert.deepEqual(none, { out: 'No questions need an answer.', isBad: false })
    assert(isBad)
    assert(out.indexOf(urgent.id) < out.indexOf(early.id), out)
    assert.equal(before.said.isBad, false)
    assert.equal(before.late, 0)
    assert.equal(after.said.isBad, true)
    assert.match(after.said.out, /2 questions to answer.*; 1 for too long\n {4}next: ops questions/)
    assert.equal(after.late, 1)
  })
})

describe('ops question', async () => {
  const market = await marketplace()

  test('shows the conversation, the worker and the task, and records who looked', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id: taskId, workers } = await market.taskIn(agent, 'proof_submitted')
    const { id } = await ask(workers[0]!, { ...QUESTION, task_id: taskId })
    await answer(market, id, 'Look\nagain.')

    const { out } = await ops(market, 'question', id)

    assert.match(out, new RegExp(`ops worker ${workers[0]!.id}`))
    assert.match(out, new RegExp(`ops task ${taskId}`))
    assert.match(out, /worker\n {2}When will my payout arrive\?/)
    assert.match(out, /operator ada\n {2}Look\n {2}again\./)
    assert.match((await ops(market, 'actions', '--about', id)).out, /question/)
  })

  test('can be answered and closed, and a closed one takes no answer', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)

    const answered = await ops(market, 'question', 'answer', id, 'It', 'arrives', 'tomorrow.')
    const closed = await ops(market, 'question', 'close', id, 'It arrived.')
    const refused = await ops(market, 'question', 'answer', id, 'And more.')

    assert.match(answered.out, /is answered/)
    assert.match(closed.out, /is closed/)
    assert.deepEqual(refused, { out: `${id} is closed`, isBad: true })
    const { body } = await worker.get(`/worker/questions/${id}`)
    assert.deepEqual(
      body.question.messages.map(({ text }: { text: string }) => text),
      [QUESTION.text, 'It arrives tomorrow.', 'It arrived.'],
    )
  })

  test('an answer that is too long is refused, not cut', async () => {
    const { id } = await ask(await market.worker())

    await assert.rejects(
      ops(market, 'question', 'answer', id, 'x'.repeat(2001)),
      /2001 characters; at most 2000 fit/,
    )
  })

  test('is listed among the open items of its worker', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker)

    const { out } = await ops(market, 'worker', worker.id)

    assert.match(out, /a question \(payment\) needs an answer/)
    assert.match(out, new RegExp(`ops question ${id}`))
  })
})
