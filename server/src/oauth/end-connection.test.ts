import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openOAuthClient } from '../../test/oauth.ts'

const market = await marketplace()
const oauth = openOAuthClient(market)

describe('DELETE /agents/connections/:id', () => {
  test('200: ends the token, its renewal and the key, once', async () => {
    const agent = await market.agent()
    const { tokens, clientId } = await oauth.connect(agent)
    const [{ id }] = (await agent.get('/agents/connections')).body.connections

    const both = await Promise.all([
      agent.delete(`/agents/connections/${id}`),
      agent.delete(`/agents/connections/${id}`),
    ])

    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 404],
    )
    assert.equal(await oauth.works(tokens.access_token), false)
    assert.equal((await oauth.refresh(tokens, clientId)).status, 400)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('404 for an unknown one, one of another agent, and one above the calling key', async () => {
    const agent = await market.agent()
    const { tokens } = await oauth.connect(agent)
    const [{ id }] = (await agent.get('/agents/connections')).body.connections
    const { body } = await agent.post('/agents/keys', { name: 'team', budget_cents: 5000 })

    for (const [who, which] of [
      [agent, 'grant_01m7fh382revhrpf3ec4gb30ke'],
      [await market.agent(), id],
      [market.client(body.key.api_key), id],
    ] as const) {
      const { status, body: refusal } = await who.delete(`/agents/connections/${which}`)
      assert.deepEqual([status, refusal.code], [404, 'connection_not_found'])
    }
    assert(await oauth.works(tokens.access_token))
  })

  test('its key has caps that can be changed, and a secret that can’t be rotated: 409 key_of_app', async () => {
    const agent = await market.agent()
    const { tokens } = await oauth.connect(agent)
    const [{ key_id }] = (await agent.get('/agents/connections')).body.connections

    const raised = await agent.patch(`/agents/keys/${key_id}`, { budget_cents: 700 })
    const rotated = await agent.post(`/agents/keys/${key_id}/rotate`)

    assert.equal(raised.body.key.caps.budget_cents, 700)
    assert.deepEqual([rotated.status, rotated.body.code], [409, 'key_of_app'])
    assert(await oauth.works(tokens.access_token))
  })
})
