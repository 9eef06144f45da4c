/**
 * One faulty server and one table of cases for the clients of both languages: each case must lead to the same number of
 * requests with the same keys, headers and bodies, the same effect on the server and the same outcome.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ClientOptions, Legwork, LegworkError } from '@legwork/sdk'
import { marketplace } from '../server/test/harness.ts'
import { type Fault, type FaultyServer, openFaultyServer, type Seen } from './faulty-server.ts'
import { copySdk, openPython, type Python } from './python.ts'

interface Case {
  name: string
  call: 'create' | 'wallet'
  faults: Fault[]
  idempotencyKey?: string
  budgetCents?: number
  retriesMax?: number
  timeoutMs?: number
  /** A client sends no later request earlier than this after the one before. */
  pauseMs?: number
  expected: { requests: number; tasks?: number; outcome: string }
}

interface Outcome {
  result?: string | number
  code?: string
  status?: number
  retryAfter?: number | null
  fields?: string[]
  isReplay?: boolean
}

/** The outcome of a case, without values that differ in every run: random keys, times and the name of the run. */
interface Result {
  requests: string[]
  /** The key of each request: its number among different keys, and whether it is random or given. */
  keys: string[]
  headers: unknown[]
  bodies: unknown[]
  tasks: number
  outcome: Outcome
  isPatient: boolean
}

const market = await marketplace({ clock: 'real' })
const agent = await market.agent({ balanceCents: 500_000, freeTasks: false })
const realUrl = market.server.addresses.api!

/** Long enough for an answer on a busy machine; the slow bodies have more than 40 bytes. */
const LIMIT_MS = 3000
const DRIP_MS = 150

const pass: Fault = { does: 'pass' }
const WALLET = { balance_cents: 7, balance_formatted: '$0.07' }
const PAGE = '<html><body>Something else answers at this address</body></html>'
const says = (status: number, code: string, more: object = {}): Fault => ({
  does: 'say',
  status,
  body: { error: 'No', code, request_id: 'req_1', ...more },
})
const after1s = { headers: { 'retry-after': '1' } }
const page = (status: number, more: object = {}): Fault => ({
  does: 'say',
  status,
  body: PAGE,
  type: 'text/html',
  ...more,
})
const created = (requests: number) => ({ requests, tasks: 1, outcome: 'pending' })
const read = (requests: number) => ({ requests, outcome: 'read' })
const fails = (code: string, requests = 1) => ({ requests, tasks: 0, outcome: code })

