/** One run: a number of requests over all operations and kinds of credential, and a report of the responses. */
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import type { Marketplace } from '../harness.ts'
import { type Cast, type Kind, KINDS } from './cast.ts'
import { exchange, type Received } from './client.ts'
import { judge } from './judge.ts'
import { type Random, seeded } from './random.ts'
import { type Made, makeRequest, type Operation, operationOf, rightKinds } from './requests.ts'
import { watchStarvation } from './starvation.ts'

const LANES = 4
const STAGE_EVERY = 400
const MAILS_EVERY = 4000
/** The first visits of each operation are valid, so it returns a 2xx while its object is fresh. */
const VALID_VISITS = 2

export interface Finding {
  problem: string
  operation: string
  kind: Kind
  status: number
  ms: number
  request: string
  answer: string
}

export interface Report {
  sent: number
  seconds: number
  statuses: Record<number, number>
  operations: Map<string, { sent: number; statuses: Record<number, number>; kinds: Set<Kind> }>
  findings: Finding[]
  /** Unhandled promise rejections of the server: each would crash a real server process. */
  rejections: string[]
  slowestMs: number
  starvedMs: number
}

export async function fuzz(
  market: Marketplace,
  cast: Cast,
  {
    endpoints,
    requests,
    seed,
    slowMs = 2000,
    isStaged = true,
  }: {
    endpoints: readonly AnyEndpoint[]
    requests: number
    seed: number
    slowMs?: number
    /** Whether the endpoints need objects, which are then created. */
    isStaged?: boolean
  },
): Promise<Report> {
  const random = seeded(seed)
  const api = new URL(market.server.addresses.api!)
  const operations = endpoints.map(operationOf)
  const report: Report = {
    sent: 0,
    seconds: 0,
    statuses: {},
    operations: new Map(
      operations.map(({ name }) => [name, { sent: 0, statuses: {}, kinds: new Set<Kind>() }]),
    ),
    findings: [],
    rejections: [],
    slowestMs: 0,
    starvedMs: 0,
  }
  const note = (reason: unknown) => void report.rejections.push(String(reason))
  process.on('unhandledRejection', note)
  const began = performance.now()
  const starvation = watchStarvation(() => market.db.call('ping', 'select 1', []))

  const send = async (operation: Operation) => {
    const seen = report.operations.get(operation.name)!
    const visit = seen.sent
    seen.sent += 1
    const kind = kindFor(random, operation, { visit, index: operations.indexOf(operation) })
    const isValid = visit < VALID_VISITS || random.chance(0.25)
    const made = makeRequest(random, operation, { cast, kind, isValid })
    const starvedBefore = starvation.starvedMs()
    const received = await exchange(api, made)
    const ms = received.ms - (starvation.starvedMs() - starvedBefore)
    seen.kinds.add(kind)
    report.sent += 1
    for (const counts of [seen.statuses, report.statuses])
      counts[received.status] = (counts[received.status] ?? 0) + 1
    report.slowestMs = Math.max(report.slowestMs, ms)
    const problem =
      judge(operation, made, received) ??
      (ms > slowMs ? `an answer after ${Math.round(ms)} ms` : undefined)
    if (problem !== undefined)
      report.findings.push(describe(operation, { kind, made, received, ms, problem }))
  }

  for (let sent = 0, mails = 0; sent < requests; ) {
    // The test runner treats a long silence as a hanging test.
    if (requests > 2000) console.log(`${sent} requests, ${report.findings.length} findings`)
    if (isStaged) await cast.stage()
    if (isStaged && sent >= mails) {
      await cast.stageMails()
      mails += MAILS_EVERY
    }
    const batch = Array.from(
      { length: Math.min(STAGE_EVERY, requests - sent) },
      (_, i) => operations[(sent + i) % operations.length]!,
    )
    sent += batch.length
    const lane = async () => {
      for (let next = batch.shift(); next; next = batch.shift()) await send(next)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }

  await starvation.stop()
  process.off('unhandledRejection', note)
  report.starvedMs = starvation.starvedMs()
  report.seconds = (performance.now() - began) / 1000
  return report
}

/** Mostly a kind with access; every third visit uses the next of all kinds. */
function kindFor(
  random: Random,
  operation: Operation,
  { visit, index }: { visit: number; index: number },
): Kind {
  if (visit < VALID_VISITS || visit % 3 !== 2) return random.pick(rightKinds(operation))
  return KINDS[(index + Math.floor(visit / 3)) % KINDS.length]!
}

function describe(
  { name }: Operation,
  {
    kind,
    made,
    received,
    ms,
    problem,
  }: { kind: Kind; made: Made; received: Received; ms: number; problem: string },
): Finding {
  const headers = made.headers
    .filter(([header]) => !['authorization', 'cookie', 'x-api-key'].includes(header))
    .map(([header, value]) => `${header}: ${value.slice(0, 60)}`)
  const flags = [made.isChunked && 'chunked', made.isCut && 'cut'].filter(Boolean)
  return {
    problem,
    operation: name,
    kind,
    status: received.status,
    ms: Math.round(ms),
    request: [
      `${made.method} ${made.target.slice(0, 300)}`,
      ...headers,
      ...flags,
      made.body?.toString('latin1').slice(0, 600) ?? '',
    ].join(' | '),
    answer: received.body.toString().slice(0, 300),
  }
}
