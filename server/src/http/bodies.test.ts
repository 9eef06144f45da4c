import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { member } from '../../test/team.ts'
import { endpoints } from '../endpoints.ts'
import { type AnyEndpoint, bodyLimitOf } from '../kit/endpoint.ts'
import type { ApiError } from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import { openMetrics } from '../kit/metrics.ts'
import { openJsonGuard } from './json-guard.ts'
import { openLargeBodies } from './large-bodies.ts'
import { type ReadBody, readBody } from './read-body.ts'

const KILOBYTE = 1024
/** Every endpoint whose limit is not the default for its `auth`, in kB. */
const OWN_LIMITS: Record<string, number> = {
  'POST /tasks': 512,
  'POST /verify': 512,
  'POST /call': 512,
  'POST /gut-check': 512,
  'POST /field': 512,
  'POST /escalate': 512,
  'POST /vibe': 512,
  'POST /tasks/:id/approve': 128,
  'PUT /worker/profile': 128,
  'POST /worker/tasks/:id/proof': 12 * KILOBYTE,
  'POST /worker/questions': 12 * KILOBYTE,
  'POST /worker/questions/:id/replies': 12 * KILOBYTE,
  'POST /agents/questions': 12 * KILOBYTE,
  'POST /agents/questions/:id/replies': 12 * KILOBYTE,
  'POST /worker/objections': 32,
  'POST /worker/objections/payout-account': 4,
  // The payment processor signs its notifications: nothing is parsed before the signature is checked.
  'POST /processor/account': 256,
  'POST /processor/connect': 256,
  'POST /processor/v2': 256,
}

const market = await marketplace()
const agent = await market.agent({ balanceCents: 100_000 })
const worker = await market.worker()
const person = await member(market, agent, 'owner')
const { origin } = new URL(market.server.addresses.api!)

