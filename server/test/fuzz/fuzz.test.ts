/**
 * Requests generated from the schemas of all endpoints, for every kind of credential, valid and mutated, on real
 * objects in every state. None may result in a 5xx, a hang, a crash, or a response that violates its schema.
 *
 *   npm run test:fuzz                        20,000 requests
 *   FUZZ_REQUESTS=500 FUZZ_SEED=7 npm run test:fuzz
 *
 * `npm test` runs 1,500. Use the printed seed to repeat a run, as far as responses arrive in the same order.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints.ts'
import { endpoint } from '../../src/kit/endpoint.ts'
import { record } from '../figures.ts'
import { type Json, marketplace } from '../harness.ts'
import { KINDS, openCast } from './cast.ts'
import { sendBytes } from './client.ts'
import { fuzz, type Report } from './run.ts'
import { wireAttacks } from './wire.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500)
/** From this many requests on, every kind of credential must have been tried on every operation. */
const FULL = 15_000
/** The short run uses a fixed seed; a full run uses a random one unless FUZZ_SEED is set. */
const SEED = Number(
  process.env.FUZZ_SEED ?? (REQUESTS < FULL ? 1 : Math.floor(Math.random() * 1e9)),
)
const RUN_TIMEOUT_MS = 3_600_000

/** Operations that need not succeed, and why. */
const NEVER_2XX: Record<string, string> = {
  'POST /processor/account': 'only the processor can sign what it takes',
  'POST /processor/connect': 'only the processor can sign what it takes',
  'POST /processor/v2': 'only the processor can sign what it takes',
}

