import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const DAY_MS = 86_400_000

async function made(body = {}) {
  const reply = await market.call('POST', '/test/agents', { body })
  assert.equal(reply.status, 201, reply.text)
  const { agent, expires_at, claim_url } = reply.body
  return { ...agent, expires_at, claim_url, ...market.client(agent.test_api_key) } as {
    id: string
    test_api_key: string
    webhook_secret: string
    expires_at: string
    claim_url: string
  } & ReturnType<typeof market.client>
}

const register = (key: string | undefined, body = {}) =>
  market.call('POST', '/agents/register', {
    body: { name: 'Scout', email: `${randomUUID()}@example.com`, ...body },
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  })

describe('POST /test/agents', () => {
  test('201: returns a test key with test money and a first proof, without an account', async () => {
    const agent = await made({ name: 'Trial' })

    const created = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    await agent.post('/test/clock/advance', { by: '10s' })

    assert.match(agent.test_api_key, /^lw_test_/)
    assert(agent.claim_url.endsWith('/console/go-live'))
    assert.equal(created.status, 201)
    const { task } = (await agent.get(`/tasks/${created.body.task.id}`)).body
    assert.deepEqual([task.mode, task.status], ['test', 'proof_submitted'])
    assert.equal((await agent.get('/wallet')).body.balance_cents, 100_000)
  })

  test('its keys work for seven days', async () => {
    const agent = await made()
    const again = await agent.post('/agents/keys', { name: 'another' })
    const other = market.client(again.body.key.api_key as string)

    market.advance(7 * DAY_MS - 1000)
    assert.equal((await agent.get('/wallet')).status, 200)
    assert.equal((await other.get('/wallet')).status, 200)
    market.advance(1000)
    assert.equal((await agent.get('/wallet')).status, 401)
    assert.equal((await other.get('/wallet')).status, 401)
    const late = await register(agent.test_api_key)
    assert.notEqual(
      late.body.agent.test_api_key,
      undefined,
      'a new agent: the expired key is ignored',
    )
  })

  test('its keys can be deleted and capped while one without limits is left', async () => {
    const agent = await made()
    const [own] = (await agent.get('/agents/keys')).body.keys
    const leaked = await market.key(agent, { scopes: ['read'] })

    assert.equal((await agent.delete(`/agents/keys/${leaked.id}`)).status, 200)
    assert.equal((await agent.delete(`/agents/keys/${own.id}`)).body.code, 'last_key')
    const second = await market.key(agent)
    const change = { day_max_cents: 500 }
    assert.equal((await agent.patch(`/agents/keys/${second.id}`, change)).status, 200)
    assert.equal((await agent.patch(`/agents/keys/${own.id}`, change)).body.code, 'last_key')
  })
})

describe('POST /agents/register with the key of a test agent', () => {
  test('makes it the test twin of the new agent, and keeps its tasks, money, keys and secret', async () => {
    const agent = await made()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 3000 })
    const again = await agent.post('/agents/keys', { name: 'another' })

    const claimed = await register(agent.test_api_key)

    assert.equal(claimed.status, 201, claimed.text)
    assert.equal(claimed.body.agent.webhook_secret, agent.webhook_secret)
    assert.equal(claimed.body.agent.test_api_key, undefined)
    market.advance(8 * DAY_MS)
    assert.equal((await agent.get(`/tasks/${body.task.id}`)).status, 200)
    assert.equal((await market.client(again.body.key.api_key).get('/wallet')).status, 200)
    const live = market.client(claimed.body.agent.api_key)
    assert.deepEqual((await live.get('/tasks')).body.tasks, [])
    assert.equal((await live.get('/wallet')).body.balance_cents, 0)
    const twins = await market.asOwner('select id, mode, twin_id from agents where id = any($1)', [
      [agent.id, claimed.body.agent.id],
    ])
    for (const { id, twin_id } of twins)
      assert(twins.some((one) => one.id === twin_id && id !== twin_id))
  })

  test('403 with a limited key, which stays unchanged; an expiring one still expires', async () => {
    const agent = await made()
    const limited = await market.key(agent, { day_max_cents: 500 })
    const until = new Date(market.now().getTime() + 30 * DAY_MS).toISOString()
    const ending = await market.key(agent, { expires_at: until })

    const refused = await register(limited.api_key)

    assert.deepEqual([refused.status, refused.body.code], [403, 'limited_key'])
    assert.equal((await register(agent.test_api_key)).status, 201)
    market.advance(7 * DAY_MS)
    assert.equal((await limited.get('/wallet')).status, 200)
    assert.equal((await ending.get('/wallet')).status, 401)
  })

  test('claims it once: afterwards the key has no effect', async () => {
    const agent = await made()
    const first = await register(agent.test_api_key)
    const second = await register(agent.test_api_key)

    assert.deepEqual([first.status, second.status], [201, 201])
    assert.notEqual(first.body.agent.id, second.body.agent.id)
    assert.notEqual(second.body.agent.test_api_key, undefined)
  })

  test('claims it once in two concurrent requests', async () => {
    const agent = await made()

    const replies = await Promise.all([register(agent.test_api_key), register(agent.test_api_key)])

    const withOwn = replies.filter(({ body }) => body.agent.test_api_key === undefined)
    assert.equal(withOwn.length, 1)
  })

  test('409 for a registered email; the test agent stays without an account', async () => {
    const agent = await made()
    const email = `${randomUUID()}@example.com`
    await register(undefined, { email })

    assert.equal((await register(agent.test_api_key, { email })).status, 409)
    const [row] = await market.asOwner('select email, expires_at from agents where id = $1', [
      agent.id,
    ])
    assert.equal(row!.email, null)
    assert.notEqual(row!.expires_at, null)
  })
})
