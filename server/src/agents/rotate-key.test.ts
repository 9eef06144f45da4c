import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { isWellFormedApiKey } from '../kit/secrets.ts'

const HOUR = 3_600_000
const market = await marketplace()

const TASK = { description: 'Look', budget_cents: 100 }

describe('POST /agents/keys/:id/rotate', () => {
  test('201: a new secret of the same key; the old one works for a day', async () => {
    const agent = await market.agent()
    const key = await market.key(agent, { name: 'bot', scopes: ['read'], day_max_cents: 100 })

    const { status, body } = await agent.post(`/agents/keys/${key.id}/rotate`)
    const renewed = market.client(body.key.api_key)
    const during = [(await key.get('/wallet')).status, (await renewed.get('/wallet')).status]
    market.advance(24 * HOUR - 1)
    const atTheEnd = (await key.get('/wallet')).status
    market.advance(1)
    const after = [(await key.get('/wallet')).status, (await renewed.get('/wallet')).status]

    assert.equal(status, 201)
    const { api_key, prefix, ...same } = body.key
    assert(isWellFormedApiKey(api_key))
    assert.equal(prefix, api_key.slice(0, 14))
    assert.deepEqual(
      { ...same, created_at: key.created_at },
      {
        id: key.id,
        name: 'bot',
        mode: 'live',
        parent_id: null,
        scopes: ['read'],
        types: null,
        caps: key.caps,
        spent: key.spent,
        children: 0,
        created_at: key.created_at,
        last_used_at: null,
        expires_at: null,
        is_of_app: false,
      },
    )
    assert.equal(body.old_expires_at, market.now().toISOString())
    assert.deepEqual(during, [200, 200])
    assert.equal(atTheEnd, 200)
    assert.deepEqual(after, [401, 200])
  })

  test('both secrets share the same caps', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const key = await market.key(agent, { budget_cents: 250 })
    const { body } = await agent.post(`/agents/keys/${key.id}/rotate`)
    const renewed = market.client(body.key.api_key)

    const replies = [
      await key.post('/tasks', TASK),
      await renewed.post('/tasks', TASK),
      await key.post('/tasks', TASK),
      await renewed.post('/tasks', TASK),
    ]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 402, 402],
    )
  })

  test('a key may rotate itself, again after a lost response, and its children stay', async () => {
    const agent = await market.agent()
    const key = await market.key(agent, { budget_cents: 100 })
    const child = await market.key(key)

    await key.post(`/agents/keys/${key.id}/rotate`)
    const { status, body } = await key.post(`/agents/keys/${key.id}/rotate`)

    assert.equal(status, 201)
    assert.equal(body.key.children, 1)
    assert.equal((await key.get('/wallet')).status, 200)
    const { body: shown } = await market.client(body.key.api_key).get('/agents/keys')
    assert.deepEqual(
      shown.keys.map(({ id }: { id: string }) => id),
      [key.id, child.id],
    )
  })

  test('a deleted key works with none of its secrets', async () => {
    const agent = await market.agent()
    const key = await market.key(agent)
    const { body } = await agent.post(`/agents/keys/${key.id}/rotate`)

    await agent.delete(`/agents/keys/${key.id}`)

    assert.equal((await key.get('/wallet')).status, 401)
    assert.equal((await market.client(body.key.api_key).get('/wallet')).status, 401)
  })

  test('a key that expires sooner does so with both secrets', async () => {
    const agent = await market.agent()
    const expires_at = new Date(market.now().getTime() + HOUR).toISOString()
    const key = await market.key(agent, { expires_at })

    const { body } = await agent.post(`/agents/keys/${key.id}/rotate`)
    market.advance(HOUR)

    assert.equal(body.old_expires_at, expires_at)
    assert.equal((await key.get('/wallet')).status, 401)
    assert.equal((await market.client(body.key.api_key).get('/wallet')).status, 401)
  })

  test('a limited key that registers again stays the same limited key', async () => {
    const agent = await market.agent()
    const key = await market.key(agent, { scopes: ['manage', 'read'], budget_cents: 100 })

    const { status, body } = await key.post('/agents/register', {
      name: agent.name,
      email: agent.email,
    })

    assert.equal(status, 201)
    const { body: shown } = await market.client(body.agent.api_key).get('/agents/keys')
    assert.deepEqual(
      shown.keys.map((one: typeof key) => [one.id, one.scopes, one.caps.budget_cents]),
      [[key.id, ['manage', 'read'], 100]],
    )
  })

  test('404 for a parent, sibling, foreign, other-mode or expired key', async () => {
    const agent = await market.agent()
    const parent = await market.key(agent, { budget_cents: 100 })
    const [key, sibling] = [await market.key(parent), await market.key(parent)]
    const other = await market.key(await market.agent())
    const test = await market.key(agent.test)
    const ended = await market.key(key)
    await key.delete(`/agents/keys/${ended.id}`)

    for (const { id } of [parent, sibling, other, test, ended]) {
      const reply = await key.post(`/agents/keys/${id}/rotate`)

      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'key_not_found')
    }
  })

  test('409 for an eleventh secret in a day', async () => {
    const agent = await market.agent()
    const key = await market.key(agent)
    for (let i = 0; i < 10; i += 1) await agent.post(`/agents/keys/${key.id}/rotate`)

    const refused = await agent.post(`/agents/keys/${key.id}/rotate`)
    market.advance(24 * HOUR)
    const again = await agent.post(`/agents/keys/${key.id}/rotate`)

    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'too_many_keys')
    assert.equal(again.status, 201)
  })

  test('only hashes of the secrets are stored', async () => {
    const agent = await market.agent()
    const key = await market.key(agent)
    const { body } = await agent.post(`/agents/keys/${key.id}/rotate`)

    const rows = [
      ...(await market.asOwner('select * from api_keys where id = $1', [key.id])),
      ...(await market.asOwner('select * from rotated_keys where key_id = $1', [key.id])),
    ]

    assert.equal(rows.length, 2)
    for (const secret of [key.api_key, body.key.api_key])
      assert(!JSON.stringify(rows).includes(secret))
  })
})
