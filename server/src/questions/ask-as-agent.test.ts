import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { AGENT_QUESTION, askAsAgent } from '../../test/questions.ts'

const market = await marketplace()
const HOUR = 3_600_000

describe('POST /agents/questions', () => {
  test('201: asks a question that is due in three days, and one about safety in 24 hours', async () => {
    const agent = await market.agent()

    const question = await askAsAgent(agent)
    const urgent = await askAsAgent(agent, { ...AGENT_QUESTION, subject: 'safety' })

    assert.deepEqual(
      [question.subject, question.status, question.task_id, question.can_reply],
      ['billing', 'open', null, true],
    )
    assert.deepEqual(
      question.messages.map(({ author, text, photos }: Record<string, unknown>) => [
        author,
        text,
        photos,
      ]),
      [['agent', AGENT_QUESTION.text, []]],
    )
    assert.equal(Date.parse(question.due_at), market.now().getTime() + 72 * HOUR)
    assert.equal(Date.parse(urgent.due_at), market.now().getTime() + 24 * HOUR)
  })

  test('201: names one of the agent’s tasks; 404: another agent’s, and nothing is asked', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const stranger = await market.agent()
    const { id } = await market.taskIn(agent, 'proof_submitted')
    const body = { ...AGENT_QUESTION, subject: 'task', task_id: id }

    const question = await askAsAgent(agent, body)
    const refused = await stranger.post('/agents/questions', body)

    assert.equal(question.task_id, id)
    assert(question.task_title.length > 0)
    assert.deepEqual([refused.status, refused.body.code], [404, 'task_not_found'])
    assert.deepEqual((await stranger.get('/agents/questions')).body.questions, [])
  })

  test('409: a fourth question while three wait, even if all are asked at once', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        agent.post('/agents/questions', { ...AGENT_QUESTION, text: `Where is it? ${i}` }),
      ),
    )

    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    const refused = replies.find(({ status }) => status === 409)!
    assert.equal(refused.body.code, 'too_many_open_questions')
  })

  test('403: a test key has nobody to ask; a limited key can’t ask for the agent', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.post('/agents/keys', {
      name: 'Bot',
      scopes: ['create', 'read'],
    })
    const limited = market.client(made.key.api_key)

    const inTest = await agent.test.post('/agents/questions', AGENT_QUESTION)
    const byLimited = await limited.post('/agents/questions', AGENT_QUESTION)

    assert.deepEqual([inTest.status, inTest.body.code], [403, 'live_mode_only'])
    assert.deepEqual([byLimited.status, byLimited.body.code], [403, 'key_scope'])
  })

  test('400: a worker’s subject', async () => {
    const agent = await market.agent()

    const { status } = await agent.post('/agents/questions', {
      ...AGENT_QUESTION,
      subject: 'payment',
    })

    assert.equal(status, 400)
  })
})
