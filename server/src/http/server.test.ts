import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { call, freshDatabase, marketplace, type Reply, startOn } from '../../test/harness.ts'
import { keyNotFound } from '../agents/errors.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern, mintId } from '../kit/ids.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const Done = z.object({ done: z.boolean() })

const echo = endpoint({
  method: 'POST',
  path: '/test/echo',
  auth: 'agent',
  scope: 'manage',
  summary: 'Answers with what it has read',
  body: z.object({
    text: z.string().optional(),
    inner: z.object({ a: z.int().optional() }).optional(),
    list: z.array(z.object({ a: z.int() })).optional(),
    free: z.record(z.string(), z.unknown()).optional(),
  }),
  success: { status: 200, body: z.object({ read: z.unknown() }) },
  errors: [],
  handler: async ({ body, warn }) => {
    if (body.text === 'soon')
      warn({ code: 'time_zone_assumed', path: 'text', message: 'text has no time zone' })
    return { read: body }
  },
})

const DEFECT = 'relation "agents" does not exist at /srv/legwork/secret.ts:7'
const breaks = endpoint({
  method: 'POST',
  path: '/test/breaks',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Fails by a defect',
  success: { status: 200, body: Done },
  errors: [],
  handler: () => Promise.reject(Object.assign(new Error(DEFECT), { statusCode: 418, code: 'X' })),
})
const readBreaks = endpoint({
  method: 'GET',
  path: '/test/breaks',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Fails by a defect',
  success: { status: 200, body: Done },
  errors: [],
  handler: () => Promise.reject(new TypeError(DEFECT)),
})
const undeclared = endpoint({
  method: 'POST',
  path: '/test/undeclared',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Refuses with an error that it does not declare',
  success: { status: 200, body: Done },
  errors: [],
  handler: () => Promise.reject(keyNotFound()),
})
const undocumented = endpoint({
  method: 'GET',
  path: '/test/undocumented',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Answers with more than it declares',
  success: { status: 200, body: z.object({ list: z.array(Done) }) },
  errors: [],
  handler: async () => ({ list: [{ done: true, extra: 1 }] }),
})

/** What the external check of an endpoint reports: the list of wrong fields. */
const world = { wrong: [] as string[], asked: 0, done: 0 }
const asks = (isSecret: boolean) =>
  endpoint({
    method: 'POST',
    path: isSecret ? '/test/asks-in-secret' : '/test/asks',
    auth: 'agent',
    scope: 'manage',
    summary: 'Asks the world before it does anything',
    body: z.object({ word: z.string(), other: z.string().optional() }),
    success: { status: 200, body: z.object({ count: z.int() }) },
    errors: [],
    isSecret,
    async check({ body }) {
      world.asked += 1
      return (['word', 'other'] as const)
        .filter((path) => world.wrong.includes(body[path] ?? ''))
        .map((path) => ({ path, message: 'is not a good word' }))
    },
    async handler() {
      world.done += 1
      return { count: world.done }
    },
  })

const market = await marketplace({
  // These tests provoke refusals, so their log lines would only be noise.
  settings: { LOG_LEVEL: 'silent' },
  moreEndpoints: [echo, breaks, readBreaks, undeclared, undocumented, asks(false), asks(true)],
})
const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
const absentTask = mintId('task', market.now(), 1)

const line = await openLine(new URL(await freshDatabase()))
const cutOff = await startOn(line.url, {
  settings: { LOG_LEVEL: 'silent', KEY_CACHE_SECONDS: 60 },
})
after(async () => {
  await line.mend()
  await cutOff.stop()
  line.close()
})

/** Expects `{ error, code, request_id, hint?, doc_url }` plus the extra fields, and the header's request id. */
function assertRefusal(reply: Reply, status: number, code: string, extra: string[] = []) {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.body.code, code)
  const { hint, doc_url } = reply.body
  assert.deepEqual(Object.keys(reply.body), [
    'error',
    'code',
    'request_id',
    ...extra,
    ...(hint === undefined ? [] : ['hint']),
    'doc_url',
  ])
  assert.equal(new URL(String(doc_url)).pathname, `/docs/errors/${code}`)
  assert.equal(typeof reply.body.error, 'string')
  assert.equal(reply.body.request_id, reply.headers.get('x-request-id'))
  assert.match(String(reply.body.request_id), idPattern('req'))
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
}