const CASES: Case[] = [
  { name: 'nothing fails', call: 'create', faults: [pass], expected: created(1) },
  {
    name: 'own key',
    call: 'create',
    faults: [pass],
    idempotencyKey: 'order',
    expected: created(1),
  },

  // The answer is lost after the effect.
  {
    name: 'lost answer after the effect',
    call: 'create',
    faults: [{ does: 'lose' }, pass],
    expected: created(2),
  },
  {
    name: 'lost answers, twice',
    call: 'create',
    faults: [{ does: 'lose' }, { does: 'lose' }, pass],
    expected: created(3),
  },
  {
    name: 'lost answer, own key',
    call: 'create',
    faults: [{ does: 'lose' }, pass],
    idempotencyKey: 'order',
    expected: created(2),
  },
  {
    name: 'half of the answer after the effect',
    call: 'create',
    faults: [{ does: 'lose', half: true }, pass],
    expected: created(2),
  },
  {
    name: 'lost answer without retries',
    call: 'create',
    faults: [{ does: 'lose' }],
    retriesMax: 0,
    expected: { requests: 1, tasks: 1, outcome: 'connection_failed' },
  },
  {
    name: 'lost answers to the end',
    call: 'create',
    faults: [{ does: 'lose' }],
    retriesMax: 2,
    expected: { requests: 3, tasks: 1, outcome: 'connection_failed' },
  },
  {
    name: 'dropped before the effect',
    call: 'create',
    faults: [{ does: 'drop' }, pass],
    expected: created(2),
  },
  {
    name: 'bytes that are not HTTP',
    call: 'wallet',
    faults: [{ does: 'garble' }, pass],
    expected: read(2),
  },

  // 429
  {
    name: '429 with Retry-After',
    call: 'create',
    faults: [{ ...says(429, 'rate_limited', { limit: 'create' }), ...after1s }, pass],
    pauseMs: 1000,
    expected: created(2),
  },
  {
    name: '429 with the time in the body',
    call: 'wallet',
    faults: [says(429, 'rate_limited', { retry_after_seconds: 1 }), pass],
    pauseMs: 1000,
    expected: read(2),
  },
  {
    name: '429 until a date',
    call: 'wallet',
    faults: [
      {
        ...says(429, 'rate_limited'),
        headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      } as Fault,
      pass,
    ],
    expected: read(2),
  },
  {
    name: '429 for an hour',
    call: 'create',
    faults: [says(429, 'rate_limited', { limit: 'create', retry_after_seconds: 3600 })],
    expected: fails('rate_limited 429 after 3600'),
  },
  {
    name: '429 of a proxy',
    call: 'wallet',
    faults: [page(429, after1s), pass],
    pauseMs: 1000,
    expected: read(2),
  },

  // 503 and its neighbors
  {
    name: '503 with Retry-After, until the last attempt',
    call: 'create',
    faults: [
      ...Array.from(
        { length: 3 },
        () => ({ ...says(503, 'unavailable'), headers: { 'retry-after': '0' } }) as Fault,
      ),
      pass,
    ],
    expected: created(4),
  },
  {
    name: '503 with Retry-After, to the end',
    call: 'wallet',
    faults: [{ ...says(503, 'unavailable'), headers: { 'retry-after': '0' } } as Fault],
    expected: fails('unavailable 503 after 0', 4),
  },
  {
    name: '503 that a retry can not help',
    call: 'create',
    faults: [says(503, 'payments_unavailable')],
    expected: fails('payments_unavailable 503'),
  },
  { name: '503 of a proxy', call: 'create', faults: [page(503), pass], expected: created(2) },
  { name: '502 of a proxy', call: 'wallet', faults: [page(502), pass], expected: read(2) },
  { name: '504 of a proxy', call: 'wallet', faults: [page(504), pass], expected: read(2) },
  { name: '500', call: 'create', faults: [says(500, 'server_error'), pass], expected: created(2) },
  { name: '408', call: 'wallet', faults: [page(408), pass], expected: read(2) },
  {
    name: '409 while the first attempt is in progress',
    call: 'create',
    faults: [{ ...says(409, 'idempotency_in_progress'), ...after1s } as Fault, pass],
    pauseMs: 1000,
    expected: created(2),
  },

  // Slow
  {
    name: 'slow body',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: WALLET, dripMs: DRIP_MS }, pass],
    timeoutMs: LIMIT_MS,
    expected: read(2),
  },
  {
    name: 'slow body of a POST',
    call: 'create',
    faults: [{ does: 'say', status: 201, body: WALLET, dripMs: DRIP_MS }, pass],
    timeoutMs: LIMIT_MS,
    expected: created(2),
  },
  {
    name: 'slow body of an error',
    call: 'wallet',
    faults: [{ ...says(400, 'invalid_request'), dripMs: DRIP_MS } as Fault, pass],
    timeoutMs: LIMIT_MS,
    expected: read(2),
  },
  {
    name: 'slow body to the end',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: WALLET, dripMs: DRIP_MS }],
    timeoutMs: LIMIT_MS,
    retriesMax: 1,
    expected: fails('time_limit', 2),
  },
  {
    name: 'slow page',
    call: 'wallet',
    faults: [page(200, { dripMs: DRIP_MS }), pass],
    timeoutMs: LIMIT_MS,
    expected: read(2),
  },
  {
    name: 'no answer',
    call: 'create',
    faults: [{ does: 'stall' }, pass],
    timeoutMs: LIMIT_MS,
    expected: created(2),
  },

  // Cut
  {
    name: 'cut body',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: WALLET, cut: 'length' }, pass],
    expected: read(2),
  },
  {
    name: 'cut body in chunks',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: WALLET, cut: 'chunks' }, pass],
    expected: read(2),
  },
  {
    name: 'cut body of an error',
    call: 'create',
    faults: [{ ...says(402, 'insufficient_funds'), cut: 'length' } as Fault, pass],
    expected: created(2),
  },
  {
    name: 'cut page',
    call: 'wallet',
    faults: [page(200, { cut: 'length' }), pass],
    expected: read(2),
  },
  {
    name: 'broken compression',
    call: 'wallet',
    faults: [
      { does: 'say', status: 200, body: WALLET, headers: { 'content-encoding': 'gzip' } },
      pass,
    ],
    expected: read(2),
  },

  // Something else answers
  { name: 'HTML', call: 'wallet', faults: [page(200)], expected: fails('unreadable_answer 200') },
  {
    name: 'HTML for a POST',
    call: 'create',
    faults: [page(200)],
    expected: fails('unreadable_answer 200'),
  },
  {
    name: 'HTML 404',
    call: 'wallet',
    faults: [page(404)],
    expected: fails('unreadable_answer 404'),
  },
  {
    name: 'HTML that says it is JSON',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: PAGE }],
    expected: fails('unreadable_answer 200'),
  },
  {
    name: 'JSON that is no object',
    call: 'wallet',
    faults: [{ does: 'say', status: 200, body: [] }],
    expected: fails('unreadable_answer 200'),
  },
  {
    name: 'empty body',
    call: 'wallet',
    faults: [{ does: 'say', status: 200 }],
    expected: fails('unreadable_answer 200'),
  },
  {
    name: 'redirect',
    call: 'create',
    faults: [{ does: 'redirect', status: 307 }, pass],
    expected: created(2),
  },

  // Refused
  {
    name: 'real refusal',
    call: 'create',
    faults: [pass],
    budgetCents: 99_999_999,
    expected: fails('insufficient_funds 402'),
  },
  {
    name: 'real refusal whose answer is lost',
    call: 'create',
    faults: [{ does: 'lose' }, pass],
    budgetCents: 99_999_999,
    expected: fails('insufficient_funds 402 replay', 2),
  },
  {
    name: 'unknown code',
    call: 'wallet',
    faults: [says(418, 'brand_new', { tea: true })],
    expected: fails('brand_new 418'),
  },
  {
    name: '409',
    call: 'create',
    faults: [says(409, 'invalid_state', { status: 'completed' })],
    expected: fails('invalid_state 409'),
  },
]

