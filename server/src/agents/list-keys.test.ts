import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern } from '../kit/ids.ts'

const market = await marketplace()
const HOUR = 3_600_000

describe('GET /agents/keys', () => {
  test('200: every active key, oldest first, without its secret', async () => {
    const agent = await market.agent()
    const createdAt = market.now().toISOString()
    market.advance(1000)
    const { body: made } = await agent.post('/agents/keys', { name: 'deploy' })

    const { status, body, text } = await agent.get('/agents/keys')

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['keys'])
    const [first, second] = body.keys
    assert.match(first.id, idPattern('key'))
    assert.deepEqual(
      { ...first, id: undefined },
      {
        id: undefined,
        name: 'first key',
        mode: 'live',
        prefix: agent.api_key.slice(0, 14),
        parent_id: null,
        scopes: ['create', 'review', 'read', 'manage'],
        types: null,
        caps: {
          task_max_cents: null,
          day_max_cents: null,
          month_max_cents: null,
          budget_cents: null,
        },
        spent: null,
        children: 0,
        created_at: createdAt,
        last_used_at: market.now().toISOString(),
        expires_at: null,
        is_of_app: false,
      },
    )
    const { api_key, ...shown } = made.key
    assert.deepEqual(second, shown)
    assert.equal(body.keys.length, 2)
    for (const key of [agent.api_key, agent.test_api_key, api_key]) assert(!text.includes(key))
  })

  test('shows when a key was last used, to the hour', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.post('/agents/keys', { name: 'second' })
    const second = market.client(made.key.api_key)
    const lastUse = async () => {
      const { body } = await agent.get('/agents/keys')
      return body.keys.find(({ id }: { id: string }) => id === made.key.id).last_used_at
    }
    const unused = await lastUse()

    await second.get('/wallet')
    const used = market.now().toISOString()
    market.advance(HOUR / 2)
    await second.get('/wallet')
    const soon = await lastUse()
    market.advance(HOUR)
    await second.get('/wallet')

    assert.equal(unused, null)
    assert.equal(soon, used)
    assert.equal(await lastUse(), market.now().toISOString())
  })

  test('shows a rotated key with its expiry, and not after it', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/agents/register', { name: agent.name, email: agent.email })
    const renewed = market.client(body.agent.api_key)
    const end = new Date(market.now().getTime() + 24 * HOUR).toISOString()

    const during = await renewed.get('/agents/keys')
    market.advance(24 * HOUR)
    const after = await renewed.get('/agents/keys')

    const ends = during.body.keys.map((key: { expires_at: string | null }) => key.expires_at)
    assert.deepEqual(new Set(ends), new Set([end, null]))
    assert.equal(ends.length, 2)
    assert.equal(after.body.keys.length, 1)
  })

  test('shows a test key only test keys, and a live key only live keys', async () => {
    const agent = await market.agent()

    const [live, test] = [await agent.get('/agents/keys'), await agent.test.get('/agents/keys')]

    const modes = (keys: { mode: string }[]) => keys.map(({ mode }) => mode)
    assert.deepEqual(modes(live.body.keys), ['live'])
    assert.deepEqual(modes(test.body.keys), ['test'])
  })

  test('shows a limited key itself and its descendants, with the number of children of each', async () => {
    const agent = await market.agent()
    const parent = await market.key(agent, { budget_cents: 100 })
    const child = await market.key(parent)
    const grandchild = await market.key(child)
    const sibling = await market.key(parent)

    const shown = async (key: Pick<typeof parent, 'get'>) =>
      (await key.get('/agents/keys')).body.keys.map((one: typeof parent) => [one.id, one.children])

    const all = await shown(agent)
    assert.equal(all.length, 5)
    assert.deepEqual(await shown(parent), all.slice(1))
    assert.deepEqual(all.slice(1), [
      [parent.id, 2],
      [child.id, 1],
      [grandchild.id, 0],
      [sibling.id, 0],
    ])
    assert.deepEqual(await shown(child), [
      [child.id, 1],
      [grandchild.id, 0],
    ])
    assert.deepEqual(await shown(sibling), [[sibling.id, 0]])
  })

  test('shows nothing of other agents', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    const { body: made } = await other.post('/agents/keys', { name: 'of the other' })

    const { text } = await agent.get('/agents/keys')

    assert(!text.includes(made.key.id))
  })

  test('401 without a key', async () => {
    const { status } = await market.call('GET', '/agents/keys')

    assert.equal(status, 401)
  })
})