describe('every response', () => {
  test('has its own request id, and is never cached or sniffed', async () => {
    const replies = [
      await agent.get('/wallet'),
      await agent.get('/wallet', undefined, { 'x-request-id': 'req_of_the_caller' }),
      await market.call('GET', '/wallet'),
      await market.call('GET', '/nowhere'),
      await market.call('POST', '/test/breaks'),
      await market.call('GET', '/openapi.json'),
      await market.call('GET', '/openapi/agents.json'),
    ]

    for (const { headers } of replies) {
      assert.match(headers.get('x-request-id')!, idPattern('req'))
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-powered-by'), null)
      assert.equal(headers.get('server'), null)
    }
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    assert.equal(new Set(ids).size, replies.length)
  })
})

describe('a body', () => {
  for (const [words, text] of [
    ['truncated', '{"text":'],
    ['that is not JSON', 'text=hello'],
    ['with an extra comma', '{"text":"a",}'],
    ['with two values', '{} {}'],
    ['with a NUL', '{"text":"a\\u0000b"}'],
    ['with a NUL in a name', '{"free":{"a\\u0000b":1}}'],
    ['with a lone high surrogate', '{"text":"\\ud83d"}'],
    ['with a lone low surrogate', '{"text":"\\ude00"}'],
    ['with a reversed surrogate pair', '{"text":"\\uDE00\\uD83D"}'],
    ['with a nested lone surrogate', '{"free":{"a":[{"b":"\\uD800x"}]}}'],
    ['with __proto__', '{"__proto__":{"isAdmin":true}}'],
    ['with constructor.prototype', '{"free":{"constructor":{"prototype":{"a":1}}}}'],
  ] as const)
    test(`400 ${words}`, async () => {
      const reply = await agent.post('/test/echo', text)

      assertRefusal(reply, 400, 'invalid_json')
    })

  for (const [words, text, read] of [
    ['an escaped surrogate pair', '{"text":"\\ud83d\\ude00"}', { text: '😀' }],
    [
      'a backslash before u0000',
      '{"text":"\\\\u0000 and \\\\ud800"}',
      { text: '\\u0000 and \\ud800' },
    ],
    ['an escaped backslash and a letter', '{"text":"\\\\\\u0041"}', { text: '\\A' }],
    ['nothing', '', {}],
    ['only a line break', '\n', {}],
    ['null', 'null', {}],
    ['an empty PHP array', '[]', {}],
    ['a byte order mark', '\uFEFF{"text":"a"}', { text: 'a' }],
    ['a byte order mark and an escape', '\uFEFF{"text":"\\ud83d\\ude00"}', { text: '😀' }],
    ['surrounding spaces', ' \n{"text":"a"}\t', { text: 'a' }],
  ] as const)
    test(`is read with ${words}`, async () => {
      const { status, body } = await agent.post('/test/echo', text)

      assert.equal(status, 200)
      assert.deepEqual(body.read, read)
    })

  for (const text of ['[{"text":"a"}]', '"text"', '7', 'true'])
    test(`400 when it is ${text}`, async () => {
      const reply = await agent.post('/test/echo', text)

      assertRefusal(reply, 400, 'invalid_request', ['details'])
      assert.equal(reply.body.error, 'The body must be an object')
    })

  test('400 names each invalid field by its path, in a sentence', async () => {
    const reply = await agent.post('/test/echo', { text: 5, inner: { a: 1.5 }, list: [{}] })

    assertRefusal(reply, 400, 'invalid_request', ['details'])
    assert.deepEqual(reply.body.details, [
      { path: 'text', message: 'must be a string' },
      { path: 'inner.a', message: 'must be a whole number' },
      { path: 'list.0.a', message: 'is required' },
    ])
    assert.equal(reply.body.error, 'text must be a string')
  })

  test('may be missing if no field is required', async () => {
    const task = await market.taskIn(agent, 'pending', { budget_cents: 1 })

    const bare = await agent.post(`/tasks/${task.id}/cancel`)

    assert.equal(bare.status, 200)
    assert.equal(bare.body.task.status, 'cancelled')
  })

  test('413 when it is too large, with or without Content-Length', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(65_536) })

    const told = await agent.post('/test/echo', text)
    const chunked = await postInChunks('/test/echo', [text.slice(0, 9000), text.slice(9000)])

    assertRefusal(told, 413, 'body_too_large', ['limit_bytes'])
    assert.equal(told.body.limit_bytes, 65_536)
    assert.equal(chunked, 413)
  })

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'json',
  ])
    test(`415 as ${type}, and says what to send`, async () => {
      const reply = await agent.post('/test/echo', '{}', { 'content-type': type })

      assertRefusal(reply, 415, 'wrong_content_type')
      assert.match(reply.body.hint, /content-type: application\/json/)
    })

  for (const type of [
    '',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'text/json',
    'application/vnd.api+json',
    'application/problem+json; charset=utf-8',
  ])
    test(`is read as JSON when its type is ${type === '' ? 'not given' : type}`, async () => {
      const { status, body } = await agent.post('/test/echo', '{"text":"a"}', {
        'content-type': type,
      })

      assert.equal(status, 200)
      assert.deepEqual(body.read, { text: 'a' })
    })

  test('415 if it is compressed', async () => {
    const reply = await agent.post('/test/echo', '{"text":"a"}', { 'content-encoding': 'gzip' })

    assertRefusal(reply, 415, 'wrong_content_type')
    assert.equal(reply.body.error, 'The body must not be compressed')
  })

  test('may have any type if it is empty', async () => {
    const { status } = await agent.post('/test/echo', '', {
      'content-type': 'application/x-www-form-urlencoded',
    })

    assert.equal(status, 200)
  })
})

