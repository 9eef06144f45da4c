import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call, marketplace, startOn } from '../../test/harness.ts'
import { mintApiKey } from '../kit/secrets.ts'

const market = await marketplace()
const remembering = await marketplace({ settings: { KEY_CACHE_SECONDS: 5 } })
const wallet = (headers: Record<string, string>) => market.call('GET', '/wallet', { headers })

describe('an agent’s API key', () => {
  test('[5-bearer] [5-x-api-key] is read from Authorization: Bearer, in any case, or from x-api-key', async () => {
    const { api_key } = await market.agent()

    for (const headers of [
      { authorization: `Bearer ${api_key}` },
      { authorization: `bearer ${api_key}` },
      { authorization: `Bearer   ${api_key}` },
      { 'x-api-key': api_key },
      { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': api_key },
    ]) {
      const { status } = await wallet(headers as Record<string, string>)

      assert.equal(status, 200)
    }
  })

  test('in Authorization takes precedence over x-api-key', async () => {
    const [one, other] = [await market.agent({ balanceCents: 1 }), await market.agent()]

    const { body } = await wallet({
      authorization: `Bearer ${one.api_key}`,
      'x-api-key': other.api_key,
    })

    assert.equal(body.balance_cents, 1)
  })

  test('401 "Missing or invalid API key" for a missing, malformed, mistyped or unknown key', async () => {
    const { api_key } = await market.agent()
    const last = api_key.at(-1) === '0' ? '1' : '0'

    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: api_key },
      { authorization: `Basic ${api_key}` },
      { authorization: `Bearer ${api_key} and more` },
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${api_key.slice(0, -1)}${last}` },
      { authorization: `Bearer ${api_key.toUpperCase()}` },
      { authorization: `Bearer ${api_key.replace('live', 'test')}` },
      { authorization: `Bearer ${mintApiKey('live', 7)}` },
      { authorization: `Bearer ${'x'.repeat(5000)}` },
      { 'x-api-key': '' },
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': `${api_key}, ${api_key}` },
    ]) {
      const { status, body } = await wallet(headers as Record<string, string>)

      assert.equal(status, 401)
      assert.equal(body.error, 'Missing or invalid API key')
      assert.equal(body.code, 'invalid_api_key')
      assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
    }
  })

  test('401 with the same message after it was deleted', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.post('/agents/keys', { name: 'short-lived' })
    await agent.delete(`/agents/keys/${made.key.id}`)

    const { status, body } = await wallet({ 'x-api-key': made.key.api_key })

    assert.equal(status, 401)
    assert.equal(body.error, 'Missing or invalid API key')
  })

  test('is matched to its own agent in concurrent requests', async () => {
    const agents = await Promise.all(
      Array.from({ length: 8 }, (_, i) => market.agent({ balanceCents: i + 1 })),
    )

    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => agents[i % 8]!.get('/wallet')),
    )

    assert.deepEqual(
      replies.map(({ body }) => body.balance_cents),
      Array.from({ length: 40 }, (_, i) => (i % 8) + 1),
    )
  })
})

describe('a process that caches keys for 5 seconds', () => {
  const SECOND = 1000

  /** An agent with a second key, which this process has seen and which was then deleted. */
  async function agentWithDeletedKey() {
    const agent = await remembering.agent()
    const { body: made } = await agent.post('/agents/keys', { name: 'second' })
    const deleted = remembering.client(made.key.api_key)
    await deleted.get('/wallet')
    await agent.delete(`/agents/keys/${made.key.id}`)
    return { agent, deleted }
  }

  test('accepts a deleted key for at most 5 more seconds', async () => {
    const { agent, deleted } = await agentWithDeletedKey()

    remembering.advance(5 * SECOND - 1)
    const before = await deleted.get('/wallet')
    remembering.advance(1)
    const after = await deleted.get('/wallet')

    assert.equal(before.status, 200)
    assert.equal(after.status, 401)
    assert.equal((await agent.get('/wallet')).status, 200)
  })

  test('does not extend the cache entry on use', async () => {
    const { deleted } = await agentWithDeletedKey()

    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) {
      remembering.advance(SECOND)
      statuses.push((await deleted.get('/wallet')).status)
    }

    assert.deepEqual(statuses, [200, 200, 200, 200, 401, 401])
  })

  test('expires a rotated key on time, cached or not', async () => {
    const agent = await remembering.agent()
    await agent.post('/agents/register', { name: agent.name, email: agent.email })

    remembering.advance(86_400_000 - 1)
    const before = await agent.get('/wallet')
    remembering.advance(1)
    const after = await agent.get('/wallet')

    assert.equal(before.status, 200)
    assert.equal(after.status, 401)
  })

  test('401 for a deleted, cached key that creates or deletes a key', async () => {
    const { agent, deleted } = await agentWithDeletedKey()
    const { body: listed } = await agent.get('/agents/keys')

    const made = await deleted.post('/agents/keys', { name: 'successor' })
    const removed = await deleted.delete(`/agents/keys/${listed.keys[0].id}`)

    assert.equal(made.status, 401)
    assert.equal(removed.status, 401)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('409 for a deleted, cached key that is rotated', async () => {
    const { agent, deleted } = await agentWithDeletedKey()

    const { status, body } = await deleted.post('/agents/register', {
      name: agent.name,
      email: agent.email,
    })

    assert.equal(status, 409)
    assert.equal(body.code, 'already_registered')
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('accepts a key from another process at once', async () => {
    const second = await startOn(remembering.url, {
      settings: { KEY_CACHE_SECONDS: 5 },
      clockOverride: remembering.server.clock,
    })
    const agent = await remembering.agent()

    const { status } = await call(second.addresses.api!, 'GET', '/wallet', {
      headers: { 'x-api-key': agent.api_key },
    })

    await second.stop()
    assert.equal(status, 200)
  })
})
