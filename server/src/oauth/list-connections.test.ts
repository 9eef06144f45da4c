import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openOAuthClient } from '../../test/oauth.ts'

const DAY = 86_400_000
const market = await marketplace()
const oauth = openOAuthClient(market)

describe('GET /agents/connections', () => {
  test('lists the apps that have access, newest first, and none whose code was not used', async () => {
    const agent = await market.agent()
    await oauth.connect(agent, { choice: { days: 30 } })
    market.advance(1000)
    await oauth.connect(agent)
    await oauth.code(agent)

    const { body } = await agent.get('/agents/connections')

    assert.equal(body.connections.length, 2)
    assert.deepEqual(body.connections[1], {
      id: body.connections[1].id,
      app_name: 'Assistant',
      redirect_host: 'app.example',
      key_id: body.connections[1].key_id,
      created_at: new Date(market.now().getTime() - 1000).toISOString(),
      expires_at: new Date(market.now().getTime() - 1000 + 30 * DAY).toISOString(),
    })
    assert.match(body.connections[1].id, /^grant_/)
  })

  test('a limited key sees only the apps below it; nobody sees those of an ended key', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/agents/keys', { name: 'team', budget_cents: 5000 })
    const team = market.client(body.key.api_key)
    await oauth.connect(agent)
    await oauth.connect(team)

    const seen = async (of: typeof team) => (await of.get('/agents/connections')).body.connections
    const [all, below] = [await seen(agent), await seen(team)]
    await agent.delete(`/agents/keys/${body.key.id}`)

    assert.deepEqual([all.length, below.length], [2, 1])
    assert.equal((await seen(agent)).length, 1)
  })
})