describe('validation against the outside world', () => {
  test('400 names each field that is invalid, and nothing is done', async () => {
    world.wrong = ['rude', 'crude']
    const { done } = world

    const reply = await agent.post('/test/asks', { word: 'rude', other: 'crude' })

    assertRefusal(reply, 400, 'invalid_request', ['details'])
    assert.equal(reply.body.error, 'word is not a good word')
    assert.deepEqual(reply.body.details, [
      { path: 'word', message: 'is not a good word' },
      { path: 'other', message: 'is not a good word' },
    ])
    assert.equal(world.done, done)
    assert.equal((await agent.post('/test/asks', { word: 'kind' })).status, 200)
  })

  test('does not run if the schema is not met', async () => {
    const { asked } = world

    const reply = await agent.post('/test/asks', { word: 5 })

    assertRefusal(reply, 400, 'invalid_request', ['details'])
    assert.equal(world.asked, asked)
  })

  for (const path of ['/test/asks', '/test/asks-in-secret'])
    test(`does not change the response of ${path} under a stored key`, async () => {
      const send = (key: string, word = 'kind') =>
        agent.post(path, { word }, { 'idempotency-key': key })
      const [key, late] = [randomUUID(), randomUUID()]
      world.wrong = []
      const first = await send(key)

      world.wrong = ['kind']
      const again = await send(key)
      const other = await send(late)
      world.wrong = []
      const second = await send(late)

      assert.equal(first.status, 200)
      assert.equal(again.text, first.text)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assertRefusal(other, 400, 'invalid_request', ['details'])
      assert.equal(second.status, 200, 'such a refusal is not stored under the key')
      world.wrong = ['unkind']
      assert.equal((await send(key, 'unkind')).status, 422)
    })
})