const planted = [
  endpoint({
    method: 'POST',
    path: '/planted/defect',
    auth: 'none',
    access: { by: 'anyone' },
    summary: 'Fails at the edge of what its schema takes',
    body: z.object({ count: z.int().min(0).max(1000) }),
    success: { status: 200, body: z.object({ count: z.int() }) },
    errors: [],
    handler: async ({ body: { count } }) => {
      if (count === 1000) throw new Error('planted')
      return { count }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/planted/misfit',
    auth: 'none',
    access: { by: 'anyone' },
    summary: 'Answers outside of its schema where a flag is set',
    query: z.object({ flag: z.enum(['on', 'off']) }),
    success: { status: 200, body: z.object({ flag: z.enum(['on', 'off']) }) },
    errors: [],
    handler: async ({ query: { flag } }) => ({ flag: flag === 'on' ? ('neither' as 'off') : flag }),
  }),
  endpoint({
    method: 'POST',
    path: '/planted/slow',
    auth: 'none',
    access: { by: 'anyone' },
    summary: 'Takes long over the longest text',
    body: z.object({ text: z.string().max(50) }),
    success: { status: 200, body: z.object({ length: z.int() }) },
    errors: [],
    handler: async ({ body: { text } }) => {
      if (text.length === 50) await sleep(1500)
      return { length: text.length }
    },
  }),
]

const market = await marketplace({
  mail: true,
  processor: true,
  // Rate limits are tested elsewhere; here they would refuse requests under test.
  settings: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' },
})
const cast = await openCast(market)
/** It does not validate its own responses, so the fuzz test must find the planted fault. */
const faulty = await marketplace({
  moreEndpoints: planted,
  settings: { CHECK_ANSWERS: 'off', LOG_LEVEL: 'silent' },
})

describe(`${REQUESTS} requests, FUZZ_SEED=${SEED}`, { timeout: RUN_TIMEOUT_MS }, () => {
  let report: Report
  before(
    async () => {
      report = await fuzz(market, cast, { endpoints, requests: REQUESTS, seed: SEED })
      say(report)
    },
    { timeout: RUN_TIMEOUT_MS },
  )

  test('cause no 5xx, no crash, no response over 2 s and none outside of its schema', async () => {
    record('fuzz', [
      { figure: 'requests', value: report.sent, min: REQUESTS },
      { figure: 'findings', value: report.findings.length, max: 0 },
      { figure: 'unhandled rejections', value: report.rejections.length, max: 0 },
    ])
    assert.deepEqual(report.findings.slice(0, 20), [], `${report.findings.length} findings`)
    assert.deepEqual(report.rejections, [])
    assert.equal((await market.call('GET', '/worker/app')).status, 200)
  })

  test('reach every operation, and succeed at each at least once', () => {
    const least = Math.floor(REQUESTS / endpoints.length)
    const unmet = [...report.operations].filter(([, { sent }]) => sent < least)
    const failed = [...report.operations].filter(
      ([name, { statuses }]) =>
        !(name in NEVER_2XX) && !Object.keys(statuses).some((status) => status.startsWith('2')),
    )

    assert.deepEqual(
      unmet.map(([name]) => name),
      [],
    )
    assert.deepEqual(
      failed.map(([name, { statuses }]) => `${name} ${JSON.stringify(statuses)}`),
      [],
    )
  })

  test('use every kind of credential, at every operation in a full run', () => {
    const all = new Set([...report.operations.values()].flatMap(({ kinds }) => [...kinds]))
    const missing = [...report.operations].flatMap(([name, { kinds }]) =>
      KINDS.filter((kind) => !kinds.has(kind)).map((kind) => `${name} ${kind}`),
    )

    assert.equal(all.size, KINDS.length)
    if (REQUESTS >= FULL) assert.deepEqual(missing, [])
  })

  test('leave no row with replaced characters, and books that balance', async () => {
    assert.deepEqual(await rowsWithReplacements(), [])
    assert.deepEqual(await market.audit(), [])
  })
})

test('bytes that no HTTP client sends cause no 5xx, inject no header, and leave the server up', async () => {
  const api = new URL(market.server.addresses.api!)
  const attacks = Object.entries(wireAttacks(cast.agent.api_key))
  const answers = await Promise.all(
    attacks.map(async ([name, bytes]) => ({ name, answer: await sendBytes(api, bytes) })),
  )

  const wrong = answers.filter(({ answer }) =>
    /^HTTP\/1\.1 5|^x-injected:/im.test(answer.split('\r\n\r\n')[0]!),
  )
  assert.deepEqual(wrong, [])
  assert.equal((await market.call('GET', '/worker/app')).status, 200)
})

describe('control: planted faults are found', { timeout: RUN_TIMEOUT_MS }, () => {
  let report: Report
  before(
    async () => {
      report = await fuzz(faulty, cast, {
        endpoints: planted,
        requests: 300,
        seed: SEED,
        slowMs: 1000,
        isStaged: false,
      })
    },
    { timeout: RUN_TIMEOUT_MS },
  )
  const problems = (path: string) =>
    report.findings
      .filter(({ operation }) => operation.endsWith(path))
      .map(({ problem }) => problem)

  test('a 500 on one input', () => {
    assert(problems('/planted/defect').includes('status 500'))
  })

  test('a response outside of its schema', () => {
    assert(problems('/planted/misfit').some((problem) => problem.includes('outside of its schema')))
  })

  test('a slow response', () => {
    assert(problems('/planted/slow').some((problem) => problem.startsWith('an answer after')))
  })
})

/** Invalid UTF-8 becomes U+FFFD when decoded carelessly; no request here contains one. */
async function rowsWithReplacements(): Promise<string[]> {
  const tables = await market.asOwner(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables as { name: string }[]) {
    const [row] = await market.asOwner(
      `select count(*)::int as rows from ${name} t where strpos(t::text, chr(65533)) > 0`,
    )
    if ((row as Json).rows > 0) found.push(`${name}: ${(row as Json).rows}`)
  }
  return found
}

function say({
  sent,
  seconds,
  statuses,
  operations,
  findings,
  slowestMs,
  starvedMs,
}: Report): void {
  const rows = [...operations].map(
    ([name, { sent: count, statuses: seen, kinds }]) =>
      `${name.padEnd(44)} ${String(count).padStart(5)}  ${String(kinds.size).padStart(2)} kinds  ${JSON.stringify(seen)}`,
  )
  const summary =
    `${sent} requests in ${seconds.toFixed(0)} s, FUZZ_SEED=${SEED}: ${JSON.stringify(statuses)}; ` +
    `${findings.length} findings; slowest ${slowestMs.toFixed(0)} ms without ${starvedMs.toFixed(0)} ms in which ` +
    'other programs had the processor'
  console.log(REQUESTS >= FULL ? [...rows, summary].join('\n') : summary)
  for (const finding of findings.slice(0, 40)) console.log('FOUND', JSON.stringify(finding))
}