/** Only JSON endpoints: an upload's size limit is the size announced for its file. */
const withBody = endpoints.filter(
  ({ method, raw }) => !['GET', 'HEAD'].includes(method) && (raw ?? '').endsWith('json') === !!raw,
)
const nameOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`
const expectedLimit = (endpoint: AnyEndpoint) =>
  (OWN_LIMITS[nameOf(endpoint)] ?? (['agent', 'worker'].includes(endpoint.auth) ? 64 : 16)) *
  KILOBYTE

function send(endpoint: AnyEndpoint, body: unknown, { id = mintId('task', market.now(), 1) } = {}) {
  return market.call(endpoint.method, endpoint.path.replace(':id', id), {
    body,
    headers: credentialFor(endpoint),
  })
}

function credentialFor({ path, auth, access }: AnyEndpoint): Record<string, string> {
  if (access?.person === 'required') return { cookie: person.jar.cookie, origin }
  const key = path.startsWith('/test/') ? agent.test_api_key : agent.api_key
  const credential = { agent: key, worker: worker.token }[auth as 'agent']
  return credential ? { authorization: `Bearer ${credential}` } : { origin }
}

describe('the body limit', () => {
  test('is 16 kB without and 64 kB with credentials, unless an endpoint needs more', () => {
    for (const endpoint of withBody)
      assert.equal(bodyLimitOf(endpoint), expectedLimit(endpoint), nameOf(endpoint))
    const names = new Set(endpoints.map(nameOf))
    assert.deepEqual(
      Object.keys(OWN_LIMITS).filter((name) => !names.has(name)),
      [],
    )
  })

  for (const endpoint of withBody)
    test(`413 from ${nameOf(endpoint)} above its own limit`, async () => {
      const limit = expectedLimit(endpoint)

      const reply = await send(endpoint, `{"x":"${'x'.repeat(limit - 7)}"}`)

      assert.equal(reply.status, 413, reply.text)
      assert.equal(reply.body.code, 'body_too_large')
      assert.equal(reply.body.limit_bytes, limit)
    })
})

/** ASCII letters as JSON escapes: the longest encoding of a text. */
const escaped = (characters: number) => '\\u0061'.repeat(characters)
/** Characters outside the basic plane, two escapes each. */
const escapedEmoji = (characters: number) => '\\ud83d\\ude00'.repeat(characters)
const FREE_FORM = `{"a":"${escaped(16_384 - 8)}"}`

describe('the largest valid body', () => {
  test('of a new task is accepted, with every text written as escapes', async () => {
    const criteria = Array.from(
      { length: 20 },
      (_, i) => `{"id":"${escaped(48)}${i + 10}","text":"${escaped(500)}"}`,
    )
    const answers = Array.from({ length: 50 }, (_, i) => `"${escaped(198)}${i + 10}"`)
    const text = `{"description":"${escapedEmoji(5000)}","budget_cents":100,"title":"${escaped(120)}",
      "context":${FREE_FORM},"metadata":${FREE_FORM},"criteria":[${criteria.join()}],
      "answer_schema":{"enum":[${answers.join()}]},"location":"${escaped(500)}"}`
    assert(Buffer.byteLength(text) > 380_000)

    const { status, text: answer } = await agent.post('/tasks', text)

    assert.equal(status, 201, answer)
  })

  test('of a shorthand is accepted', async () => {
    const text = `{"content":"${escapedEmoji(2500)}","question":"${escapedEmoji(2498)}",
      "metadata":${FREE_FORM}}`

    const { status, text: answer } = await agent.post('/gut-check', text)

    assert.equal(status, 201, answer)
  })

  test('of an approval is accepted', async () => {
    const task = await market.taskIn(agent, 'proof_submitted')
    const text = `{"override_result":"${escaped(16_382)}"}`
    assert(text.length > 98_000)

    const { status, text: answer } = await agent.post(`/tasks/${task.id}/approve`, text)

    assert.equal(status, 200, answer)
  })

  test('of a profile is accepted', async () => {
    const text = `{"preferences":{"a":"${escaped(16_000)}"}}`

    const { status, text: answer } = await worker.put('/worker/profile', text)

    assert.equal(status, 200, answer)
  })

  test('of a dispute, an appeal and a report is accepted', async () => {
    const task = await market.taskIn(agent, 'proof_submitted')
    const [holder] = task.workers

    const disputed = await agent.post(
      `/tasks/${task.id}/dispute`,
      `{"reason":"${escaped(2000)}","category":"other"}`,
    )
    const appealed = await holder!.post(
      `/worker/tasks/${task.id}/appeal`,
      `{"statement":"${escaped(2000)}"}`,
    )

    assert.equal(disputed.status, 200, disputed.text)
    assert.equal(appealed.status, 201, appealed.text)
  })

  test('of a registration, a login, an objection and an appeal by link is accepted', async () => {
    const email = `${escaped(40)}@example.com`
    const registered = await market.call('POST', '/agents/register', {
      body: `{"name":"${escaped(100)}","email":"${email}",
        "webhook_url":"https://127.0.0.1/${'a'.repeat(2000)}"}`,
    })
    const loggedIn = await market.call('POST', '/worker/login', {
      body: `{"email":"${email}","password":"${escaped(1000)}"}`,
    })
    const token = randomBytes(32).toString('base64url')
    const objected = await market.call('POST', '/worker/objections', {
      body: `{"token":"${token}","statement":"${escaped(4000)}"}`,
    })
    const appealed = await market.call('POST', '/worker/objections/appeal', {
      body: `{"token":"${token}","task_id":"${mintId('task', market.now(), 1)}",
        "statement":"${escaped(2000)}"}`,
    })

    assert.equal(registered.status, 201, registered.text)
    assert.equal(loggedIn.status, 401, loggedIn.text)
    for (const { status, text } of [objected, appealed])
      assert([400, 404, 410].includes(status), text)
  })
})

describe('the JSON guard', () => {
  const refusal = (text: string, pieces = 1) => {
    const guard = openJsonGuard()
    const bytes = Buffer.from(text)
    for (let i = 0; i < bytes.length; i += Math.ceil(bytes.length / pieces)) {
      const refused = guard.push(bytes.subarray(i, i + Math.ceil(bytes.length / pieces)))
      if (refused) return refused.message
    }
    return undefined
  }
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  for (const [words, text, expected] of [
    ['64 levels', nested(64), undefined],
    ['65 levels', nested(65), /nested at most 64 deep/],
    ['brackets in a text', JSON.stringify({ a: '['.repeat(100), 'b"': '{,:' }), undefined],
    ['an escaped quote before brackets', `{"a":"\\"${'['.repeat(70)}"}`, undefined],
    ['too many numbers', `[${'1,'.repeat(50_000)}1]`, /at most 50000 values/],
    ['too many empty arrays', `[${'[],'.repeat(25_000)}1]`, /at most 50000 values/],
    ['many numbers', `[${'1,'.repeat(49_000)}1]`, undefined],
    [
      'a number of 5,000 digits',
      `{"a":${'1'.repeat(5_000)}}`,
      /numbers or whitespace of more than 4096/,
    ],
    ['wide indentation', `[${`\n${' '.repeat(1_000)}1,`.repeat(10)}1]`, undefined],
    ['too many escapes', `"${'\\n'.repeat(600_001)}"`, /at most 600000 escape sequences/],
    ['a surrogate pair', '"\\ud83d\\uDE00"', undefined],
    ['a lone surrogate', '"\\ud83d"', /not valid JSON/],
    ['a lone surrogate and a letter', '"\\ud83dx"', /not valid JSON/],
    ['a lone surrogate and a line break', '"\\ud83d\\n"', /not valid JSON/],
    ['two high surrogates', '"\\ud83d\\ud83d"', /not valid JSON/],
    ['a lone low surrogate', '"\\ude00"', /not valid JSON/],
    ['NUL', '{"a\\u0000":1}', /not valid JSON/],
    ['a backslash before u0000', '"\\\\u0000"', undefined],
    ['invalid hexadecimal digits', '"\\u00zz"', /not valid JSON/],
  ] as const)
    test(`${expected ? 'refuses' : 'accepts'} ${words}, however it is split into chunks`, () => {
      for (const pieces of [1, 2, 7, Math.min(text.length, 1000)])
        if (expected) assert.match(refusal(text, pieces) ?? 'taken', expected)
        else assert.equal(refusal(text, pieces), undefined)
    })
})