describe('an unknown field', () => {
  test('has no effect and is named by its path, also inside objects and lists', async () => {
    const { status, body } = await agent.post('/test/echo', {
      text: 'a',
      txet: 'typo',
      inner: { a: 1, b: { c: 2 } },
      list: [{ a: 1 }, { a: 2, z: 3 }],
      free: { anything: { goes: 1 } },
      toString: 'inherited',
      constructor: 1,
    })

    assert.equal(status, 200)
    assert.deepEqual(body.read, {
      text: 'a',
      inner: { a: 1 },
      list: [{ a: 1 }, { a: 2 }],
      free: { anything: { goes: 1 } },
    })
    assert.deepEqual(
      body.warnings,
      ['txet', 'inner.b', 'list.1.z', 'toString', 'constructor'].map((at) => ({
        code: 'unknown_field',
        path: at,
      })),
    )
  })

  test('causes no warning if there is none', async () => {
    const { body } = await agent.post('/test/echo', { text: 'a' })

    assert(!('warnings' in body))
  })

  test('is named beside the warnings of the operation, also in a replayed response', async () => {
    const send = () =>
      agent.post('/test/echo', { text: 'soon', txet: 1 }, { 'idempotency-key': 'warned-once' })

    const first = await send()
    const again = await send()

    assert.deepEqual(first.body.warnings, [
      { code: 'unknown_field', path: 'txet' },
      { code: 'time_zone_assumed', path: 'text', message: 'text has no time zone' },
    ])
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  test('includes read-only fields: a task’s status, money and owner', async () => {
    const { status, body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 10,
      id: absentTask,
      agent_id: 'agent_00000000000000000000000000',
      status: 'completed',
      escrow_cents: 0,
      locked_cents: 0,
      funding: 'free',
      balance_cents: 1_000_000,
      created_at: '2020-01-01T00:00:00Z',
      mode: 'test',
    })

    assert.equal(status, 201)
    assert.notEqual(body.task.id, absentTask)
    assert.equal(body.task.agent_id, agent.id)
    assert.equal(body.task.status, 'pending')
    assert.equal(body.task.escrow_cents, 10)
    assert.equal(body.task.funding, 'wallet')
    assert.equal(body.task.mode, 'live')
    assert.equal(body.task.created_at, market.now().toISOString())
    assert.deepEqual(
      body.warnings.map((warning: { path: string }) => warning.path),
      [
        'id',
        'agent_id',
        'status',
        'escrow_cents',
        'locked_cents',
        'funding',
        'balance_cents',
        'created_at',
        'mode',
      ],
    )
  })
})

describe('a URL', () => {
  for (const target of [
    '/nowhere',
    '/tasks/x/y/z',
    '/../healthz',
    '/healthz',
    '/readyz',
    '/metrics',
  ])
    test(`404 at ${target}`, async () => {
      const reply = await market.call('GET', target)

      assertRefusal(reply, 404, 'route_not_found')
    })

  test('404 outside of the version', async () => {
    const base = market.server.addresses.api!.replace('/api/v1', '')

    for (const target of ['/api', '/healthz', '/readyz', '/metrics', '/api/v2/tasks', '/stats'])
      assertRefusal(await call(base, 'GET', target), 404, 'route_not_found')
  })

  test('400 with our message if it cannot be decoded', async () => {
    for (const target of ['/tasks/%zz', '/%', '/tasks/%C3%28/cancel', '/wallet%'])
      assertRefusal(await agent.get(target), 400, 'invalid_request', ['details'])
  })

  test('that is very long is refused with our message', async () => {
    const { status, body } = await agent.get(`/tasks/task_${'0'.repeat(5000)}`)

    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body).slice(0, 3), ['error', 'code', 'request_id'])
    assert(JSON.stringify(body).length < 500)
  })

  test('may have an extra slash and escaped letters', async () => {
    for (const target of ['/wallet/', '//wallet', '/%77allet', '/wallet?limit=1'])
      assert.equal((await agent.get(target)).status, 200)
  })

  for (const [method, target, allow] of [
    ['PUT', '/tasks', 'POST, GET'],
    ['DELETE', '/wallet', 'GET'],
    ['GET', '/agents/register', 'POST'],
    ['PATCH', '/agents/keys/', 'GET, POST'],
    ['GET', `/agents/keys/${mintId('key', new Date(), 1)}`, 'PATCH, DELETE'],
    ['POST', `/tasks/${absentTask}?a=b`, 'GET'],
    ['GET', `/tasks/${absentTask}/cancel`, 'POST'],
    ['POST', '/openapi.json', 'GET'],
    ['POST', '/openapi/agents.json', 'GET'],
    ['OPTIONS', '/wallet', 'GET'],
  ] as const)
    test(`405 for ${method} ${target.replace(/_.*(?=\/|\?|$)/, '_…')}, with Allow`, async () => {
      const reply = await call(market.server.addresses.api!, method, target)

      assertRefusal(reply, 405, 'method_not_allowed')
      assert.equal(reply.headers.get('allow'), allow)
    })
})

