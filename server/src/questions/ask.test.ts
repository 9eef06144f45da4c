import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ask, QUESTION } from '../../test/questions.ts'

const market = await marketplace()
const HOUR = 3_600_000

describe('POST /worker/questions', () => {
  test('201: asks a question that is due in three days', async () => {
    const worker = await market.worker()

    const question = await ask(worker)

    assert.deepEqual(
      [question.subject, question.status, question.task_id, question.message_count],
      ['payment', 'open', null, 1],
    )
    assert.equal(Date.parse(question.due_at), market.now().getTime() + 72 * HOUR)
    assert.deepEqual(
      question.messages.map(({ number, author, text }: Record<string, unknown>) => [
        number,
        author,
        text,
      ]),
      [[1, 'worker', QUESTION.text]],
    )
  })

  test('201: a question about safety is due in 24 hours', async () => {
    const worker = await market.worker()

    const question = await ask(worker, { ...QUESTION, subject: 'safety' })

    assert.equal(Date.parse(question.due_at), market.now().getTime() + 24 * HOUR)
  })

  test('201: names the task that the worker has done', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id, workers } = await market.taskIn(agent, 'proof_submitted')

    const question = await ask(workers[0]!, { ...QUESTION, subject: 'task', task_id: id })

    assert.equal(question.task_id, id)
    assert(question.task_title.length > 0)
  })

  test('404: a task that the worker never had, and the question is not asked', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id } = await market.taskIn(agent, 'proof_submitted')
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/questions', { ...QUESTION, task_id: id })

    assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
    assert.deepEqual((await worker.get('/worker/questions')).body.questions, [])
  })

  test('400: fewer than 10 or more than 2,000 characters, or an unknown subject', async () => {
    const worker = await market.worker()
    const wrong = [
      { ...QUESTION, text: '  Why?     ' },
      { ...QUESTION, text: 'x'.repeat(2001) },
      { ...QUESTION, subject: 'weather' },
    ]

    for (const body of wrong)
      assert.equal((await worker.post('/worker/questions', body)).status, 400)
  })

  test('201: the same question twice is one question', async () => {
    const worker = await market.worker()

    const [first, second] = [await ask(worker), await ask(worker)]

    assert.equal(first.id, second.id)
  })

  test('409: a fourth question while three wait, even if all are asked at once', async () => {
    const worker = await market.worker()

    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        worker.post('/worker/questions', { ...QUESTION, text: `${QUESTION.text} ${i}` }),
      ),
    )

    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    const refused = replies.find(({ status }) => status === 409)!
    assert.equal(refused.body.code, 'too_many_open_questions')
  })

  test('409: an eleventh question in 24 hours, with the time of the next one', async () => {
    const worker = await market.worker()
    const first = market.now().getTime()
    for (let i = 0; i < 10; i += 1) {
      const { id } = await ask(worker, { ...QUESTION, text: `${QUESTION.text} ${i}` })
      await worker.post(`/worker/questions/${id}/close`)
      market.advance(60_000)
    }

    const { status, body } = await worker.post('/worker/questions', QUESTION)
    market.advance(24 * HOUR - 10 * 60_000)

    assert.deepEqual([status, body.code], [409, 'too_many_questions'])
    assert.equal(Date.parse(body.retry_at), first + 24 * HOUR)
    await ask(worker)
  })

  test('409: a worker in test mode has nobody to ask', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.test.post('/test/workers', {})
    const tester = market.client(made.token)

    const { status, body } = await tester.post('/worker/questions', QUESTION)

    assert.deepEqual([status, body.code], [409, 'test_worker'])
  })
})
