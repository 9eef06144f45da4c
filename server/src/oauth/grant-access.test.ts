import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openOAuthClient } from '../../test/oauth.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const market = await marketplace()
const small = await marketplace({ settings: { LIMITED_KEYS_MAX: 1 } })
const oauth = openOAuthClient(market)
const later = (ms: number) => new Date(market.now().getTime() + ms).toISOString()

describe('POST /console/connect', () => {
  test('201: a key with the chosen scopes, budget and end, which ends with the code until that is used', async () => {
    const agent = await market.agent()
    const choice = {
      scopes: ['create', 'read'],
      month_max_cents: 2000,
      budget_cents: null,
      days: 7,
    }
    const keyOfApp = async () =>
      (await agent.get('/agents/keys')).body.keys.find(
        ({ is_of_app }: { is_of_app: boolean }) => is_of_app,
      )

    const { redemption } = await oauth.code(agent, { choice })
    const before = await keyOfApp()
    await oauth.token(redemption)
    const used = await keyOfApp()

    assert.equal(before.expires_at, later(MINUTE))
    assert.equal(used.expires_at, later(7 * DAY))
    assert.equal(used.id, before.id)
    assert.equal(used.name, 'Assistant')
    assert.deepEqual(used.scopes, ['create', 'read'])
    assert.deepEqual(used.caps, {
      task_max_cents: null,
      day_max_cents: null,
      month_max_cents: 2000,
      budget_cents: null,
    })
  })

  test('a code that is not used leaves no key behind', async () => {
    const agent = await market.agent()
    await oauth.code(agent)
    market.advance(MINUTE)

    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('below a limited key: within its caps, and it ends with it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { body } = await agent.post('/agents/keys', {
      name: 'team',
      budget_cents: 1000,
      expires_at: later(2 * DAY),
    })
    const team = market.client(body.key.api_key)

    const { tokens } = await oauth.connect(team, { choice: { budget_cents: 900 } })
    const [connection] = (await team.get('/agents/connections')).body.connections
    const { request } = await oauth.ask()
    const over = await oauth.consent(team, request, { budget_cents: 1001 })
    await agent.delete(`/agents/keys/${body.key.id}`)

    assert.equal(connection.expires_at, later(2 * DAY))
    assert.deepEqual([over.status, over.body.code], [400, 'invalid_request'])
    assert.equal(await oauth.works(tokens.access_token), false)
  })

  test('with a test key, the app gets test mode', async () => {
    const agent = await market.agent()
    const { tokens } = await oauth.connect(agent.test)

    const { text } = await oauth.mcp(tokens.access_token, 'get_budget')

    assert.match(text, /mode: test/)
  })

  test('400 for a choice without a budget or scopes, with scopes that were not asked for, or too long', async () => {
    const agent = await market.agent()
    const { request } = await oauth.ask({ scope: 'read' })

    for (const [choice, named] of [
      [{ scopes: ['read'], budget_cents: null }, /budget_cents is required/],
      [{ scopes: [] }, /scopes/],
      [{ scopes: ['create'] }, /scopes may only contain read/],
      [{ scopes: ['read'], days: 0 }, /days/],
    ] as const) {
      const { status, text } = await oauth.consent(agent, request, choice)
      assert.equal(status, 400)
      assert.match(text, named)
    }
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('404 for an app that is unknown, 400 for another redirect, 409 when there are too many keys', async () => {
    const agent = await market.agent()
    const { request } = await oauth.ask()
    const unknown = await oauth.consent(agent, {
      ...request,
      client_id: 'client_01m7fh382revhrpf3ec4gb30ke',
    })
    const redirected = await oauth.consent(agent, {
      ...request,
      redirect_uri: 'https://evil.example/',
    })
    const full = openOAuthClient(small)
    const busy = await small.agent()
    await full.connect(busy)
    const many = await full.consent(busy, (await full.ask()).request)

    assert.deepEqual([unknown.status, unknown.body.code], [404, 'app_unknown'])
    assert.deepEqual([redirected.status, redirected.body.code], [400, 'wrong_redirect'])
    assert.deepEqual([many.status, many.body.code], [409, 'too_many_keys'])
  })
})
