import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern } from '../kit/ids.ts'
import { isWellFormedApiKey } from '../kit/secrets.ts'

const market = await marketplace()
const HOUR = 3_600_000

const newEmail = () => `${randomUUID()}@example.com`
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const register = (body: unknown, headers: Record<string, string> = {}) =>
  market.call('POST', '/agents/register', { body, headers })

describe('POST /agents/register', () => {
  test('201: an agent with two keys, a webhook secret, an empty wallet, and 3 free tasks', async () => {
    const { status, body } = await register({
      name: '  Scout  ',
      email: newEmail(),
      webhook_url: 'https://hooks.example.com/legwork?a=b',
      events: ['task.completed', 'task.expired'],
    })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['agent'])
    const { id, api_key, test_api_key, webhook_secret, ...rest } = body.agent
    assert.match(id, idPattern('agent'))
    assert.match(api_key, /^lw_live_/)
    assert.match(test_api_key, /^lw_test_/)
    assert(isWellFormedApiKey(api_key) && isWellFormedApiKey(test_api_key))
    assert.match(webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(rest, { name: 'Scout', balance_cents: 0, free_tasks_remaining: 3 })
  })

  test('201: a name and an email are enough', async () => {
    const { status } = await register({ name: 'A', email: newEmail() })

    assert.equal(status, 201)
  })

  test('the new agent’s wallet is empty, its test wallet holds test money', async () => {
    const agent = await market.agent()

    const [live, play] = [await agent.get('/wallet'), await agent.test.get('/wallet')]

    assert.equal(live.body.balance_cents, 0)
    assert.equal(live.body.free_tasks_remaining, 3)
    assert.equal(play.body.balance_cents, 100_000)
  })

  test('the tables contain only hashes of both keys, and no other secret', async () => {
    const idempotencyKey = randomUUID()
    const { body } = await register(
      { name: 'Secretive', email: newEmail() },
      { 'idempotency-key': idempotencyKey },
    )

    const dump = await dumpTables()

    assert(dump.includes(body.agent.id), 'the dump holds the agent')
    for (const key of [body.agent.api_key, body.agent.test_api_key]) {
      assert(!dump.includes(key))
      assert(!dump.includes(key.slice('lw_live_'.length + 6)), 'no long part of it either')
    }
    assert(!dump.includes(idempotencyKey))
  })

  describe('a registered email', () => {
    test('[4.4-duplicate] [7-409] 409 without a key, in any spelling', async () => {
      const agent = await market.agent()

      for (const email of [agent.email, agent.email.toUpperCase()]) {
        const { status, body } = await register({ name: 'Other', email })

        assert.equal(status, 409)
        assert.equal(body.code, 'already_registered')
        assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
      }
    })

    test('409 for all but one of 8 concurrent registrations', async () => {
      const email = newEmail()
      const spellings = [email, email.toUpperCase()]

      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, i) => register({ name: `N${i}`, email: spellings[i % 2] })),
      )

      const statuses = replies.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 1)
      assert.equal(statuses.filter((status) => status === 409).length, 7)
      const agents = await market.asOwner(
        'select mode from agents where lower(email) = $1 order by mode',
        [email],
      )
      assert.deepEqual(
        agents.map(({ mode }) => mode),
        ['live', 'test'],
      )
    })

    test('409 with another agent’s key, its own test key, or an invalid key', async () => {
      const [agent, other] = [await market.agent(), await market.agent()]
      const keys = [other.api_key, agent.test_api_key, `${agent.api_key.slice(0, -1)}-`, 'nonsense']

      for (const key of keys) {
        const { status, body } = await register(
          { name: agent.name, email: agent.email },
          bearer(key),
        )

        assert.equal(status, 409)
        assert.equal(body.code, 'already_registered')
      }
      const { body } = await agent.get('/agents/keys')
      assert.equal(body.keys.length, 1, 'no key was created')
    })
  })

  test('201: an invalid key does not prevent the registration of a new email', async () => {
    const { status } = await register({ name: 'New', email: newEmail() }, bearer('nonsense'))

    assert.equal(status, 201)
  })

  test('201: an agent’s key with another email and an Idempotency-Key, within one shard', async () => {
    const agent = await market.agent()

    for (let i = 0; i < 4; i += 1) {
      const { status, text } = await agent.post(
        '/agents/register',
        { name: 'Another', email: `${randomUUID()}@example.com` },
        { 'idempotency-key': randomUUID() },
      )
      assert.equal(status, 201, text)
    }
  })

  test('201: an agent’s key with another email registers another agent', async () => {
    const agent = await market.agent()

    const { status, body } = await register(
      { name: 'Second', email: newEmail() },
      bearer(agent.api_key),
    )

    assert.equal(status, 201)
    assert.notEqual(body.agent.id, agent.id)
    assert.equal((await agent.get('/agents/keys')).status, 200)
  })

  describe('with the current key: rotation', () => {
    for (const [words, headers] of [
      ['Authorization', bearer],
      ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ] as const)
      test(`[5-rotation] 201 by ${words}: the same agent with a new key, and nothing else new`, async () => {
        const agent = await market.agent({ balanceCents: 700 })
        await agent.post('/tasks', { description: 'Uses a free task', budget_cents: 100 })

        const { status, body } = await register(
          { name: 'Renamed?', email: agent.email.toUpperCase() },
          headers(agent.api_key),
        )

        assert.equal(status, 201)
        const { api_key, ...rest } = body.agent
        assert.deepEqual(rest, {
          id: agent.id,
          name: agent.name,
          balance_cents: 700,
          free_tasks_remaining: 2,
        })
        assert.notEqual(api_key, agent.api_key)
        assert.equal((await market.client(api_key).get('/wallet')).body.balance_cents, 700)
      })

    test('the old key works for 24 more hours, then 401; the new one and the test key still work', async () => {
      const agent = await market.agent()
      const { body } = await register(
        { name: agent.name, email: agent.email },
        bearer(agent.api_key),
      )
      const renewed = market.client(body.agent.api_key)

      market.advance(24 * HOUR - 1)
      const before = await agent.get('/wallet')
      market.advance(1)
      const after = await agent.get('/wallet')

      assert.equal(before.status, 200)
      assert.equal(after.status, 401)
      assert.equal((await renewed.get('/wallet')).status, 200)
      assert.equal((await agent.test.get('/wallet')).status, 200)
    })

    test('repeating it with the replaced key does not extend its last day', async () => {
      const agent = await market.agent()
      const again = () => register({ name: agent.name, email: agent.email }, bearer(agent.api_key))
      await again()
      market.advance(23 * HOUR)

      const { status } = await again()

      assert.equal(status, 201)
      market.advance(HOUR)
      assert.equal((await agent.get('/wallet')).status, 401)
    })

    test('works at the maximum number of keys', async () => {
      const agent = await market.agent()
      for (let i = 0; i < 9; i += 1) await agent.post('/agents/keys', { name: `key ${i}` })

      const { status } = await register(
        { name: agent.name, email: agent.email },
        bearer(agent.api_key),
      )

      assert.equal(status, 201)
    })

    test('409 when a replaced key exceeds the maximum number of keys, in 12 concurrent requests', async () => {
      const agent = await market.agent()

      const replies = await Promise.all(
        Array.from({ length: 12 }, () =>
          register({ name: agent.name, email: agent.email }, bearer(agent.api_key)),
        ),
      )

      const refused = replies.filter(({ status }) => status === 409)
      assert.equal(replies.filter(({ status }) => status === 201).length, 10)
      assert.deepEqual(
        refused.map(({ body }) => body.code),
        ['too_many_keys', 'too_many_keys'],
      )
    })

    test('leaves the agent’s other keys unchanged', async () => {
      const agent = await market.agent()
      const { body: made } = await agent.post('/agents/keys', { name: 'second' })

      await register({ name: agent.name, email: agent.email }, bearer(agent.api_key))

      market.advance(25 * HOUR)
      const { status } = await market.client(made.key.api_key).get('/wallet')
      assert.equal(status, 200)
    })
  })

  describe('[4.4-name] [4.4-email] 400', () => {
    for (const [words, change, path] of [
      ['without a name', { name: undefined }, 'name'],
      ['with a blank name', { name: '   ' }, 'name'],
      ['with a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
      ['with a name that is not a string', { name: 7 }, 'name'],
      ['without an email', { email: undefined }, 'email'],
      ['with an invalid email', { email: 'not-an-address' }, 'email'],
      ['with an email of 300 characters', { email: `${'x'.repeat(290)}@a.com` }, 'email'],
      ['with an email without a top-level domain', { email: 'a@localhost' }, 'email'],
      ['with a webhook_url that is not a URL', { webhook_url: 'not a url' }, 'webhook_url'],
      ['with a webhook_url without a host', { webhook_url: 'https://' }, 'webhook_url'],
      ['with a webhook_url that is not a string', { webhook_url: 5 }, 'webhook_url'],
      ['with a webhook_url of another scheme', { webhook_url: 'ftp://a.example' }, 'webhook_url'],
      ['with a javascript: webhook_url', { webhook_url: 'javascript:alert(1)' }, 'webhook_url'],
      [
        'with a username in the webhook_url',
        { webhook_url: 'https://me@a.example/' },
        'webhook_url',
      ],
      [
        'with a password in the webhook_url',
        { webhook_url: 'https://me:secret@a.example/' },
        'webhook_url',
      ],
      [
        'with a webhook_url of 2100 characters',
        { webhook_url: `https://a.example/${'x'.repeat(2100)}` },
        'webhook_url',
      ],
      ['with an unknown event', { events: ['task.exploded'] }, 'events.0'],
    ] as const)
      test(`${words}, naming the field`, async () => {
        const email = newEmail()

        const { status, body } = await register({ name: 'Agent', email, ...change })

        assert.equal(status, 400)
        assert.equal(body.code, 'invalid_request')
        assert.deepEqual(
          body.details.map((detail: { path: string }) => detail.path),
          [path],
        )
        assert(body.error.startsWith(`${path} `))
        assert(!body.error.includes('secret'))
        const { length } = await market.asOwner('select from agent_emails where email = $1', [
          email,
        ])
        assert.equal(length, 0)
      })

    test('names every wrong field', async () => {
      const { body } = await register({ email: 'x', webhook_url: 'y' })

      assert.deepEqual(
        body.details.map((detail: { path: string }) => detail.path),
        ['name', 'email', 'webhook_url'],
      )
    })
  })

  test('a read-only field has no effect and is named in a warning', async () => {
    const { status, body } = await register({
      name: 'Greedy',
      email: newEmail(),
      balance_cents: 1_000_000,
      free_tasks_remaining: 99,
      id: 'agent_00000000000000000000000000',
    })

    assert.equal(status, 201)
    assert.equal(body.agent.balance_cents, 0)
    assert.equal(body.agent.free_tasks_remaining, 3)
    assert.equal(await market.balance(body.agent.id), 0)
    assert.deepEqual(body.warnings, [
      { code: 'unknown_field', path: 'balance_cents' },
      { code: 'unknown_field', path: 'free_tasks_remaining' },
      { code: 'unknown_field', path: 'id' },
    ])
  })

  describe('with an Idempotency-Key', () => {
    test('201 again, byte for byte, and no second agent', async () => {
      const [email, key] = [newEmail(), randomUUID()]

      const first = await register({ name: 'Once', email }, { 'idempotency-key': key })
      const second = await register({ name: 'Once', email }, { 'idempotency-key': key })

      assert.equal(second.status, 201)
      assert.equal(second.text, first.text)
      assert.equal(first.headers.get('idempotency-replayed'), null)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      const { length } = await market.asOwner('select from agents where email = $1', [email])
      assert.equal(length, 2)
    })

    test('the stored response is sealed: it shows neither the keys nor the webhook secret', async () => {
      const key = randomUUID()
      const { body } = await register(
        { name: 'Sealed', email: newEmail() },
        { 'idempotency-key': key },
      )

      const rows = await market.asOwner(
        `select * from idempotency_keys where principal = 'anonymous'`,
      )

      assert(rows.length > 0)
      const text = JSON.stringify(rows)
      for (const secret of [
        body.agent.api_key,
        body.agent.test_api_key,
        body.agent.webhook_secret,
        key,
        body.agent.id,
      ])
        assert(!text.includes(secret))
    })

    test('the response of a rotation is sealed and replayed, too', async () => {
      const agent = await market.agent()
      const headers = { ...bearer(agent.api_key), 'idempotency-key': randomUUID() }
      const request = () => register({ name: agent.name, email: agent.email }, headers)

      const [first, second] = [await request(), await request()]

      assert.equal(first.status, 201)
      assert.equal(second.text, first.text)
      const rows = await market.asOwner('select * from idempotency_keys where principal = $1', [
        agent.id,
      ])
      assert.equal(rows.length, 1)
      assert(!JSON.stringify(rows).includes(first.body.agent.api_key))
    })

    test('409 is replayed with its original message', async () => {
      const agent = await market.agent()
      const headers = { 'idempotency-key': randomUUID() }
      const request = () => register({ name: 'Late', email: agent.email }, headers)

      const [first, second] = [await request(), await request()]

      assert.deepEqual([first.status, second.status], [409, 409])
      assert.equal(second.text, first.text)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
    })

    test('400 for a guessable key, because it opens a stored secret', async () => {
      const email = newEmail()

      const { status, body } = await register(
        { name: 'Short', email },
        { 'idempotency-key': 'x'.repeat(19) },
      )

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'Idempotency-Key')
      assert.equal((await register({ name: 'Short', email })).status, 201)
    })
  })
})

/** Every row of every table as text, as a backup would hold it. */
async function dumpTables(): Promise<string> {
  const tables = await market.asOwner(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => market.asOwner(`select t::text as row from ${name} t`)),
  )
  return JSON.stringify(rows)
}
