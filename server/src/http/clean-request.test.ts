import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { call, marketplace, startOn } from '../../test/harness.ts'
import { CONSOLE_COOKIE } from '../agents/console-cookie.ts'
import { endpoints } from '../endpoints.ts'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { SESSION_COOKIE } from '../workers/session-cookie.ts'
import { findFault } from './clean-request.ts'

const market = await marketplace()
const agent = await market.agent()
const worker = await market.worker()
const { origin, hostname, port } = new URL(market.server.addresses.api!)

const absent = mintId('task', market.now(), 1)

/** Sends one request as raw bytes, so that no client library changes it. */
async function send(
  target: string | Buffer,
  { method = 'GET', headers = [] as (string | Buffer)[] } = {},
) {
  const socket = connect(Number(port), hostname)
  const line = (text: string | Buffer) => [Buffer.from(text), Buffer.from('\r\n')]
  socket.write(
    Buffer.concat([
      Buffer.from(`${method} `),
      Buffer.from(target),
      ...line(' HTTP/1.1'),
      ...['host: legwork.test', 'connection: close', 'content-length: 0', ...headers].flatMap(line),
      ...line(''),
    ]),
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), text: body }
}

const read = (text: string) =>
  JSON.parse(text) as { error: string; code: string; details: { path: string; message: string }[] }

/** The credential header of a caller that the endpoint admits. */
const credentialFor = ({ auth }: AnyEndpoint): string[] =>
  auth === 'agent'
    ? [`authorization: Bearer ${agent.test_api_key}`]
    : auth === 'worker'
      ? [`authorization: Bearer ${worker.token}`]
      : [`origin: ${origin}`]

const queryNames = ({ query }: AnyEndpoint): string[] =>
  Object.keys((query as { shape: object } | undefined)?.shape ?? {})

describe('a parameter that is not valid text', () => {
  const BAD = ['%00', 'a%00b', 'task_%0A', '%ED%A0%80', '%C3%28', '%FF', 'x'.repeat(9000)]

  test('400 in a path or a query of any endpoint, and nothing reaches the operation', async () => {
    const wrong: string[] = []
    let sent = 0
    for (const endpoint of endpoints) {
      const path = `/api/v1${endpoint.path}`
      const targets = BAD.flatMap((value) => [
        ...(path.includes(':id') ? [path.replace(':id', value)] : []),
        ...queryNames(endpoint).map((name) => `${path.replace(':id', absent)}?${name}=${value}`),
      ])
      for (const target of targets) {
        const { method } = endpoint
        const { status, text } = await send(target, { method, headers: credentialFor(endpoint) })
        sent += 1
        const isAsSaid =
          status === 400 && (method === 'HEAD' || read(text).code === 'invalid_request')
        if (!isAsSaid) wrong.push(`${method} ${target.slice(0, 80)} ${status}`)
      }
    }

    assert(sent > 400, String(sent))
    assert.deepEqual(wrong, [])
  })
})

