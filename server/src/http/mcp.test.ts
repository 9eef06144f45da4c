import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { marketplace, startOn } from '../../test/harness.ts'

const market = await marketplace()
const limited = await marketplace({
  settings: { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 5, TRUST_PROXY: '127.0.0.1' },
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const ACCEPT = 'application/json, text/event-stream'
const callTool = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

async function post(
  body: unknown,
  {
    key,
    at = market.server.addresses.api!,
    method = 'POST',
    headers = {},
    signal,
  }: {
    key?: string
    at?: string
    method?: string
    headers?: Record<string, string>
    signal?: AbortSignal
  } = {},
) {
  const response = await fetch(new URL('/mcp', at), {
    method,
    headers: {
      accept: ACCEPT,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('/mcp', () => {
  test('responds to a caller with a key, in the protocol', async () => {
    const agent = await market.agent()

    const { status, text } = await post(LIST, { key: agent.api_key })

    assert.equal(status, 200)
    assert.match(text, /"ask_human"/)
  })

  test('401 with WWW-Authenticate for no key, a wrong one, and a worker’s token', async () => {
    const worker = await market.worker()

    for (const key of [undefined, `lw_live_${'0'.repeat(52)}`, worker.token]) {
      const { status, headers, text } = await post(LIST, key === undefined ? {} : { key })
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate')!, /^Bearer realm="legwork"/)
      assert.match(text, /"code":"invalid_api_key"/)
    }
  })

  test('401 for a key that is not sent as a bearer token, so that browsers never send it', async () => {
    const agent = await market.agent()

    const { status } = await post(LIST, { headers: { 'x-api-key': agent.api_key } })

    assert.equal(status, 401)
  })

  test('403 for a page of another origin, and for a null origin; ours is allowed', async () => {
    const { api_key: key } = await market.agent()
    const from = (origin: string) => post(LIST, { key, headers: { origin } })

    assert.equal((await from('https://evil.example')).status, 403)
    assert.equal((await from('null')).status, 403)
    assert.equal((await from(new URL(market.server.addresses.api!).origin)).status, 200)
  })

  test('413 for a body above 256 KB, 415 for other types than JSON, 405 for methods with a session', async () => {
    const { api_key: key } = await market.agent()

    assert.equal((await post(`"${'x'.repeat(262_144)}"`, { key })).status, 413)
    assert.equal((await post('hi', { key, headers: { 'content-type': 'text/plain' } })).status, 415)
    for (const method of ['GET', 'DELETE'])
      assert.equal((await post(undefined, { key, method })).status, 405)
  })

  test('400 for an invalid message, and the server keeps running', async () => {
    const { api_key: key } = await market.agent()

    for (const body of ['{', '[]', '{"jsonrpc":"1.0"}', 'null'])
      assert.equal((await post(body, { key })).status, 400, body)
    assert.equal((await post(LIST, { key })).status, 200)
  })

  test('400 for invalid UTF-8, instead of replaced characters', async () => {
    const { api_key: key } = await market.agent()
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])

    const response = await fetch(new URL('/mcp', market.server.addresses.api), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
    })

    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { code: string }).code, 'invalid_json')
  })

  test('calls the API as its caller, under the rate limit of the caller', async () => {
    const agent = await limited.agent()
    const other = await limited.agent()
    const look = callTool('list_human_tasks', {})
    const from = (ip: string, key: string) =>
      post(look, { key, at: limited.server.addresses.api!, headers: { 'x-forwarded-for': ip } })

    // Each is one call to /mcp and one to the API.
    assert.match((await from('203.0.113.1', agent.api_key)).text, /No matching tasks/)
    assert.match((await from('203.0.113.2', agent.api_key)).text, /No matching tasks/)
    const last = await from('203.0.113.3', agent.api_key)
    const over = await from('203.0.113.4', agent.api_key)
    const theirs = await from('203.0.113.1', other.api_key)

    assert.match(last.text, /Too many calls\. Try again in \d+ seconds/)
    assert.equal(over.status, 429)
    assert(Number(over.headers.get('retry-after')) > 0)
    assert.match(theirs.text, /No matching tasks/)
  })

  test('an agent sees nothing of another', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const other = await market.agent()
    const { id } = await market.taskIn(agent, 'proof_submitted')

    const seen = await post(callTool('wait_for_human', { task_id: id }), { key: other.api_key })

    assert.match(seen.text, new RegExp(`There is no task ${id}`))
  })

  test('a wait ends when its client disconnects', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    const gone = new AbortController()
    const before = await answered('/tasks/:id')

    const waiting = post(callTool('wait_for_human', { task_id: id, wait_seconds: 50 }), {
      key: agent.api_key,
      signal: gone.signal,
    })
    await until(async () => (await answered('/tasks/:id')) === before + 1)
    gone.abort()

    await assert.rejects(waiting)
    await until(async () => (await answered('/tasks/:id')) === before + 2)
  })

  test('a wait ends when the server stops, and says how to continue', async () => {
    const server = await startOn(market.url, {})
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    const begun = performance.now()

    const waiting = post(callTool('wait_for_human', { task_id: id, wait_seconds: 50 }), {
      key: agent.api_key,
      at: server.addresses.api!,
    })
    await pause(100)
    await server.stop()

    assert.match((await waiting).text, /Call wait_for_human/)
    assert(performance.now() - begun < 3500)
  })
})

/** How many requests to a route have finished, successfully or not. */
async function answered(route: string): Promise<number> {
  const { values } = await market.server.metrics.requests.get()
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.route === route)
    .reduce((sum, { value }) => sum + value, 0)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if (await isSo()) return
    await pause(25)
  }
  assert.fail('the condition was not met in time')
}
