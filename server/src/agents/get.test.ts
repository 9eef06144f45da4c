import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /agents/me', () => {
  test('shows the agent: its available balance, the money in its open tasks, its webhook URL', async () => {
    const agent = await market.agent({
      balanceCents: 10_000,
      freeTasks: false,
      name: 'Ada',
      webhook_url: 'http://127.0.0.1:9/',
    })
    await market.taskIn(agent, 'pending', { budget_cents: 1000 })
    await market.taskIn(agent, 'proof_submitted', { budget_cents: 500 })
    await market.taskIn(agent, 'cancelled', { budget_cents: 700 })

    const { status, body } = await agent.get('/agents/me')

    assert.equal(status, 200)
    assert.deepEqual(body.agent, {
      id: agent.id,
      name: 'Ada',
      email: agent.email,
      email_verified_at: null,
      mode: 'live',
      webhook_url: 'http://127.0.0.1:9/',
      events: ['task.proof_submitted', 'task.completed', 'task.disputed', 'task.consensus_proof'],
      low_balance_cents: null,
      status: 'active',
      tier: {
        name: 'unverified',
        open_tasks_max: null,
        open_cents_max: null,
        next_step:
          'Confirm your email with the link that we sent you; POST /agents/verify/resend sends another one',
      },
      free_tasks_remaining: 0,
      balance_cents: 8500,
      escrow_cents: 1500,
      expires_at: null,
      twin: { exists: true },
    })
  })

  test('the escrow of a free task is not the agent’s money', async () => {
    const agent = await market.agent()
    await market.taskIn(agent, 'pending', { budget_cents: 500 })

    const { body } = await agent.get('/agents/me')

    assert.deepEqual([body.agent.escrow_cents, body.agent.free_tasks_remaining], [0, 2])
  })

  test('shows the calling key, and the agent of its mode', async () => {
    const agent = await market.agent()
    const made = await agent.post('/agents/keys', { name: 'second' })

    const live = (await market.client(made.body.key.api_key).get('/agents/me')).body
    const test = (await agent.test.get('/agents/me')).body

    assert.equal(live.key.id, made.body.key.id)
    assert.equal(live.key.name, 'second')
    assert.equal(test.agent.mode, 'test')
    assert.equal(test.agent.balance_cents, 100_000)
    assert.equal(test.key.mode, 'test')
    assert(!JSON.stringify([live, test]).includes('whsec_'))
  })
})
