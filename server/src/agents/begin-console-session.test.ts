import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'
import { openBrowser } from '../../test/people.ts'
import { mintApiKey, sha256 } from '../kit/secrets.ts'

const HOUR = 3_600_000
const NAME = '__Host-legwork-console'
const market = await marketplace()

/** A developer who is logged in with a browser. */
async function signIn({ isTest = false } = {}) {
  const agent = await market.agent({ balanceCents: 10_000 })
  const browser = openBrowser(market)
  const api_key = isTest ? agent.test_api_key : agent.api_key
  const reply = await browser.post('/console/session', { api_key })
  assert.equal(reply.status, 201, reply.text)
  return { agent, browser, reply }
}

describe('POST /console/session', () => {
  test('201: returns the agent and the expiry; the token is in the cookie, and we store only its hash', async () => {
    const { agent, browser, reply } = await signIn()

    const [cookie, ...more] = reply.headers.getSetCookie()
    const token = browser.jar.cookie.split('=')[1]!
    assert.match(
      cookie!,
      /^__Host-legwork-console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    )
    assert.deepEqual(more, [])
    assert.deepEqual(reply.body, {
      agent: { id: agent.id, name: agent.name, mode: 'live' },
      expires_at: new Date(market.now().getTime() + 12 * HOUR).toISOString(),
    })
    const [row] = await market.asOwner('select * from console_sessions where agent_id = $1', [
      agent.id,
    ])
    assert.equal(row!.token_hash, sha256(token))
    assert(!JSON.stringify(row).includes(token))
  })

  test('the cookie authenticates as its key, in the mode of its key; reads need no Origin', async () => {
    const live = await signIn()
    const test = await signIn({ isTest: true })

    const created = await live.browser.post('/tasks', { description: 'Look', budget_cents: 500 })
    const keys = await live.agent.get('/agents/keys')
    const read = await live.browser.get(`/tasks/${created.body.task.id}`)
    const played = await test.browser.post('/tasks', { description: 'Look', budget_cents: 500 })

    assert.equal(created.status, 201, created.text)
    assert.equal(read.body.task.id, created.body.task.id)
    assert.equal(created.body.task.mode, 'live')
    assert.equal(played.body.task.mode, 'test')
    assert.equal(keys.body.keys.length, 1)
  })

  test('403 for the cookie with a foreign or missing Origin, and nothing happens', async () => {
    const { browser } = await signIn()
    const { cookie } = browser.jar
    const body = { description: 'Look', budget_cents: 500 }

    for (const headers of [
      { cookie },
      { cookie, origin: 'null' },
      { cookie, origin: 'https://other.example' },
    ] as Record<string, string>[]) {
      const reply = await market.call('POST', '/tasks', { body, headers })
      assert.equal(reply.status, 403)
      assert.equal(reply.body.code, 'wrong_origin')
    }
    assert.equal((await browser.get('/tasks')).body.total, 0)
  })

  test('a key in either header takes precedence and needs no Origin', async () => {
    const { browser } = await signIn()
    const other = await market.agent({ balanceCents: 1000 })
    const { cookie } = browser.jar
    const send = (headers: Record<string, string>) =>
      market.call('PATCH', '/agents/me', { body: {}, headers: { cookie, ...headers } })

    const byBearer = await send({ authorization: `Bearer ${other.api_key}` })
    const byHeader = await send({ 'x-api-key': other.api_key })
    const unknown = await send({ authorization: `Bearer ${mintApiKey('live', 1)}` })
    const garbled = await send({ authorization: 'Basic x' })
    const empty = await send({ 'x-api-key': '' })

    assert.deepEqual([byBearer.body.agent.id, byHeader.body.agent.id], [other.id, other.id])
    assert.deepEqual([unknown.status, garbled.status, empty.status], [401, 401, 401])
  })

  test('a session ends with its key, at once for a process without a cache', async () => {
    const { agent, browser } = await signIn()
    const made = await agent.post('/agents/keys', { name: 'second' })
    const second = openBrowser(market)
    await second.post('/console/session', { api_key: made.body.key.api_key })

    await agent.delete(`/agents/keys/${made.body.key.id}`)

    assert.equal((await second.get('/wallet')).body.code, 'invalid_api_key')
    assert.equal((await browser.get('/wallet')).status, 200)
  })

  test('a session lasts as long as the secret that started it, which may be rotated', async () => {
    const { agent, browser } = await signIn()
    const { id } = (await agent.get('/agents/me')).body.key
    const rotated = await agent.post(`/agents/keys/${id}/rotate`)
    assert.equal(rotated.status, 201, rotated.text)
    const second = openBrowser(market)

    const begun = await second.post('/console/session', { api_key: agent.api_key })

    assert.equal((await browser.get('/agents/me')).body.key.id, id)
    assert.equal(begun.status, 201, begun.text)
    market.advance(25 * HOUR)
    assert.equal(
      (await second.post('/console/session', { api_key: agent.api_key })).body.code,
      'unknown_api_key',
    )
  })

  test('a session has the permissions of its key, and no more', async () => {
    const { agent } = await signIn()
    const made = await agent.post('/agents/keys', { name: 'reader', scopes: ['read'] })
    const reader = openBrowser(market)
    await reader.post('/console/session', { api_key: made.body.key.api_key })

    const read = await reader.get('/wallet')
    const created = await reader.post('/tasks', { description: 'Look', budget_cents: 500 })

    assert.equal(read.status, 200)
    assert.equal(created.status, 403)
    assert.equal(created.body.code, 'key_scope')
    assert.equal((await reader.delete('/console/session')).status, 204)
  })

  test('a session ends after 12 hours, even if a process has it cached', async () => {
    const cached = await startOn(market.url, {
      settings: { KEY_CACHE_SECONDS: 60 },
      clockOverride: market.server.clock,
    })
    const { browser } = await signIn()
    const ask = async () => {
      const headers = { cookie: browser.jar.cookie }
      const { status } = await fetch(`${cached.addresses.api}/wallet`, { headers })
      return status
    }

    market.advance(12 * HOUR - 1000)
    const before = [await ask(), await ask()]
    market.advance(1000)
    const after = await ask()
    await cached.stop()

    assert.deepEqual(before, [200, 200])
    assert.equal(after, 401)
    assert.equal((await browser.get('/wallet')).status, 401)
  })

  test('an ended session is deleted when the next one starts', async () => {
    const { agent } = await signIn()
    market.advance(13 * HOUR)

    await signIn()

    const rows = await market.asOwner('select 1 from console_sessions where agent_id = $1', [
      agent.id,
    ])
    assert.equal(rows.length, 0)
  })

  test('401 for an invalid or ended key, with a message and without a cookie', async () => {
    const { agent, browser } = await signIn()
    const made = await agent.post('/agents/keys', { name: 'gone' })
    await agent.delete(`/agents/keys/${made.body.key.id}`)

    for (const api_key of ['hello', mintApiKey('live', 7), made.body.key.api_key as string]) {
      const reply = await browser.post('/console/session', { api_key })
      assert.equal(reply.status, 401)
      assert.equal(reply.body.code, 'unknown_api_key')
      assert.equal(
        reply.body.error,
        'This API key is not valid; copy it again, or create a new one',
      )
      assert.deepEqual(reply.headers.getSetCookie(), [])
    }
  })

  test('403 from a foreign page: it cannot log somebody in', async () => {
    const { api_key } = await market.agent()

    for (const headers of [{}, { origin: 'https://other.example' }] as Record<string, string>[]) {
      const reply = await market.call('POST', '/console/session', { body: { api_key }, headers })
      assert.equal(reply.status, 403)
      assert.deepEqual(reply.headers.getSetCookie(), [])
    }
  })

  test('a request repeated with its Idempotency-Key returns the same cookie for the remaining time', async () => {
    const { api_key } = await market.agent()
    const browser = openBrowser(market)
    const headers = { 'idempotency-key': randomUUID() }

    const first = await browser.post('/console/session', { api_key }, headers)
    market.advance(HOUR)
    const again = await browser.post('/console/session', { api_key }, headers)

    const cookies = [first, again].map((reply) => reply.headers.getSetCookie()[0]!.split(';'))
    assert.equal(cookies[0]![0], cookies[1]![0])
    assert.deepEqual(
      cookies.map((parts) => parts.at(-1)),
      [' Max-Age=43200', ' Max-Age=39600'],
    )
  })

  test('logins are limited by IP address', async () => {
    const limited = await startOn(market.url, {
      settings: { RATE_LIMITS: 'on', LIMIT_LOGIN_PER_15_MINUTES: 2 },
      clockOverride: market.server.clock,
    })
    const { origin } = new URL(limited.addresses.api!)
    const ask = async () => {
      const { status } = await fetch(`${limited.addresses.api}/console/session`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: mintApiKey('live', 7) }),
      })
      return status
    }

    const statuses = [await ask(), await ask(), await ask()]
    await limited.stop()

    assert.deepEqual(statuses, [401, 401, 429])
  })

  test('requests of the browser and of the key have separate rate limits', async () => {
    const { agent, browser } = await signIn()
    const limited = await startOn(market.url, {
      settings: { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 2 },
      clockOverride: market.server.clock,
    })
    const ask = async (headers: Record<string, string>) => {
      const { status } = await fetch(`${limited.addresses.api}/wallet`, { headers })
      return status
    }
    const byCookie = { cookie: browser.jar.cookie }
    const byKey = { 'x-api-key': agent.api_key }

    const statuses: number[] = []
    for (const headers of [byCookie, byCookie, byCookie, byKey, byKey, byKey])
      statuses.push(await ask(headers))
    await limited.stop()

    assert.deepEqual(statuses, [200, 200, 429, 200, 200, 429])
  })

  test('a worker’s cookie does not authenticate an agent, and vice versa', async () => {
    const { browser } = await signIn()
    const token = browser.jar.cookie.slice(NAME.length + 1)
    const worker = await market.worker()

    const asAgent = await market.call('GET', '/wallet', {
      headers: { cookie: `__Host-legwork=${worker.token}` },
    })
    const asWorker = await browser.get('/worker/profile')
    const swapped = await market.call('GET', '/wallet', {
      headers: { authorization: `Bearer ${token}` },
    })

    assert.deepEqual([asAgent.status, asWorker.status, swapped.status], [401, 401, 401])
  })
})
