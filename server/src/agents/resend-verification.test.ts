import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { agentTokenOf, registeredAgent } from '../../test/people.ts'

const market = await marketplace({ mail: true })

describe('POST /agents/verify/resend', () => {
  test('202: sends another link, for a key of either mode; both links work', async () => {
    const agent = await registeredAgent(market)

    for (const client of [agent, agent.test]) {
      const { status, body } = await client.post('/agents/verify/resend')
      await market.work()

      assert.equal(status, 202)
      assert.deepEqual(body, { email: agent.email, email_verified_at: null })
      const token = agentTokenOf(await market.inbox.mailTo(agent.email))
      const verified = await market.call('POST', '/agents/verify', {
        body: { token: client === agent ? agent.verifyToken : token },
      })
      assert.equal(verified.status, 200)
      await market.asOwner('update agents set email_verified_at = null', [])
    }
  })

  test('202 and no mail after the address is confirmed', async () => {
    const agent = await registeredAgent(market)
    await market.call('POST', '/agents/verify', { body: { token: agent.verifyToken } })

    const { status, body } = await agent.post('/agents/verify/resend')
    await market.work()

    assert.equal(status, 202)
    assert.equal(body.email_verified_at, market.now().toISOString())
    assert.deepEqual(market.inbox.unreadTo(agent.email), [])
  })

  test('at most 5 mails an hour go to one agent', async () => {
    const agent = await registeredAgent(market)
    for (let i = 0; i < 8; i += 1) await agent.post('/agents/verify/resend')

    await market.work()

    assert.equal(market.inbox.unreadTo(agent.email).length, 4, 'besides the first mail')
  })

  test('403 for a key without the manage scope', async () => {
    const agent = await registeredAgent(market)
    const key = await market.key(agent, { scopes: ['read'] })

    const { status, body } = await key.post('/agents/verify/resend')

    assert.equal(status, 403)
    assert.equal(body.code, 'key_scope')
  })

  test('409 for a test agent without an email address', async () => {
    const made = await market.call('POST', '/test/agents', { body: {} })

    const { status, body } = await market
      .client(made.body.agent.test_api_key as string)
      .post('/agents/verify/resend')

    assert.equal(status, 409)
    assert.equal(body.code, 'no_email')
  })
})
