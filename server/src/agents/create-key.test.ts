import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { call, marketplace, startOn } from '../../test/harness.ts'
import { idPattern } from '../kit/ids.ts'
import { isWellFormedApiKey } from '../kit/secrets.ts'

const HOUR = 3_600_000
const market = await marketplace()

describe('POST /agents/keys', () => {
  test('201: a new key, shown once, works beside the first', async () => {
    const agent = await market.agent({ balanceCents: 300 })

    const { status, body } = await agent.post('/agents/keys', { name: '  deploy  ' })

    assert.equal(status, 201)
    const { id, api_key, prefix, ...rest } = body.key
    assert.match(id, idPattern('key'))
    assert(isWellFormedApiKey(api_key))
    assert.equal(prefix, api_key.slice(0, 14))
    assert.deepEqual(rest, {
      name: 'deploy',
      mode: 'live',
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
      created_at: market.now().toISOString(),
      last_used_at: null,
      expires_at: null,
      is_of_app: false,
    })
    assert.equal((await market.client(api_key).get('/wallet')).body.balance_cents, 300)
    assert.equal((await agent.get('/wallet')).status, 200)
  })

  test('201: a test key creates a test key, which sees the test wallet', async () => {
    const agent = await market.agent({ balanceCents: 300 })

    const { body } = await agent.test.post('/agents/keys', { name: 'ci' })

    assert.match(body.key.api_key, /^lw_test_/)
    assert.equal(body.key.mode, 'test')
    const wallet = await market.client(body.key.api_key).get('/wallet')
    assert.equal(wallet.body.balance_cents, 100_000)
  })

  test('409 for the eleventh key; a deleted one makes room', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 9; i += 1) await agent.post('/agents/keys', { name: `key ${i}` })
    const { body: listed } = await agent.get('/agents/keys')

    const refused = await agent.post('/agents/keys', { name: 'eleventh' })
    await agent.delete(`/agents/keys/${listed.keys[5].id}`)
    const made = await agent.post('/agents/keys', { name: 'tenth' })

    assert.equal(listed.keys.length, 10)
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'too_many_keys')
    assert.equal(made.status, 201)
  })

  test('409 for all but ten of 14 concurrent requests', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, i) => agent.post('/agents/keys', { name: `key ${i}` })),
    )

    assert.equal(replies.filter(({ status }) => status === 201).length, 9)
    assert.equal(replies.filter(({ body }) => body.code === 'too_many_keys').length, 5)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 10)
  })

  test('live keys and test keys are counted separately', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 9; i += 1) await agent.post('/agents/keys', { name: `key ${i}` })

    const { status } = await agent.test.post('/agents/keys', { name: 'of test mode' })

    assert.equal(status, 201)
  })

  test('201: a limited key has the requested limits', async () => {
    const agent = await market.agent()
    const expires_at = new Date(market.now().getTime() + HOUR).toISOString()

    const { body } = await agent.post('/agents/keys', {
      name: 'sub-agent',
      scopes: ['create', 'read', 'read'],
      types: ['verification', 'gut_check'],
      task_max_cents: 500,
      day_max_cents: 1000,
      month_max_cents: 10_000,
      budget_cents: 50_000,
      expires_at,
    })

    const { api_key } = body.key
    assert.deepEqual(body.key, {
      ...body.key,
      name: 'sub-agent',
      mode: 'live',
      parent_id: null,
      scopes: ['create', 'read'],
      types: ['verification', 'gut_check'],
      caps: {
        task_max_cents: 500,
        day_max_cents: 1000,
        month_max_cents: 10_000,
        budget_cents: 50_000,
      },
      spent: { day_cents: 0, month_cents: 0, total_cents: 0 },
      children: 0,
      last_used_at: null,
      expires_at,
    })
    assert.equal((await market.client(api_key).get('/wallet')).status, 200)
    market.advance(HOUR)
    assert.equal((await market.client(api_key).get('/wallet')).status, 401)
  })

  test('201: a key created by a limited key is its child, and inherits its limits by default', async () => {
    const agent = await market.agent()
    const parent = await market.key(agent, {
      scopes: ['create', 'manage'],
      types: ['custom'],
      day_max_cents: 1000,
    })

    const child = await market.key(parent)
    const grandchild = await market.key(child, { scopes: ['create'], day_max_cents: 10 })

    const limits = ({ parent_id, scopes, types, caps }: typeof child) => ({
      parent_id,
      scopes,
      types,
      day: caps.day_max_cents,
    })
    assert.deepEqual(limits(child), { ...limits(parent), parent_id: parent.id })
    assert.deepEqual(limits(grandchild), {
      ...limits(parent),
      parent_id: child.id,
      scopes: ['create'],
      day: 10,
    })
  })

  test('400 for more than the parent key has, naming the field', async () => {
    const agent = await market.agent()
    const end = new Date(market.now().getTime() + HOUR)
    const parent = await market.key(agent, {
      scopes: ['create', 'manage'],
      types: ['custom'],
      task_max_cents: 100,
      day_max_cents: 100,
      month_max_cents: 100,
      budget_cents: 100,
      expires_at: end.toISOString(),
    })

    const later = new Date(end.getTime() + 1).toISOString()
    for (const [field, values] of Object.entries({
      scopes: [['create', 'read']],
      types: [['custom', 'verification'], null],
      task_max_cents: [101, null],
      day_max_cents: [101, null],
      month_max_cents: [101, null],
      budget_cents: [101, null],
      expires_at: [later, null],
    }))
      for (const value of values) {
        const reply = await parent.post('/agents/keys', { name: 'more', [field]: value })

        assert.equal(reply.status, 400, reply.text)
        assert.equal(reply.body.details[0].path, field)
      }
    const { body } = await agent.get('/agents/keys')
    assert.equal(body.keys.length, 2)
  })

  test('400 for invalid limits', async () => {
    const agent = await market.agent()

    for (const [field, value] of Object.entries({
      scopes: [],
      types: ['laundry'],
      task_max_cents: 0,
      day_max_cents: 1.5,
      month_max_cents: 'much',
      budget_cents: -1,
      expires_at: market.now().toISOString(),
    })) {
      const reply = await agent.post('/agents/keys', { name: 'wrong', [field]: value })

      assert.equal(reply.status, 400, reply.text)
      assert.match(reply.body.details[0].path, new RegExp(`^${field}`))
    }
  })

  test('409 for a key of the sixth generation', async () => {
    const agent = await market.agent()
    let key = await market.key(agent, { budget_cents: 100 })
    for (let depth = 2; depth <= 5; depth += 1) key = await market.key(key)

    const { status, body } = await key.post('/agents/keys', { name: 'sixth' })

    assert.equal(status, 409)
    assert.equal(body.code, 'key_too_deep')
  })

  test('409 for too many limited keys; keys without limits are counted separately', async (t) => {
    const few = await startOn(market.url, { settings: { LIMITED_KEYS_MAX: 3 } })
    t.after(() => few.stop())
    const agent = await market.agent()
    const headers = { authorization: `Bearer ${agent.api_key}` }
    const make = (limits: object) =>
      call(few.addresses.api!, 'POST', '/agents/keys', {
        headers,
        body: { name: 'one', ...limits },
      })
    for (let i = 0; i < 3; i += 1) await make({ scopes: ['read'] })

    const refused = await make({ scopes: ['read'] })
    const own = await make({})

    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'too_many_keys')
    assert.equal(own.status, 201)
  })

  for (const [words, body] of [
    ['without a name', {}],
    ['with a blank name', { name: ' ' }],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }],
  ] as const)
    test(`400 ${words}`, async () => {
      const agent = await market.agent()

      const reply = await agent.post('/agents/keys', body)

      assert.equal(reply.status, 400)
      assert.equal(reply.body.details[0].path, 'name')
      assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
    })

  test('the key is stored as a hash, and the stored response is sealed', async () => {
    const agent = await market.agent()
    const { body } = await agent.post(
      '/agents/keys',
      { name: 'hidden' },
      { 'idempotency-key': randomUUID() },
    )

    const rows = [
      ...(await market.asOwner('select * from api_keys where agent_id = $1', [agent.id])),
      ...(await market.asOwner('select * from idempotency_keys where principal = $1', [agent.id])),
    ]

    assert.equal(rows.length, 3)
    assert(!JSON.stringify(rows).includes(body.key.api_key))
  })

  test('401 without a key', async () => {
    const { status } = await market.call('POST', '/agents/keys', { body: { name: 'x' } })

    assert.equal(status, 401)
  })
})
