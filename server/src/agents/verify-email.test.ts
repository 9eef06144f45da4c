import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { registeredAgent } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const DAY = 86_400_000

const verify = (token: unknown) => market.call('POST', '/agents/verify', { body: { token } })
const verifiedAt = async (client: { get(path: string): Promise<{ body: Record<string, any> }> }) =>
  (await client.get('/agents/me')).body.agent.email_verified_at as string | null

describe('POST /agents/verify', () => {
  test('[4.4-verify] registering sends a link; following it confirms the address of both twins', async () => {
    const agent = await registeredAgent(market)
    const before = [await verifiedAt(agent), await verifiedAt(agent.test)]

    const { status, body } = await verify(agent.verifyToken)

    assert.equal(agent.mail.subject, 'Confirm the email address of your Legwork agent')
    assert.match(agent.mail.links[0]!.href, /\/console\/verify#token=[\w-]{43}$/)
    assert.deepEqual(before, [null, null])
    assert.equal(status, 200)
    const at = market.now().toISOString()
    assert.deepEqual(body, { agent: { id: agent.id, name: agent.name, email_verified_at: at } })
    assert.deepEqual([await verifiedAt(agent), await verifiedAt(agent.test)], [at, at])
  })

  test('keys work before the confirmation', async () => {
    const agent = await registeredAgent(market)

    const { status } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })

    assert.equal(status, 201)
  })

  test('the same link can be followed again, and the time of confirmation stays', async () => {
    const agent = await registeredAgent(market)
    const first = await verify(agent.verifyToken)
    market.advance(2 * DAY)

    const again = await verify(agent.verifyToken)

    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
  })

  test('a claimed test agent gets the mail, too', async () => {
    const made = await market.call('POST', '/test/agents', { body: {} })
    const client = market.client(made.body.agent.test_api_key as string)
    const email = 'claimed@example.com'
    await client.post('/agents/register', { name: 'Claimed', email })

    await market.work()

    const mail = await market.inbox.mailTo(email)
    assert.equal(mail.subject, 'Confirm the email address of your Legwork agent')
  })

  test('400 for a link that is a day old, unknown or malformed', async () => {
    const agent = await registeredAgent(market)
    market.advance(DAY)

    for (const token of [agent.verifyToken, 'x'.repeat(43)]) {
      const { status, body } = await verify(token)
      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_mail_link')
    }
    assert.equal((await verify('')).body.code, 'invalid_request')
    assert.equal(await verifiedAt(agent), null)
  })
})
