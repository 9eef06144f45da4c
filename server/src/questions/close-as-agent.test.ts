import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { askAsAgent } from '../../test/questions.ts'

const market = await marketplace()

describe('POST /agents/questions/:id/close', () => {
  test('200: closes a question; closing it again changes nothing', async () => {
    const agent = await market.agent()
    const { id } = await askAsAgent(agent)

    const first = await agent.post(`/agents/questions/${id}/close`)
    market.advance(1000)
    const second = await agent.post(`/agents/questions/${id}/close`)

    const { status, due_at, can_reply } = first.body.question
    assert.deepEqual([first.status, status, due_at, can_reply], [200, 'closed', null, false])
    assert.deepEqual(second.body.question, first.body.question)
  })

  test('404: another agent’s question', async () => {
    const { id } = await askAsAgent(await market.agent())
    const stranger = await market.agent()

    const { status, body } = await stranger.post(`/agents/questions/${id}/close`)

    assert.deepEqual([status, body.code], [404, 'question_not_found'])
  })
})