describe('reading a body', () => {
  const read = (options: Partial<ReadBody> = {}) => {
    const source = new PassThrough()
    const reading = readBody(source, {
      limitBytes: 100,
      announcedBytes: 0,
      gates: [],
      ...options,
    })
    return { source, reading: reading.catch((error: ApiError) => error) }
  }

  test('408 if nothing arrives', async () => {
    const { source, reading } = read({ silenceMs: 20 })
    source.write('x')

    const error = await reading

    assert.equal((error as ApiError).code, 'body_timeout')
  })

  test('408 if it arrives too slowly', async () => {
    const { source, reading } = read({ wholeMs: 100 })
    const timer = setInterval(() => source.write('x'), 10)

    const error = await reading
    clearInterval(timer)

    assert.equal((error as ApiError).code, 'body_timeout')
  })

  test('413 at the first byte too many, whatever was announced', async () => {
    const { source, reading } = read({ announcedBytes: 5 })
    source.write('x'.repeat(101))

    const error = await reading

    assert.equal((error as ApiError).code, 'body_too_large')
    assert.deepEqual((error as ApiError).extra, { limit_bytes: 100 })
  })

  test('waits at a gate before it reads on, and stops if the gate refuses', async () => {
    const passed: number[] = []
    const gate = (aboveBytes: number) => ({
      aboveBytes,
      open: async () => void passed.push(aboveBytes),
    })
    const shut = { aboveBytes: 50, open: () => Promise.reject(new Error('no task')) }

    const announced = await read({ announcedBytes: 60, gates: [gate(10), shut] }).reading
    const { source, reading } = read({ gates: [gate(20), shut] })
    source.write('x'.repeat(30))
    source.write('x'.repeat(30))
    const chunked = await reading

    assert.equal((announced as Error).message, 'no task')
    assert.equal((chunked as Error).message, 'no task')
    assert.deepEqual(passed, [10, 20])
  })
})

