import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern } from '../kit/ids.ts'
import { isWellFormedApiKey } from '../kit/secrets.ts'

const market = await marketplace()

describe('POST /agents/keys', () => {
  test('201: a new key, shown once, that works beside the first', async () => {
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
      created_at: market.now().toISOString(),
      last_used_at: null,
      expires_at: null,
    })
    assert.equal((await market.client(api_key).get('/wallet')).body.balance_cents, 300)
    assert.equal((await agent.get('/wallet')).status, 200)
  })

  test('201: a test key makes a test key, which sees the test wallet', async () => {
    const agent = await market.agent({ balanceCents: 300 })

    const { body } = await agent.test.post('/agents/keys', { name: 'ci' })

    assert.match(body.key.api_key, /^lw_test_/)
    assert.equal(body.key.mode, 'test')
    const wallet = await market.client(body.key.api_key).get('/wallet')
    assert.equal(wallet.body.balance_cents, 100_000)
  })

  test('409 for the eleventh; a deleted one makes room', async () => {
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

  test('409 for those beyond the tenth of 14 at once', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, i) => agent.post('/agents/keys', { name: `key ${i}` })),
    )

    assert.equal(replies.filter(({ status }) => status === 201).length, 9)
    assert.equal(replies.filter(({ body }) => body.code === 'too_many_keys').length, 5)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 10)
  })

  test('live keys and test keys are counted apart', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 9; i += 1) await agent.post('/agents/keys', { name: `key ${i}` })

    const { status } = await agent.test.post('/agents/keys', { name: 'of test mode' })

    assert.equal(status, 201)
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

  test('the stored key is a hash, and the stored answer is sealed', async () => {
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
