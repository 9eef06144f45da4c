import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { mintId } from '../kit/ids.ts'
import { openAuthenticator } from './authenticate.ts'

const market = await marketplace()
const DAY = 86_400_000

/** An agent with a second key, and the ids of both. */
async function agentWithTwoKeys() {
  const agent = await market.agent()
  const { body: made } = await agent.post('/agents/keys', { name: 'second' })
  const { body: listed } = await agent.get('/agents/keys')
  const first = listed.keys.find(({ id }: { id: string }) => id !== made.key.id)
  return { agent, first, second: { ...made.key, ...market.client(made.key.api_key) } }
}

describe('DELETE /agents/keys/:id', () => {
  test('200: the key stops working, and the key that deleted it still works', async () => {
    const { agent, second } = await agentWithTwoKeys()

    const { status, body } = await agent.delete(`/agents/keys/${second.id}`)

    assert.equal(status, 200)
    assert.equal(body.key.id, second.id)
    assert.equal(body.key.expires_at, market.now().toISOString())
    assert(!('api_key' in body.key))
    assert.equal((await second.get('/wallet')).status, 401)
    assert.equal((await agent.get('/wallet')).status, 200)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
  })

  test('200: a key may delete itself if there is another', async () => {
    const { agent, first, second } = await agentWithTwoKeys()

    const { status } = await agent.delete(`/agents/keys/${first.id}`)

    assert.equal(status, 200)
    assert.equal((await agent.get('/wallet')).status, 401)
    assert.equal((await second.get('/wallet')).status, 200)
  })

  test('409 for the last key, which still works', async () => {
    const agent = await market.agent()
    const { body: listed } = await agent.get('/agents/keys')

    const { status, body } = await agent.delete(`/agents/keys/${listed.keys[0].id}`)

    assert.equal(status, 409)
    assert.equal(body.code, 'last_key')
    assert.equal((await agent.get('/wallet')).status, 200)
  })

  test('409 for the last key besides a rotated one, which expires', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/agents/register', { name: agent.name, email: agent.email })
    const renewed = market.client(body.agent.api_key)
    const { body: listed } = await renewed.get('/agents/keys')
    const ids = (isEnding: boolean) =>
      listed.keys.find((key: { expires_at: unknown }) => (key.expires_at !== null) === isEnding).id

    const last = await renewed.delete(`/agents/keys/${ids(false)}`)
    const ending = await renewed.delete(`/agents/keys/${ids(true)}`)

    assert.equal(last.status, 409)
    assert.equal(last.body.code, 'last_key')
    assert.equal(ending.status, 200)
    assert.equal((await agent.get('/wallet')).status, 401)
  })

  test('409 for one of two keys that delete each other concurrently: one always stays', async () => {
    const { agent, first, second } = await agentWithTwoKeys()

    const replies = await Promise.all([
      agent.delete(`/agents/keys/${second.id}`),
      second.delete(`/agents/keys/${first.id}`),
    ])

    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    const statuses = [(await agent.get('/wallet')).status, (await second.get('/wallet')).status]
    assert.deepEqual(new Set(statuses), new Set([200, 401]))
  })

  test('404 for a foreign, other-mode, deleted, expired or unknown key', async () => {
    const { agent, second } = await agentWithTwoKeys()
    const other = await agentWithTwoKeys()
    const test = await agent.test.get('/agents/keys')
    await agent.delete(`/agents/keys/${second.id}`)
    const { body } = await agent.post('/agents/register', { name: agent.name, email: agent.email })
    market.advance(DAY)
    const renewed = market.client(body.agent.api_key)
    const ended = await market.asOwner(
      `select id from api_keys where agent_id = $1 and name = 'first key'`,
      [agent.id],
    )

    for (const id of [
      other.second.id,
      test.body.keys[0].id,
      second.id,
      ended[0]!.id,
      mintId('key', market.now(), 1),
    ]) {
      const reply = await renewed.delete(`/agents/keys/${id}`)

      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'key_not_found')
    }
    assert.equal((await other.second.get('/wallet')).status, 200)
    assert.equal((await agent.test.get('/wallet')).status, 200)
  })

  test('200: deleting a key ends all keys below it at once, and nothing else', async () => {
    const agent = await market.agent()
    const root = await market.key(agent, { budget_cents: 100 })
    const child = await market.key(root)
    const grandchild = await market.key(child)
    const sibling = await market.key(root)
    const before = await agent.get('/agents/keys')

    const { status } = await root.delete(`/agents/keys/${child.id}`)

    const works = async (key: typeof root) => (await key.get('/wallet')).status === 200
    assert.equal(before.body.keys.length, 5)
    assert.equal(status, 200)
    assert.deepEqual(
      [await works(root), await works(child), await works(grandchild), await works(sibling)],
      [true, false, false, true],
    )
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 3)
  })

  test('a process that caches the keys accepts none of the tree after KEY_CACHE_SECONDS', async () => {
    const agent = await market.agent()
    const root = await market.key(agent, { budget_cents: 100 })
    const child = await market.key(root)
    const authenticator = openAuthenticator(market.db.shards, { trustMs: 5000 })
    const now = market.now()
    const at = (ms: number) => new Date(now.getTime() + ms)
    await authenticator.find(child.api_key, now)

    await agent.delete(`/agents/keys/${root.id}`)

    assert(authenticator.recall(child.api_key, at(4999)), 'the cached key still works until then')
    assert.equal(authenticator.recall(child.api_key, at(5000)), undefined)
    assert.equal(await authenticator.find(child.api_key, at(5000)), undefined)
  })

  test('200: a limited key may delete itself, even the last of its kind', async () => {
    const agent = await market.agent()
    const key = await market.key(agent, { scopes: ['manage'] })

    const { status } = await key.delete(`/agents/keys/${key.id}`)

    assert.equal(status, 200)
    assert.equal((await key.get('/agents/keys')).status, 401)
  })

  test('404 for a limited key’s parent, sibling, and the agent’s own keys', async () => {
    const { agent, first } = await agentWithTwoKeys()
    const parent = await market.key(agent, { budget_cents: 100 })
    const [key, sibling] = [await market.key(parent), await market.key(parent)]

    for (const id of [first.id, parent.id, sibling.id]) {
      const reply = await key.delete(`/agents/keys/${id}`)

      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'key_not_found')
    }
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 5)
  })

  test('409 for the last key without limits, however many limited ones there are', async () => {
    const agent = await market.agent()
    const { body } = await agent.get('/agents/keys')
    await market.key(agent, { budget_cents: 100 })

    const reply = await agent.delete(`/agents/keys/${body.keys[0].id}`)

    assert.equal(reply.status, 409)
    assert.equal(reply.body.code, 'last_key')
  })

  test('401 without a key; nothing is deleted', async () => {
    const { second } = await agentWithTwoKeys()

    const { status } = await market.call('DELETE', `/agents/keys/${second.id}`)

    assert.equal(status, 401)
    assert.equal((await second.get('/wallet')).status, 200)
  })
})