const CLIENTS = ['typescript', 'python', 'python-async'] as const

describe('the same faults lead to the same, in TypeScript and in Python', () => {
  let python: Python
  let server: FaultyServer
  let results: Record<string, Result[]>

  before(async () => {
    server = await openFaultyServer(realUrl, (run) => CASES[Number(run.split('.')[1])]!.faults)
    python = await openPython()
    const [inTypeScript, inPython] = await Promise.all([
      runInTypeScript('typescript', server.url),
      runInPython(python, server.url),
    ])
    const outcomes: Record<string, Outcome[]> = { typescript: inTypeScript, ...inPython }
    results = {}
    for (const client of CLIENTS)
      results[client] = await resultsOf(client, outcomes[client]!, server)
  })
  after(async () => {
    await server.stop()
    await python.close()
  })

  test('0 differences', (t) => {
    const found = CASES.flatMap((one, i) =>
      (['python', 'python-async'] as const).flatMap((client) =>
        differences(results.typescript![i]!, results[client]![i]!).map(
          (difference) => `${one.name}: ${client}: ${difference}`,
        ),
      ),
    )

    for (const line of table(results)) t.diagnostic(line)
    t.diagnostic(`${CASES.length} cases, ${found.length} differences`)
    assert.deepEqual(found, [])
  })

  test('each case leads to what the table expects', () => {
    const wrong = CASES.flatMap(({ name, expected, pauseMs }, i) =>
      CLIENTS.flatMap((client) => {
        const { requests, tasks, outcome, isPatient } = results[client]![i]!
        const said = { requests: requests.length, tasks, outcome: describeOutcome(outcome) }
        const wanted = { tasks: 0, ...expected }
        const isRight = JSON.stringify({ ...wanted, ...said }) === JSON.stringify(wanted)
        if (isRight && (isPatient || pauseMs === undefined)) return []
        return [`${name}: ${client}: ${JSON.stringify(said)}, patient: ${isPatient}`]
      }),
    )

    assert.deepEqual(wrong, [])
  })

  test('a client with a new key for each attempt, and one that retries less, are found', async () => {
    const newKeys: ClientOptions = {
      fetch: (url, init) => {
        const headers = new Headers(init!.headers)
        if (headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID())
        return fetch(url, { ...init, headers })
      },
    }
    const controls = { 'new-keys': newKeys, impatient: { retriesMax: 1 } }
    const found: Record<string, string[]> = {}
    for (const [client, options] of Object.entries(controls)) {
      const wrong = await resultsOf(
        client,
        await runInTypeScript(client, server.url, options),
        server,
      )
      found[client] = CASES.filter(
        (_, i) => differences(results.typescript![i]!, wrong[i]!).length > 0,
      ).map(({ name }) => name)
    }

    assert(found['new-keys']!.includes('lost answer after the effect'))
    assert(!found['new-keys']!.includes('HTML'))
    assert(found.impatient!.includes('lost answers, twice'))
    assert(!found.impatient!.includes('lost answer after the effect'))
  })
})