describe('the URL of a request', () => {
  const KEY = [`authorization: Bearer ${agent.api_key}`]

  for (const [target, error, path] of [
    ['/api/v1/tasks/%00', 'The path contains a control character', 'path'],
    ['/api/v1/tasks/a%0D%0Ab', 'The path contains a control character', 'path'],
    ['/api/v1/tasks/%7F', 'The path contains a control character', 'path'],
    ['/api/v1/tasks/%C2%85', 'The path contains a control character', 'path'],
    ['/api/v1/tasks/%C3%28', 'The path is not valid UTF-8', 'path'],
    ['/api/v1/tasks/%ED%A0%80', 'The path is not valid UTF-8', 'path'],
    ['/api/v1/tasks/%C0%AF', 'The path is not valid UTF-8', 'path'],
    ['/api/v1/tasks/%zz', 'The path has a % without two hexadecimal digits', 'path'],
    [
      `/api/v1/tasks/${'x'.repeat(129)}`,
      'The path must have at most 128 characters between two slashes',
      'path',
    ],
    [`/api/v1${'/x'.repeat(600)}`, 'The path must have at most 1024 characters', 'path'],
    [
      '/api/v1/tasks?cursor=%00',
      'The query parameter cursor contains a control character',
      'cursor',
    ],
    ['/api/v1/tasks?a=1&limit=%FF', 'The query parameter limit is not valid UTF-8', 'limit'],
    [
      `/api/v1/tasks?cursor=${'x'.repeat(2049)}`,
      'The query parameter cursor must have at most 2048 characters',
      'cursor',
    ],
    ['/api/v1/tasks?%00=1', 'A name in the query contains a control character', 'query'],
    [
      `/api/v1/tasks?${'x'.repeat(65)}=1`,
      'A name in the query must have at most 64 characters',
      'query',
    ],
    [`/api/v1/tasks?${'a&'.repeat(4097)}`, 'The query must have at most 8192 characters', 'query'],
  ] as const)
    test(`400: ${error} (${String(target).slice(0, 40)})`, async () => {
      const { status, text } = await send(target, { headers: KEY })

      const refusal = read(text)
      assert.equal(status, 400)
      assert.equal(refusal.code, 'invalid_request')
      assert.equal(refusal.error, error)
      assert.deepEqual(
        refusal.details.map((detail) => detail.path),
        [path],
      )
    })

  for (const [name, target, method] of [
    ['a page of the app', '/tasks/%00', 'GET'],
    ['a file of the app', '/assets/main.js%00', 'GET'],
    ['the page after a payment', '/wallet?session_id=%00', 'GET'],
    ['the docs', '/docs/%FF', 'GET'],
    ['a link to a file', `/api/v1/files/upl_%00?expires=1&signature=%ED%A0%80`, 'GET'],
    ['/mcp', '/mcp?x=%00', 'POST'],
    ['an unknown route', '/api/v1/nowhere%00', 'GET'],
    ['an unknown method', '/api/v1/wallet?x=%FF', 'DELETE'],
  ] as const)
    test(`400: ${name} responds like every other route`, async () => {
      const { status, text } = await send(target, { method, headers: ['accept: text/html'] })

      assert.equal(status, 400)
      assert.equal(read(text).code, 'invalid_request')
    })

  test('400: raw bytes outside of ASCII are not HTTP', async () => {
    for (const bytes of ['/api/v1/tasks/\xff', '/api/v1/quote?where=K\xf6ln']) {
      const { status, text } = await send(Buffer.from(bytes, 'latin1'), { headers: KEY })

      assert.equal(status, 400)
      assert.equal(read(text).code, 'malformed_request')
    }
  })

  test('may contain letters of any language', async () => {
    assert.equal((await send('/api/v1/wallet?note=K%C3%B6ln', { headers: KEY })).status, 200)
  })

  test('may contain a % in a query that is not an escape', async () => {
    assert.equal((await send('/api/v1/wallet?note=100%', { headers: KEY })).status, 200)
  })

  test('is checked before the credentials', async () => {
    const { status } = await send('/api/v1/tasks/%00')

    assert.equal(status, 400)
  })

  test('429: a request with an invalid URL counts for its IP address', async () => {
    const limited = await startOn(market.url, {
      settings: { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 2 },
    })

    const replies = [1, 2, 3].map(() => call(limited.addresses.api!, 'GET', '/tasks/%00'))
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    await limited.stop()

    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [400, 400, 429],
    )
  })
})