describe('the order of refusals', () => {
  const limited = { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 2, TRUST_PROXY: '127.0.0.1' }
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const broken = '{"description":'

  test('401 comes before errors of the body, its size and its type', async () => {
    const replies = [
      await market.call('POST', '/tasks', { body: broken }),
      await market.call('POST', '/tasks', { body: { budget_cents: 'x' } }),
      await market.call('POST', '/tasks', { body: 'x', headers: { 'content-type': 'text/plain' } }),
      await market.call('POST', '/tasks', { body: 'x'.repeat(20_001) }),
      await market.call('GET', `/tasks/${absentTask}?wait=99`),
      await market.call('POST', '/tasks', { body: {}, headers: { 'idempotency-key': '' } }),
    ]

    for (const reply of replies) assertRefusal(reply, 401, 'invalid_api_key')
  })

  test('400 comes before 404', async () => {
    const wrong = await agent.get(`/tasks/${absentTask}?wait=99`)
    const absent = await agent.get(`/tasks/${absentTask}`)

    assertRefusal(wrong, 400, 'invalid_request', ['details'])
    assertRefusal(absent, 404, 'task_not_found')
  })

  test('404 comes before 409: another agent’s ended task looks like an unknown one', async () => {
    const ended = await market.taskIn(agent, 'completed', { budget_cents: 5 })
    const other = await market.agent()

    const theirs = await other.post(`/tasks/${ended.id}/cancel`)
    const never = await other.post(`/tasks/${absentTask}/cancel`)
    const own = await agent.post(`/tasks/${ended.id}/cancel`)

    assertRefusal(theirs, 404, 'task_not_found')
    assert.equal(theirs.body.error, never.body.error)
    assertRefusal(own, 409, 'invalid_state', ['status'])
  })

  test('403 comes before 402', async () => {
    const poor = await market.agent({ freeTasks: false })
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [poor.id])

    const reply = await poor.post('/tasks', { description: 'Look', budget_cents: 100 })

    assertRefusal(reply, 403, 'agent_restricted')
  })

  test('429 by IP address comes before 401, and 429 by identity before 400', async () => {
    const server = await startOn(market.url, {
      settings: limited,
      clockOverride: market.server.clock,
    })
    const { api } = server.addresses
    const stranger = () => call(api!, 'GET', '/wallet', { headers: from('192.0.2.1') })
    const known = () =>
      call(api!, 'POST', '/tasks', {
        body: broken,
        headers: { ...from('192.0.2.2'), 'x-api-key': agent.api_key },
      })

    const strangers = [await stranger(), await stranger(), await stranger()]
    const knowns = [await known(), await known(), await known()]

    await server.stop()
    assert.deepEqual(
      strangers.map(({ status }) => status),
      [401, 401, 429],
    )
    assert.deepEqual(
      knowns.map(({ status }) => status),
      [400, 400, 429],
    )
  })
})