async function runInTypeScript(
  client: string,
  url: string,
  options: ClientOptions = {},
): Promise<Outcome[]> {
  return Promise.all(
    CASES.map(async ({ call, idempotencyKey, budgetCents = 10, retriesMax, timeoutMs }, i) => {
      const run = `${client}.${i}`
      const legwork = new Legwork({
        apiKey: agent.api_key,
        baseUrl: `${url}/${run}/api/v1`,
        retriesMax,
        timeoutMs,
        ...options,
      })
      try {
        if (call === 'wallet') return { result: (await legwork.wallet.get()).balance_cents }
        const key = idempotencyKey && `${run}-${idempotencyKey}`
        const task = { description: run, budget_cents: budgetCents }
        return { result: (await legwork.tasks.create(task, { idempotencyKey: key })).status }
      } catch (error) {
        if (!(error instanceof LegworkError)) throw error
        const { code, status, retryAfterS, fields, isReplay } = error
        const retryAfter = retryAfterS ?? null
        return { code, status, retryAfter, fields: Object.keys(fields).sort(), isReplay }
      }
    }),
  )
}

async function runInPython(python: Python, url: string): Promise<Record<string, Outcome[]>> {
  await copySdk(python)
  const cases = CASES.map((one) => ({ ...one, key: agent.api_key }))
  writeFileSync(path.join(python.folder, 'cases.json'), JSON.stringify(cases))
  const said = await python.run(['python3', 'tests/fault_client.py', url, '../cases.json'], {
    cwd: 'sdk',
    env: { PYTHONPATH: path.join(python.inside, 'sdk/src') },
  })
  return JSON.parse(said) as Record<string, Outcome[]>
}

async function resultsOf(
  client: string,
  outcomes: Outcome[],
  server: FaultyServer,
): Promise<Result[]> {
  const legwork = new Legwork({ apiKey: agent.api_key, baseUrl: realUrl })
  const made: string[] = []
  for await (const tasks of legwork.tasks.pages())
    made.push(...tasks.map(({ description }) => description))
  return outcomes.map((outcome, i) => {
    const run = `${client}.${i}`
    const seen = server.seen(run)
    const neutral = (value: string) => value.replaceAll(run, 'run')
    return {
      requests: seen.map(({ request }) => request),
      keys: keysOf(seen).map(neutral),
      headers: seen.map(({ headers }) => ({ ...headers, key: undefined })),
      bodies: seen.map(({ body }) => (body === '' ? '' : (JSON.parse(neutral(body)) as unknown))),
      tasks: made.filter((description) => description === run).length,
      // The balance falls while the table runs; that it was read is enough.
      outcome: typeof outcome.result === 'number' ? { result: 'read' } : outcome,
      isPatient: isPatient(seen, CASES[i]!.pauseMs ?? 0),
    }
  })
}

function keysOf(seen: Seen[]): string[] {
  const different = [...new Set(seen.map(({ headers }) => headers.key))]
  return seen.map(({ headers: { key } }) => {
    if (key === undefined) return 'none'
    return `${different.indexOf(key)} ${/^[0-9a-f]{32}$/.test(key) ? 'random' : key}`
  })
}

const isPatient = (seen: Seen[], pauseMs: number): boolean =>
  seen.slice(1).every(({ at }, i) => at - seen[i]!.at >= pauseMs)

function differences(one: Result, other: Result): string[] {
  return (Object.keys(one) as (keyof Result)[])
    .filter((name) => JSON.stringify(sorted(one[name])) !== JSON.stringify(sorted(other[name])))
    .map((name) => `${name}: ${JSON.stringify(one[name])} and ${JSON.stringify(other[name])}`)
}

/** The order of an object's fields makes no difference. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function describeOutcome({ result, code, status, retryAfter, isReplay }: Outcome): string {
  if (result !== undefined) return String(result)
  const parts = [code, status === 0 ? '' : ` ${status}`, isReplay ? ' replay' : '']
  return (
    parts.join('') + (retryAfter === null || retryAfter === undefined ? '' : ` after ${retryAfter}`)
  )
}

function table(results: Record<string, Result[]>): string[] {
  const cell = ({ requests, keys, tasks, outcome }: Result) =>
    `${requests.length} req, ${new Set(keys).size} key, ${tasks} task, ${describeOutcome(outcome)}`
  const rows = CASES.map(({ name }, i) => [
    name,
    ...CLIENTS.map((client) => cell(results[client]![i]!)),
  ])
  const all = [['case', ...CLIENTS], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
