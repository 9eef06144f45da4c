import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../server/test/harness.ts'
import { openClient } from './clients.ts'

const market = await marketplace()

/** A model with a key of its own that has limits. */
async function limited(limits: object, options: Parameters<typeof openClient>[2] = {}) {
  const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
  const made = await agent.post('/agents/keys', { name: 'model', ...limits })
  assert.equal(made.status, 201, made.text)
  const { id, api_key } = made.body.key as { id: string; api_key: string }
  return { agent, id, ...(await openClient(market, api_key, options)) }
}

describe('a key with limits', () => {
  test('reports its caps, refuses a call above them with advice, and spends nothing', async () => {
    const { agent, call } = await limited({ task_max_cents: 600, day_max_cents: 900 })

    const first = await call('ask_human', { question: 'One', budget_cents: 500, wait_seconds: 0 })
    const large = await call('ask_human', { question: 'Two', budget_cents: 601, wait_seconds: 0 })
    const second = await call('ask_human', {
      question: 'Three',
      budget_cents: 500,
      wait_seconds: 0,
    })
    const budget = await call('get_budget')

    assert.match(first.text, /status: pending/)
    assert.equal(large.isError, true)
    assert.match(large.text, /cap per task is \$6\.00.*this needs \$6\.01\. Nothing was spent/)
    assert.match(
      second.text,
      /cap per day is \$9\.00, \$5\.00 is used, and this needs \$5\.00\. Nothing was spent\. .*\/console\/keys/,
    )
    assert.match(budget.text, /cap per task: \$6\.00\ncap per day: \$9\.00, \$5\.00 used/)
    assert.equal(await market.balance(agent.id), 9500)
  })

  test('continues the same call after the person raises the cap on the page', async () => {
    const { agent, id, client, call } = await limited(
      { budget_cents: 100 },
      { capabilities: { elicitation: { url: {} } } },
    )
    const pages: string[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      pages.push((params as { url: string }).url)
      await agent.patch(`/agents/keys/${id}`, { budget_cents: 5000 })
      return { action: 'accept' }
    })

    const asked = await call('ask_human', {
      question: 'One',
      budget_cents: 500,
      request_key: 'one',
      wait_seconds: 0,
    })

    assert.match(asked.text, /status: pending/)
    assert.match(pages.join(), /\/console\/keys$/)
    assert.equal(await market.balance(agent.id), 9500)
  })

  for (const [era, shown] of [
    ['2026-07-28', 1],
    // In this era, a page can't be requested without a session, so the error message names the page instead.
    ['2025', 0],
  ] as const)
    test(`a client that only claims consent is refused, ${era}`, async () => {
      const { agent, client, call } = await limited(
        { budget_cents: 100 },
        { era, capabilities: { elicitation: { url: {}, form: {} } } },
      )
      let pages = 0
      client.setRequestHandler('elicitation/create', async () => {
        pages += 1
        return { action: 'accept' }
      })

      const { isError, text } = await call('ask_human', {
        question: 'One',
        budget_cents: 500,
        wait_seconds: 0,
      })

      assert.equal(isError, true)
      assert.match(text, /its cap in total is \$1\.00.*\/console\/keys/)
      assert.equal(pages, shown)
      assert.equal(await market.balance(agent.id), 10_000)
    })

  test('names its permissions if it has only some task types and no review right', async () => {
    const { agent, call } = await limited({ types: ['verification'], scopes: ['create', 'read'] })
    const { id } = await market.taskIn(agent, 'proof_submitted')

    const kind = await call('ask_human', {
      question: 'One',
      kind: 'call',
      phone_number: '+49 40 123456',
      wait_seconds: 0,
    })
    const verdict = await call('review_human_work', { task_id: id, verdict: 'approve' })

    assert.match(
      kind.text,
      /can't create tasks of type voice_proxy, only verification\. Nothing was spent/,
    )
    assert.match(verdict.text, /lacks the scope review\. Ask the person you work for/)
    assert.equal((await agent.get(`/tasks/${id}`)).body.task.status, 'proof_submitted')
  })
})