describe('a defect', () => {
  for (const [words, method, target] of [
    ['in a write', 'POST', '/test/breaks'],
    ['in a read', 'GET', '/test/breaks'],
    ['for an undeclared error', 'POST', '/test/undeclared'],
    ['for an undocumented field', 'GET', '/test/undocumented'],
  ] as const)
    test(`500 ${words}: returns the request id, and no details`, async () => {
      const reply = await market.call(method, target)

      assertRefusal(reply, 500, 'server_error')
      assert.equal(reply.body.error, 'Server error')
      for (const word of ['relation', 'secret', 'srv', 'declare', 'undocumented', 'extra'])
        assert(!reply.text.includes(word))
    })
})

describe('GET /openapi.json', () => {
  test('is the committed document', async () => {
    const { status, text, headers } = await market.call('GET', '/openapi.json')

    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(
      JSON.parse(text),
      JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')),
    )
  })
})

describe('GET /openapi/agents.json', () => {
  test('is the part of the document that agents need', async () => {
    const whole = await market.call('GET', '/openapi.json')

    const { status, body, headers } = await market.call('GET', '/openapi/agents.json')

    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    const [some, all] = [body, whole.body].map((one) => Object.keys(one.paths as object))
    assert(some!.includes('/tasks/{id}/approve'))
    assert.deepEqual(
      all!.filter((route) => !some!.includes(route)),
      all!.filter((route) => /^\/(?:worker|console)\//.test(route)),
    )
  })
})

describe('the operators’ port', () => {
  const ask = (target: string) => fetch(market.server.addresses.ops + target)

  test('reports liveness and readiness', async () => {
    const [alive, ready] = [await ask('/healthz'), await ask('/readyz')]

    assert.equal(alive.status, 200)
    assert.deepEqual(await alive.json(), { status: 'ok' })
    assert.equal(ready.status, 200)
    assert.deepEqual(await ready.json(), {
      status: 'ready',
      checks: { accepting: true, clock: true, database: true, queue: true },
      reasons: {},
    })
  })

  test('counts requests by method, route, status and mode, without ids in the route', async () => {
    await agent.get(`/tasks/${absentTask}`)
    await agent.test.get(`/tasks/${absentTask}`)
    await market.call('GET', '/wallet', { headers: { authorization: 'Bearer lw_test_unknown' } })

    const text = await (await ask('/metrics')).text()

    for (const labels of [
      'method="GET",route="/tasks/:id",status="404",mode="live"',
      'method="GET",route="/tasks/:id",status="404",mode="test"',
      'method="GET",route="/wallet",status="401",mode="test"',
    ])
      assert(text.includes(`legwork_http_request_seconds_count{${labels}}`), labels)
    assert(!text.includes(absentTask))
    assert(!text.includes(agent.id))
  })

  test('404 for API routes', async () => {
    for (const target of ['/', '/api/v1/wallet', '/api/v1/openapi.json'])
      assert.equal((await ask(target)).status, 404)
  })
})

describe('a caller who waits', () => {
  const hungUp = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  const waits = endpoint({
    method: 'GET',
    path: '/test/waits',
    auth: 'none',
    access: { by: 'anyone' },
    summary: 'Waits until nobody does',
    success: { status: 200, body: Done },
    errors: [],
    transaction: 'own',
    async handler({ disconnectSignal }) {
      const signal = disconnectSignal()
      waiting.resolve()
      await once(signal, 'abort')
      hungUp.resolve()
      return { status: 200, body: '{"done":true}', isReplay: false }
    },
  })

  test('is no longer waited for after it disconnects', async () => {
    const server = await startOn(market.url, { moreEndpoints: [waits] })
    const impatient = new AbortController()
    const reply = fetch(`${server.addresses.api}/test/waits`, { signal: impatient.signal })
    await waiting.promise

    impatient.abort()

    await assert.rejects(reply)
    await hungUp.promise
    await server.stop()
  })

  test('can wait repeatedly on one connection without a leak', async () => {
    const task = await market.taskIn(agent, 'pending', { budget_cents: 1 })
    const warnings: Error[] = []
    const listen = (warning: Error) => warnings.push(warning)
    process.on('warning', listen)

    const oneLine = new Agent({ keepAlive: true, maxSockets: 1 })

    const answers: IncomingMessage[] = []
    for (let i = 0; i < 12; i += 1) {
      const sent = request(`${market.server.addresses.api}/tasks/${task.id}?wait=0.001`, {
        agent: oneLine,
        headers: { 'x-api-key': agent.api_key },
      }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      answers.push(answer)
    }

    oneLine.destroy()
    process.off('warning', listen)
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
    assert.equal(new Set(answers.map(({ socket }) => socket)).size, 1)
    assert.deepEqual(
      warnings.filter(({ name }) => name === 'MaxListenersExceededWarning'),
      [],
    )
  })
})

describe('a stopping server', () => {
  test('does not wait for idle connections', async () => {
    const server = await startOn(market.url, {})
    const { hostname, port } = new URL(server.addresses.api!)
    const line = connect(Number(port), hostname)
    await once(line, 'connect')
    // Makes sure that the server has accepted the connection above.
    await call(server.addresses.api!, 'GET', '/worker/preview')
    const startedAt = performance.now()

    await server.stop()

    assert(performance.now() - startedAt < 20_000, 'the stop waited')
    line.destroy()
  })

  test('completes running requests, accepts no new connections, and is not ready', async () => {
    const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = endpoint({
      method: 'POST',
      path: '/test/held',
      auth: 'none',
      access: { by: 'anyone' },
      summary: 'Takes its time',
      success: { status: 200, body: z.object({ rows: z.int() }) },
      errors: [],
      async handler({ tx }) {
        entered.resolve()
        await release.promise
        const { rows } = await sql`select 1`.execute(tx)
        return { rows: rows.length }
      },
    })
    const server = await startOn(market.url, { moreEndpoints: [held] })
    const { api, ops } = server.addresses
    const underWay = call(api!, 'POST', '/test/held')
    await entered.promise

    const stopped = server.stop()
    await untilRefused(api!)
    const draining = await fetch(`${ops}/readyz`)
    release.resolve()
    const { status, body, headers } = await underWay
    await stopped

    assert.equal(status, 200)
    assert.deepEqual(body, { rows: 1 })
    assert.equal(headers.get('connection'), 'close')
    assert.equal(draining.status, 503)
    assert.deepEqual(await draining.json(), {
      status: 'not ready',
      checks: { accepting: false, clock: true, database: true, queue: true },
      reasons: {},
    })
    await untilRefused(ops!)
  })

  test('ends long polls at once', async () => {
    const task = await market.taskIn(agent, 'pending', { budget_cents: 1 })
    const server = await startOn(market.url, { clockOverride: market.server.clock })
    const startedAt = performance.now()
    const waiting = call(server.addresses.api!, 'GET', `/tasks/${task.id}?wait=50`, {
      headers: { 'x-api-key': agent.api_key },
    })
    await sleep(100)

    await server.stop()

    const { status, body } = await waiting
    assert.equal(status, 200)
    assert.equal(body.task.status, 'pending')
    assert(performance.now() - startedAt < 10_000)
  })

  test('may be stopped twice', async () => {
    const server = await startOn(market.url, {})

    await Promise.all([server.stop(), server.stop()])

    await server.stopped
  })
})

describe('without a database', () => {
  const { api, ops } = cutOff.addresses
  const send = (method: string, target: string, key = '', body?: unknown) =>
    call(api!, method, target, { body, headers: key === '' ? {} : { 'x-api-key': key } })
  const register = (email: string) =>
    send('POST', '/agents/register', '', { name: 'Patient', email })
  const task = { description: 'Look', budget_cents: 100 }
  const cutLine = () => line.cut()

  test('503 with Retry-After for everyone; afterwards requests succeed, and nothing was done', async () => {
    const { body: registered } = await register('patient@example.com')
    const { api_key, test_api_key } = registered.agent
    await send('GET', '/wallet', api_key)

    await cutLine()
    const refused = [
      await send('GET', '/wallet', api_key),
      await send('GET', '/wallet', test_api_key),
      await send('GET', `/tasks/${absentTask}`, api_key),
      await send('POST', '/tasks', api_key, task),
      await send('POST', `/tasks/${absentTask}/cancel`, api_key),
      await register('other@example.com'),
    ]
    const [alive, ready] = [await fetch(`${ops}/healthz`), await fetch(`${ops}/readyz`)]
    await line.mend()
    let wallet = await send('GET', '/wallet', api_key)
    // The server checks every half second whether the database is back; a client retries after Retry-After.
    for (let tries = 0; wallet.status === 503 && tries < 10; tries += 1) {
      await sleep(1_000)
      wallet = await send('GET', '/wallet', api_key)
    }
    const created = await send('POST', '/tasks', api_key, task)
    const other = await register('other@example.com')
    const readyAgain = await fetch(`${ops}/readyz`)

    for (const reply of refused) {
      assertRefusal(reply, 503, 'unavailable', ['retry_after_seconds'])
      assert.equal(reply.body.retry_after_seconds, 1)
      assert.equal(reply.headers.get('retry-after'), '1')
    }
    assert.equal(alive.status, 200)
    assert.equal(ready.status, 503)
    const { reasons, ...readiness } = (await ready.json()) as { reasons: { database: string } }
    assert.deepEqual(readiness, {
      status: 'not ready',
      checks: { accepting: true, clock: true, database: false, queue: false },
    })
    assert.match(reasons.database, /ECONNREFUSED/)
    assert.deepEqual([wallet.status, created.status, other.status], [200, 201, 201])
    assert.equal(wallet.body.free_tasks_remaining, 3)
    assert.equal(readyAgain.status, 200)
  })

  test('a route without database access is served', async () => {
    await cutLine()

    const [document, nowhere] = [await send('GET', '/openapi.json'), await send('GET', '/nowhere')]

    await line.mend()
    assert.equal(document.status, 200)
    assert.equal(nowhere.status, 404)
  })
})

describe('invalid HTTP', () => {
  for (const [sent, status, code] of [
    ['NONSENSE\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ] as const)
    test(`${status} ${code}, in the same format as other refusals`, async () => {
      const { hostname, port } = new URL(market.server.addresses.api!)
      const socket = connect(Number(port), hostname)

      socket.write(sent)
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk as Buffer)

      const [head, body] = Buffer.concat(chunks).toString().split('\r\n\r\n') as [string, string]
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      const refusal = JSON.parse(body) as Record<string, string>
      assert.deepEqual(Object.keys(refusal), ['error', 'code', 'request_id', 'doc_url'])
      assert.equal(refusal.code, code)
    })
})

/** Sends a body without announcing its length; returns the status. */
async function postInChunks(target: string, chunks: string[]): Promise<number> {
  const sent = request(market.server.addresses.api! + target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': agent.api_key },
  })
  for (const chunk of chunks) sent.write(chunk)
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer.resume().statusCode!
}

async function untilRefused(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'open'),
      once(socket, 'error').then(() => 'refused'),
    ]).catch(() => 'refused')
    socket.destroy()
    if (outcome === 'refused') return
    await sleep(5)
  }
}

/** A proxy to the database whose connections can be cut and restored, like a network. */
async function openLine(database: URL) {
  const sockets = new Set<Socket>()
  const listener = createServer((near) => {
    const far = connect(Number(database.port), database.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      socket.pipe(other)
    }
  })
  const listen = (port: number) => once(listener.listen(port, '127.0.0.1'), 'listening')
  await listen(0)
  const { port } = listener.address() as AddressInfo
  const url = new URL(database)
  url.host = `127.0.0.1:${port}`

  const close = () => {
    listener.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    close,
    async cut() {
      const closed = once(listener, 'close')
      close()
      await closed
    },
    async mend() {
      if (!listener.listening) await listen(port)
    },
  }
}
