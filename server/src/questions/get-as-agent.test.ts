import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask, askAsAgent } from '../../test/questions.ts'

const market = await marketplace()

describe('GET /agents/questions/:id', () => {
  test('200: shows the messages in order, without the operator’s name', async () => {
    const agent = await market.agent()
    const { id } = await askAsAgent(agent)
    await answer(market, id)

    const { status, body, text } = await agent.get(`/agents/questions/${id}`)

    assert.equal(status, 200)
    assert.deepEqual(
      body.question.messages.map(({ author }: { author: string }) => author),
      ['agent', 'operator'],
    )
    assert(!text.includes('ada'))
  })

  test('404: another agent’s question, a worker’s, and one of the other mode', async () => {
    const agent = await market.agent()
    const own = await askAsAgent(agent)
    const stranger = await askAsAgent(await market.agent())
    const worker = await ask(await market.worker())

    const replies = [
      await agent.get(`/agents/questions/${stranger.id}`),
      await agent.get(`/agents/questions/${worker.id}`),
      await agent.test.get(`/agents/questions/${own.id}`),
    ]

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