describe('the headers of a request', () => {
  const BAD = Buffer.from([0x61, 0xff, 0x62])
  const written = (name: string) =>
    name
      .split('-')
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join('-')
  const header = (name: string, value: Buffer | string) =>
    Buffer.concat([Buffer.from(`${name}: `), Buffer.from(value)])

  for (const [name, value] of [
    ['authorization', Buffer.concat([Buffer.from('Bearer '), BAD])],
    ['x-api-key', BAD],
    ['idempotency-key', BAD],
    ['user-agent', BAD],
    ['if-none-match', BAD],
    ['upload-offset', BAD],
    ['cookie', Buffer.concat([Buffer.from(`${SESSION_COOKIE}=`), BAD])],
    ['cookie', Buffer.concat([Buffer.from(`${CONSOLE_COOKIE}=`), Buffer.from([0xed, 0xa0, 0x80])])],
  ] as const)
    test(`400: ${name} must be UTF-8 (${value.toString('latin1').slice(0, 22)})`, async () => {
      const { status, text } = await send('/api/v1/worker/app', { headers: [header(name, value)] })

      assert.equal(status, 400)
      assert.equal(read(text).error, `The header ${written(name)} is not valid UTF-8`)
    })

  for (const name of ['authorization', 'cookie', 'user-agent'])
    test(`400: ${name} is too long`, async () => {
      const { status, text } = await send('/api/v1/worker/app', {
        headers: [header(name, 'x'.repeat(8193))],
      })

      assert.equal(status, 400)
      assert.equal(
        read(text).error,
        `The header ${written(name)} must have at most 8192 characters`,
      )
    })

  test('400: a header contains a UTF-8 encoded control character', async () => {
    const { status, text } = await send('/api/v1/worker/app', {
      headers: [header('user-agent', 'a\u0085b')],
    })

    assert.equal(status, 400)
    assert.equal(read(text).error, 'The header User-Agent contains a control character')
  })

  test('400: NUL in a header is not HTTP', async () => {
    const { status, text } = await send('/api/v1/worker/app', {
      headers: [header('user-agent', 'a\0b')],
    })

    assert.equal(status, 400)
    assert.equal(read(text).code, 'malformed_request')
  })

  test('may contain UTF-8 and tabs, and anything in headers that are not read', async () => {
    for (const line of [
      header('user-agent', 'Müller\t1.0'),
      header('x-company', Buffer.from([0xff, 0xfe])),
      header('accept', 'text/html;\tq=1'),
    ])
      assert.equal((await send('/api/v1/worker/app', { headers: [line] })).status, 200)
  })
})

describe('a JSON body', () => {
  const post = (body: Buffer) =>
    fetch(`${market.server.addresses.api}/tasks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${agent.test_api_key}`,
      },
      body: new Uint8Array(body),
    })
  const around = (bytes: number[]) =>
    Buffer.concat([
      Buffer.from('{"budget_cents":500,"description":"Look'),
      Buffer.from(bytes),
      Buffer.from('"}'),
    ])

  for (const [what, bytes] of [
    ['an invalid start byte', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['a truncated character', [0xe2, 0x82]],
  ] as const)
    test(`400: ${what} is not replaced by another character, and no task is created`, async () => {
      const before = await agent.test.get('/tasks')

      const response = await post(around([...bytes]))

      assert.equal(response.status, 400)
      assert.equal(read(await response.text()).code, 'invalid_json')
      const after = await agent.test.get('/tasks')
      assert.equal(after.body.tasks.length, before.body.tasks.length)
    })

  test('201: UTF-8 of any length is preserved', async () => {
    const response = await post(around([...Buffer.from(' – Grüße, 你好, 💥')]))

    const { task } = (await response.json()) as { task: { description: string } }
    assert.equal(response.status, 201)
    assert.equal(task.description, 'Look – Grüße, 你好, 💥')
  })
})

test('checking an ordinary request takes a few microseconds', () => {
  const url = `/api/v1/tasks/${absent}/proof?media=url&where=K%C3%B6ln`
  const headers = {
    'user-agent': 'Mozilla/5.0 '.repeat(10),
    authorization: `Bearer ${'x'.repeat(300)}`,
  }
  const began = performance.now()
  for (let i = 0; i < 10_000; i += 1) assert.equal(findFault({ url, headers }), undefined)
  const each = (performance.now() - began) / 10_000

  assert(each < 0.2, `${each} ms`)
})
