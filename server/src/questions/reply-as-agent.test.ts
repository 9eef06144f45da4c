import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, askAsAgent } from '../../test/questions.ts'

const market = await marketplace()
const MORE = { text: 'And the one of May?' }

describe('POST /agents/questions/:id/replies', () => {
  test('201: reopens an answered question; the same text twice is one message', async () => {
    const agent = await market.agent()
    const { id } = await askAsAgent(agent)
    await answer(market, id)

    const [first, second] = await Promise.all([
      agent.post(`/agents/questions/${id}/replies`, MORE),
      agent.post(`/agents/questions/${id}/replies`, MORE),
    ])

    assert.deepEqual([first.status, second.status], [201, 201])
    assert.deepEqual([second.body.question.status, second.body.question.message_count], ['open', 3])
  })

  test('409: a closed question, and one without room for another message', async () => {
    const agent = await market.agent()
    const closed = await askAsAgent(agent)
    await agent.post(`/agents/questions/${closed.id}/close`)
    const full = await askAsAgent(agent)
    for (let i = 2; i <= 19; i += 1)
      await agent.post(`/agents/questions/${full.id}/replies`, { text: `And ${i}` })

    const toClosed = await agent.post(`/agents/questions/${closed.id}/replies`, MORE)
    const toFull = await agent.post(`/agents/questions/${full.id}/replies`, MORE)

    assert.deepEqual([toClosed.status, toClosed.body.code], [409, 'question_closed'])
    assert.deepEqual([toFull.status, toFull.body.code], [409, 'question_full'])
  })

  test('404: another agent’s question', async () => {
    const { id } = await askAsAgent(await market.agent())
    const stranger = await market.agent()

    const { status, body } = await stranger.post(`/agents/questions/${id}/replies`, MORE)

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
