import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { answer, askAsAgent } from '../../test/questions.ts'

const market = await marketplace({ mail: true })

async function confirmed() {
  const agent = await market.agent()
  await market.asOwner('update agents set email_verified_at = $2 where id = $1', [
    agent.id,
    market.now(),
  ])
  return agent
}

describe('an agent gets an email', () => {
  test('with the answer, at its confirmed address', async () => {
    const agent = await confirmed()
    const { id } = await askAsAgent(agent)

    await answer(market, id, 'It is attached to the deposit.')

    const { text } = await market.inbox.mailTo(agent.email)
    assert.match(text, /It is attached to the deposit\./)
    assert.match(text, /You can write again in the console until/)
    assert.match(text, new RegExp(`/console/questions/${id}`))
  })

  test('that says so if the question is closed', async () => {
    const agent = await confirmed()
    const { id } = await askAsAgent(agent)

    await ops(market, 'question', 'close', id, 'You asked twice.')
    await market.work()

    const { text } = await market.inbox.mailTo(agent.email)
    assert.match(text, /You asked twice\./)
    assert.match(text, /The question is closed/)
  })

  test('only if the address is confirmed; the answer is in the question', async () => {
    const agent = await market.agent()
    const { id } = await askAsAgent(agent)

    await answer(market, id, 'It is attached to the deposit.')

    assert.deepEqual(market.inbox.unreadTo(agent.email), [])
    const { body } = await agent.get(`/agents/questions/${id}`)
    assert.equal(body.question.messages[1].text, 'It is attached to the deposit.')
  })
})
