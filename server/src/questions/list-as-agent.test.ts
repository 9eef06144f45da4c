import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { AGENT_QUESTION, askAsAgent } from '../../test/questions.ts'

const market = await marketplace()

describe('GET /agents/questions', () => {
  test('200: lists the agent’s own questions page by page, newest first, with the promise', async () => {
    const agent = await market.agent()
    await askAsAgent(await market.agent())
    const ids: string[] = []
    for (let i = 0; i < 3; i += 1) {
      ids.unshift((await askAsAgent(agent, { ...AGENT_QUESTION, text: `Where is it? ${i}` })).id)
      market.advance(1000)
    }

    const first = await agent.get('/agents/questions?limit=2')
    const second = await agent.get(`/agents/questions?limit=2&cursor=${first.body.next_cursor}`)

    const shown = [...first.body.questions, ...second.body.questions]
    assert.deepEqual(
      shown.map(({ id }) => id),
      ids,
    )
    assert.equal(second.body.next_cursor, null)
    assert.deepEqual(first.body.service_time, {
      promised_hours: 72,
      promised_safety_hours: 24,
      usual_hours: null,
    })
  })
})
