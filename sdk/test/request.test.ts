import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, mock, test } from 'node:test'
import {
  ConnectionError,
  InsufficientFundsError,
  InvalidApiKeyError,
  InvalidRequestError,
  InvalidStateError,
  Legwork,
  LegworkError,
  MissingKeyError,
  RateLimitedError,
  TaskNotFoundError,
  TimeLimitError,
} from '@legwork/sdk'
import { marketplace } from '../../server/test/harness.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
const baseUrl = market.server.addresses.api!
const legwork = new Legwork({ apiKey: agent.api_key, baseUrl })

const TASK = { description: 'Look', budget_cents: 100 }

interface Scope {
  after(end: () => unknown): void
}

/** A server that answers as it is told: the first call by the first answer, and the last answer for all that follow. */
async function failing(
  scope: Scope,
  ...answers: ((request: IncomingMessage, response: ServerResponse) => unknown)[]
) {
  const keys: (string | undefined)[] = []
  const times: number[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(keys.length, answers.length - 1)]!
    keys.push(request.headers['idempotency-key'] as string | undefined)
    times.push(Date.now())
    void answer(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  return { keys, times, client: new Legwork({ apiKey: agent.api_key, baseUrl: url }), url }
}

const says =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

/** Passes the call on to the marketplace, and the answer back. */
const passesOn = async (request: IncomingMessage, response: ServerResponse) => {
  const answer = await askMarket(request)
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

/** The call arrives and has its effect, but its answer is lost on the way. */
const losesAnswer = async (request: IncomingMessage) => {
  await (await askMarket(request)).text()
  request.socket.destroy()
}

async function askMarket(request: IncomingMessage): Promise<Response> {
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  const body = await text(request)
  return fetch(baseUrl + request.url!.slice('/api/v1'.length), {
    method: request.method!,
    headers: headers as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
}

const unavailable = says(503, { error: 'Busy', code: 'unavailable' }, { 'retry-after': '0' })

describe('a call with a temporary failure', () => {
  test('is retried with the same idempotency key, and a lost response creates one task', async (t) => {
    const { client, keys } = await failing(t, losesAnswer, passesOn)

    const task = await client.tasks.create(TASK)

    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    assert.match(keys[0]!, /^[0-9a-f]{32}$/)
    const { tasks } = await legwork.tasks.list()
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [task.id],
    )
  })

  test('is not retried before Retry-After', async (t) => {
    const limited = { error: 'Too many requests', code: 'rate_limited', limit: 'create' }
    const { client, times } = await failing(
      t,
      says(429, { ...limited, retry_after_seconds: 1 }, { 'retry-after': '1' }),
      says(200, { balance_cents: 7 }),
    )

    const wallet = await client.wallet.get()

    assert.equal(wallet.balance_cents, 7)
    assert(times[1]! - times[0]! >= 1000)
  })

  test('throws at once when Retry-After is too long to wait', async (t) => {
    const { client, keys } = await failing(
      t,
      says(429, { error: 'Too many requests', code: 'rate_limited', retry_after_seconds: 3600 }),
    )

    await assert.rejects(client.wallet.get(), (error: RateLimitedError) => {
      assert(error instanceof RateLimitedError)
      assert.equal(error.retryAfterS, 3600)
      return true
    })
    assert.equal(keys.length, 1)
  })

  test('throws the last error after retriesMax retries', async (t) => {
    const { url, keys } = await failing(t, unavailable)
    const client = new Legwork({ apiKey: agent.api_key, baseUrl: url, retriesMax: 1 })

    await assert.rejects(client.wallet.get(), { code: 'unavailable', status: 503 })
    assert.equal(keys.length, 2)
  })

  test('keeps the idempotency key of the caller', async (t) => {
    const { client, keys } = await failing(t, unavailable, says(201, { task: { id: 'task_1' } }))

    await client.tasks.create(TASK, { idempotencyKey: 'order-17' })

    assert.deepEqual(keys, ['order-17', 'order-17'])
  })
})

describe('a call with a permanent failure', () => {
  test('is not retried', async (t) => {
    const { client, keys } = await failing(
      t,
      says(503, { error: 'There are no payments here', code: 'payments_unavailable' }),
    )

    await assert.rejects(client.wallet.deposit({ amount_cents: 500 }), { status: 503 })
    assert.equal(keys.length, 1)
  })

  test('throws the error class of its code, with its fields and the request id', async () => {
    await assert.rejects(
      legwork.tasks.create({ ...TASK, budget_cents: 900_000 }),
      (error: InsufficientFundsError) => {
        assert(error instanceof InsufficientFundsError)
        assert.equal(error.status, 402)
        assert.equal(error.code, 'insufficient_funds')
        assert.equal(error.fields.required_cents, 900_000)
        assert.match(error.requestId!, /^req_/)
        assert.equal(error.name, 'InsufficientFundsError')
        return true
      },
    )
    const task = await legwork.tasks.create(TASK)
    await assert.rejects(legwork.tasks.approve(task.id), InvalidStateError)
    await assert.rejects(legwork.tasks.get('task_00000000000000000000000000'), TaskNotFoundError)
    await assert.rejects(legwork.tasks.create({ ...TASK, budget_cents: -1 }), (error: Error) => {
      assert(error instanceof InvalidRequestError)
      return error.fields.details[0]!.path === 'budget_cents'
    })
    await assert.rejects(
      new Legwork({ apiKey: 'lw_live_no', baseUrl }).wallet.get(),
      InvalidApiKeyError,
    )
  })

  test('throws LegworkError for an error code that the package does not know', async (t) => {
    const { client } = await failing(t, says(418, { error: 'New', code: 'brand_new', hint: 'Tea' }))

    await assert.rejects(client.wallet.get(), (error: LegworkError) => {
      assert.equal(error.constructor, LegworkError)
      assert.deepEqual([error.code, error.hint, error.message], ['brand_new', 'Tea', 'New'])
      return true
    })
  })

  test('says that the response is not from the API', async (t) => {
    const page = (_: IncomingMessage, response: ServerResponse) => response.end('<html>')
    const { client } = await failing(t, page)

    await assert.rejects(client.wallet.get(), { code: 'unreadable_answer' })
  })

  test('says how to get a key when there is none', async () => {
    const { LEGWORK_API_KEY: before } = process.env
    delete process.env.LEGWORK_API_KEY

    await assert.rejects(new Legwork({ baseUrl }).wallet.get(), (error: Error) => {
      assert(error instanceof MissingKeyError)
      assert.match(error.message, /LEGWORK_API_KEY.*npx @legwork\/cli init/)
      return true
    })
    if (before !== undefined) process.env.LEGWORK_API_KEY = before
  })

  test('marks a replayed error response', async () => {
    const options = { idempotencyKey: 'too-much-for-my-wallet' }
    const fails = () => legwork.tasks.create({ ...TASK, budget_cents: 900_000 }, options)

    await assert.rejects(fails(), { code: 'insufficient_funds', isReplay: false })
    await assert.rejects(fails(), { code: 'insufficient_funds', isReplay: true })
  })
})

describe('a call without a response', () => {
  const never = () => undefined

  test('ends at its timeout', async (t) => {
    const { url, keys } = await failing(t, never)
    const client = new Legwork({ apiKey: agent.api_key, baseUrl: url, retriesMax: 0 })

    await assert.rejects(client.wallet.get({}, { timeoutMs: 30 }), TimeLimitError)
    assert.equal(keys.length, 1)
  })

  test('ends when its signal aborts, with the reason of the signal', async (t) => {
    const { client, keys } = await failing(t, never)
    const reason = new Error('changed my mind')

    await assert.rejects(client.wallet.get({}, { signal: AbortSignal.timeout(30) }), {
      name: 'TimeoutError',
    })
    const stop = new AbortController()
    const call = client.wallet.get({}, { signal: stop.signal })
    stop.abort(reason)
    await assert.rejects(call, reason)
    assert(keys.length <= 2)
  })

  test('is retried when the body of a page is cut or slow, as with JSON', async (t) => {
    const page =
      (then: (response: ServerResponse) => unknown) =>
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100 })
        response.write('<html>', () => then(response))
      }
    const cut = page((response) => response.socket!.destroy())
    const slow = page(() => undefined)
    const { client, keys } = await failing(t, cut, slow, says(200, { balance_cents: 7 }))

    const { balance_cents } = await client.wallet.get({}, { timeoutMs: 200 })

    assert.equal(balance_cents, 7)
    assert.equal(keys.length, 3)
  })

  test('can be aborted between retries', async (t) => {
    const { client, keys } = await failing(
      t,
      says(503, { error: 'Busy', code: 'unavailable' }, { 'retry-after': '30' }),
    )

    const stop = new AbortController()
    const reason = new Error('no longer needed')
    const call = client.wallet.get({}, { signal: stop.signal })
    while (keys.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort(reason)
    await assert.rejects(call, reason)
    assert.equal(keys.length, 1)
  })

  test('names the URL that it could not reach', async () => {
    const client = new Legwork({ apiKey: 'x', baseUrl: 'http://127.0.0.1:9', retriesMax: 0 })

    await assert.rejects(client.wallet.get(), (error: ConnectionError) => {
      assert(error instanceof ConnectionError)
      assert.match(error.message, /http:\/\/127\.0\.0\.1:9\/wallet/)
      return true
    })
  })

  test('reports a malformed key instead of a network error, and does not print the key', async () => {
    const client = new Legwork({ apiKey: 'lw_test_x\ny', baseUrl: 'http://127.0.0.1:9' })

    await assert.rejects(client.wallet.get(), /^TypeError: The API key or token contains [^_]+$/)
  })

  test('says in a browser that the API refuses pages of other sites', async (t) => {
    const client = new Legwork({ apiKey: 'x', baseUrl: 'http://127.0.0.1:9', retriesMax: 0 })
    Object.assign(globalThis, { document: {} })
    t.after(() => Reflect.deleteProperty(globalThis, 'document'))

    await assert.rejects(client.wallet.get(), /does not allow cross-origin requests: .*baseUrl/)
  })
})

test('a field without effect is logged as a warning', async () => {
  const warn = mock.method(console, 'warn', () => undefined)

  await legwork.tasks.create({ ...TASK, budgt_cents: 1 } as typeof TASK)

  warn.mock.restore()
  assert.match(String(warn.mock.calls[0]!.arguments[0]), /budgt_cents/)
})