describe('concurrent large bodies', () => {
  const places = (all: number, own: number) =>
    openLargeBodies({ LARGE_BODIES: all, LARGE_BODIES_PER_CALLER: own }, openMetrics())
  const live = (id: string) => ({ id, mode: 'live' as const })

  test('429 for a caller at its share', async () => {
    const { take } = places(4, 2)
    const first = await take(live('a'))
    await take(live('a'))

    await assert.rejects(take(live('a')), { code: 'rate_limited' })
    first()
    await take(live('a'))
  })

  test('wait for a free place, and places are never given twice', async () => {
    const { take } = places(1, 1)
    const first = await take(live('a'))
    let isIn = false

    const second = take(live('b')).then((giveBack) => {
      isIn = true
      return giveBack
    })
    await new Promise(setImmediate)
    assert.equal(isIn, false)
    first()
    first()
    const giveBack = await second
    const third = take(live('c'))
    giveBack()

    assert.equal(typeof (await third), 'function')
  })

  test('of test mode get half of the places', async () => {
    const { take } = places(2, 2)
    await take({ id: 't', mode: 'test' })
    const waiting = take({ id: 'u', mode: 'test' })
    const refused = assert.rejects(waiting, { code: 'unavailable' })

    await take(live('a'))
    await refused
  })
})

describe('a large proof', () => {
  const large = `{"text":"${'x'.repeat(100_000)}"}`

  test('404 for an unknown task, before its body is read', async () => {
    const absent = mintId('task', market.now(), 1)

    const reply = await worker.post(`/worker/tasks/${absent}/proof`, `${large} no JSON`)

    assert.equal(reply.status, 404, reply.text)
    assert.equal(reply.headers.get('connection'), 'close')
  })

  test('409 if proof was already submitted, unless the request is a repetition', async () => {
    const task = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const [holder] = task.workers
    const photo = PHOTO + '\n'.repeat(100_000)
    const send = (key: string, text = 'Done') =>
      holder!.post(
        `/worker/tasks/${task.id}/proof`,
        { text, photos: [photo] },
        { 'idempotency-key': key },
      )

    const first = await send('large-proof')
    const again = await send('large-proof')
    const other = await send('another-proof')

    assert.equal(first.status, 201, first.text)
    assert.equal(again.text, first.text)
    assert.equal(other.status, 409, other.text)
    assert.equal((await send('large-proof', 'Other')).status, 422)
  })

  test('400 for a malformed task id, as for a small proof', async () => {
    const [small, big] = [
      await worker.post('/worker/tasks/nothing/proof', '{"text":"x"}'),
      await worker.post('/worker/tasks/nothing/proof', large),
    ]

    assert.equal(big.status, small.status)
    assert.equal(big.body.code, small.body.code)
  })
})

describe('a response lists', () => {
  test('at most 20 unknown fields, with truncated names, and the number of further ones', async () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`${i}${'x'.repeat(i === 0 ? 5000 : 1)}`, i]),
    )

    const { status, body } = await worker.put('/worker/profile', unknown)

    assert.equal(status, 200)
    assert.equal(body.warnings.length, 21)
    for (const { path } of body.warnings) assert(path.length <= 201)
    assert.deepEqual(body.warnings.at(-1), {
      code: 'more_warnings',
      path: '',
      message: '480 more warnings are not listed',
    })
  })

  test('at most 20 invalid fields, and the number of further ones', async () => {
    const { status, body } = await agent.post('/tasks', { criteria: Array(20).fill({}) })

    assert.equal(status, 400)
    assert.equal(body.details.length, 21)
    assert.match(body.details.at(-1).message, /^has \d+ more invalid fields$/)
  })
})
