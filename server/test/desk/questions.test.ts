/** Operators answer questions at the desk, over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../harness.ts'
import { noticesOf } from '../notices.ts'
import { AGENT_QUESTION, ask, askAsAgent, QUESTION } from '../questions.ts'
import { signIn } from './sign-in.ts'

const market = await marketplace({ mail: true, roles: ['api', 'desk'] })
const support = await signIn(market, 'support', { name: 'Ada Byron' })

const auditOf = (id: string) =>
  market.asOwner(
    `select l.action, l.operator_id, l.detail, w.words from audit_log l
       left join audit_words w using (words_hash) where l.subject = $1 order by l.seq`,
    [id],
  )

describe('GET /questions/:id', () => {
  test('200: shows the messages with the operator’s name, and texts in the worker’s language', async () => {
    const worker = await market.worker()
    await worker.put('/worker/profile', { app_language: 'de' })
    const { id } = await ask(worker, { ...QUESTION, photos: [PHOTO] })
    await support.post(`/questions/${id}/answer`, { text: 'Morgen.' })

    const { status, body, text } = await support.get(`/questions/${id}`)

    assert.equal(status, 200, text)
    assert.deepEqual(body.question.asker, { kind: 'worker', id: worker.id })
    assert.deepEqual(
      body.question.messages.map((message: Record<string, unknown>) => [
        message.author,
        message.name,
        message.attachments,
      ]),
      [
        ['worker', null, [{ n: 1, kind: 'photo' }]],
        ['operator', 'Ada Byron', []],
      ],
    )
    assert(!text.includes('signature='), 'photos need a look')
    assert.equal(body.question.language, 'de')
    assert(body.templates.every(({ language }: { language: string }) => language === 'de'))
  })

  test('404: a question that does not exist', async () => {
    const { status, body } = await support.get('/questions/wqn_00000000000000000000000000')

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})

describe('POST /questions/:id/answer', () => {
  test('200: answers a worker and an agent, who are notified without the operator’s name', async () => {
    const worker = await market.worker()
    const agent = await market.agent()
    await market.asOwner('update agents set email_verified_at = $2 where id = $1', [
      agent.id,
      market.now(),
    ])
    const asked = { worker: await ask(worker), agent: await askAsAgent(agent, AGENT_QUESTION) }

    for (const { id } of Object.values(asked)) {
      const { status, body, text } = await support.post(`/questions/${id}/answer`, {
        text: 'It is on its way.',
      })
      assert.equal(status, 200, text)
      assert.equal(body.question.status, 'answered')
    }
    await market.work()

    const [notice] = await noticesOf(worker)
    assert.equal(notice!.kind, 'question_answered')
    const own = await worker.get(`/worker/questions/${asked.worker.id}`)
    assert.equal(own.body.question.messages[1].text, 'It is on its way.')
    assert(!own.text.includes('Ada') && !own.text.includes(support.id))
    const mail = await market.inbox.mailTo(agent.email)
    assert.match(mail.text, /It is on its way\./)
    assert.doesNotMatch(mail.text, /Ada/)
    const [entry] = await auditOf(asked.agent.id)
    assert.deepEqual(
      [entry!.action, entry!.operator_id, entry!.words],
      ['question.answer', support.id, 'It is on its way.'],
    )
    assert.doesNotMatch(entry!.detail as string, /way/)
  })

  test('200: of concurrent answers that close it, one is written; 409 for the others', async () => {
    const { id } = await ask(await market.worker())

    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        support.post(`/questions/${id}/answer`, { text: `Done ${i}.`, closes: true }),
      ),
    )

    assert.deepEqual(
      replies.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409, 409, 409],
    )
    assert(replies.every(({ status, body }) => status === 200 || body.code === 'question_closed'))
    assert.deepEqual(
      (await auditOf(id)).map(({ action }) => action),
      ['question.close'],
    )
  })

  test('403: a viewer, and nothing is answered; 404: an unknown question; 400: no text', async () => {
    const viewer = await signIn(market, 'viewer')
    const worker = await market.worker()
    const { id } = await ask(worker)

    const refused = await viewer.post(`/questions/${id}/answer`, { text: 'Yes.' })
    const unknown = await support.post('/questions/wqn_00000000000000000000000000/answer', {
      text: 'Yes.',
    })
    const empty = await support.post(`/questions/${id}/answer`, { text: '  ' })

    assert.deepEqual([refused.status, refused.body.code], [403, 'missing_right'])
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'question_not_found'])
    assert.equal(empty.status, 400)
    const { body } = await worker.get(`/worker/questions/${id}`)
    assert.deepEqual([body.question.status, body.question.message_count], ['open', 1])
  })

  test('409: a question that already has 20 messages', async () => {
    const { id } = await ask(await market.worker())
    for (let i = 2; i <= 20; i += 1) await support.post(`/questions/${id}/answer`, { text: `${i}` })

    const { status, body } = await support.post(`/questions/${id}/answer`, { text: '21' })

    assert.deepEqual([status, body.code], [409, 'question_full'])
  })
})

describe('POST /questions/:id/close', () => {
  test('200: closes with the reason in the worker’s language; 409 the second time', async () => {
    const worker = await market.worker()
    await worker.put('/worker/profile', { app_language: 'fr' })
    const { id } = await ask(worker)

    const first = await support.post(`/questions/${id}/close`, { reason: 'duplicate' })
    const second = await support.post(`/questions/${id}/close`, { reason: 'duplicate' })

    assert.equal(first.status, 200, first.text)
    assert.deepEqual([second.status, second.body.code], [409, 'question_closed'])
    const { body } = await worker.get(`/worker/questions/${id}`)
    assert.equal(body.question.status, 'closed')
    assert.match(body.question.messages[1].text, /Vous avez déjà posé cette question/)
    const [entry] = await auditOf(id)
    assert.match(entry!.detail as string, /"reason":"duplicate"/)
  })

  test('404: a question that does not exist', async () => {
    const { status, body } = await support.post('/questions/wqn_00000000000000000000000000/close', {
      reason: 'resolved',
    })

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
