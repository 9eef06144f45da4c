/**
 * The authorization matrix: every operation × every kind of caller. The expected outcome for each caller is computed
 * from the endpoint’s declaration. A hole is a cell that differs, a refused call that changed a row, or a response in
 * which a stranger can read the victim’s data.
 */
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import type { Marketplace } from '../harness.ts'
import type { Principal, World } from './callers.ts'
import { expectedOf, type Outcome } from './expect.ts'
import { CANARY, OBJECTS, requestFor, restoreAfter } from '../requests.ts'
import { changedTables, takeSnapshot } from './snapshot.ts'

export interface Cell {
  operation: string
  caller: string
  expected: Outcome
  got: Outcome
  text: string
}

export interface Hole {
  operation: string
  caller: string
  why: string
}

export interface Report {
  cells: Cell[]
  holes: Hole[]
}

const AT_ONCE = 8
/** Where no credential counts, a few kinds of callers represent all: they must all be treated alike. */
const ANONYMOUS = ['no credential', 'garbage', 'another agent', 'another worker']

export const nameOf = ({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): string =>
  `${String(method)} ${path}`

/** The part of the table where the credential is in a header or a cookie; `links.ts` has the rest. */
export const isOfHeaders = ({ auth, access }: AnyEndpoint): boolean =>
  auth !== 'none' || access?.by === 'anyone'

/** All cells of one operation: first the callers that must be refused, then those that must be served. */
export async function tryOperation(
  market: Marketplace,
  world: World,
  endpoint: AnyEndpoint,
): Promise<Report> {
  const report: Report = { cells: [], holes: [] }
  const pairs = callersOf(endpoint, world).map((principal) => ({
    principal,
    expected: expectedOf(endpoint, principal),
  }))
  await tryRefused(
    market,
    endpoint,
    pairs.filter(({ expected }) => isRefusal(expected)),
    report,
  )
  await tryServed(
    market,
    world,
    endpoint,
    pairs.filter(({ expected }) => !isRefusal(expected)),
    report,
  )
  return report
}

interface Pair {
  principal: Principal
  expected: Outcome
}

const isRefusal = ({ status }: Outcome) => status >= 400

function callersOf(endpoint: AnyEndpoint, { principals }: World): Principal[] {
  if (endpoint.auth === 'none') return principals.filter(({ name }) => ANONYMOUS.includes(name))
  return principals.filter((principal, i) => isInSample(principal, i + nameOf(endpoint).length))
}

/** `npm test` tries a third of the invalid credentials on each operation, a different third on the next. */
export const isWhole = process.env.MATRIX === 'whole'
export const isInSample = ({ is }: Principal, turn: number): boolean =>
  isWhole || is !== 'nobody' || turn % 3 === 0

const targetOf = (endpoint: AnyEndpoint, { agentTarget, workerTarget }: Principal) =>
  endpoint.auth === 'worker' ? workerTarget : agentTarget

async function sharedId(endpoint: AnyEndpoint, principal: Principal): Promise<string | undefined> {
  const name = objectName(endpoint)
  return name && targetOf(endpoint, principal).shared(name)
}

/** A planted copy of an endpoint targets the objects of the original. */
const objectName = (endpoint: AnyEndpoint): string | undefined => {
  const name = nameOf(endpoint).replace('/planted', '')
  return name in OBJECTS ? name : undefined
}

/** Makes calls on real objects that must be refused. No row may change. */
async function tryRefused(
  market: Marketplace,
  endpoint: AnyEndpoint,
  refused: Pair[],
  report: Report,
): Promise<void> {
  // Creating an object and signing in to the console write rows, so all of that comes before the comparison.
  const ready = []
  for (const { principal, expected } of refused) {
    const id = await sharedId(endpoint, principal)
    ready.push({ endpoint, principal, expected, id, headers: await principal.headers() })
  }
  const before = await takeSnapshot(market)
  await inTurns(ready, (cell) => tryCell(market, report, cell))
  const after = await takeSnapshot(market)
  const changed = changedTables(before, after)
  if (changed.length > 0)
    report.holes.push({
      operation: nameOf(endpoint),
      caller: await culprit(market, endpoint, refused),
      why: `a refused call changed ${changed.join(', ')}`,
    })
}

/** Repeats the calls one by one, to identify the caller whose call changes something. */
async function culprit(market: Marketplace, endpoint: AnyEndpoint, pairs: Pair[]): Promise<string> {
  // Callers with access come first: they are the more likely culprits.
  const likely = pairs.toSorted(
    (a, b) => Number(a.principal.is === 'nobody') - Number(b.principal.is === 'nobody'),
  )
  for (const { principal } of likely) {
    const headers = await principal.headers()
    const before = await takeSnapshot(market)
    await send(market, endpoint, await sharedId(endpoint, principal), headers)
    if (changedTables(before, await takeSnapshot(market)).length > 0) return principal.name
  }
  return 'one of all'
}

/** Makes calls that must succeed: first strangers, who may not change or read the victim’s rows, then the owners. */
async function tryServed(
  market: Marketplace,
  world: World,
  endpoint: AnyEndpoint,
  served: Pair[],
  report: Report,
): Promise<void> {
  const ids = [world.victim.agent.id, world.victim.worker.id]
  const name = objectName(endpoint)
  const isRead = endpoint.method === 'GET' || endpoint.method === 'HEAD'
  const tryOne = async ({ principal, expected }: Pair) => {
    const id = name && (await targetOf(endpoint, principal)[isRead ? 'shared' : 'make'](name))
    const headers = await principal.headers({ isFresh: !isRead })
    const cell = await tryCell(market, report, { endpoint, principal, expected, id, headers })
    await restoreAfter(market, nameOf(endpoint))
    return cell
  }
  const isStranger = ({ principal }: Pair) =>
    !principal.isVictim && endpoint.access?.object === undefined

  const strangers = served.filter(isStranger)
  if (strangers.length > 0) {
    const before = await takeSnapshot(market, ids)
    const read = async (pair: Pair) => {
      const cell = await tryOne(pair)
      if (cell.text.includes(CANARY))
        report.holes.push({ ...whereOf(cell), why: 'reads something of the victim’s' })
    }
    // A write can end the session of the next caller, who is the same person with another credential.
    if (isRead) await inTurns(strangers, read)
    else for (const pair of strangers) await read(pair)
    const changed = changedTables(before, await takeSnapshot(market, ids))
    if (changed.length > 0)
      report.holes.push({
        operation: nameOf(endpoint),
        caller: strangers.map(({ principal }) => principal.name).join(' or '),
        why: `a stranger’s call changed the victim’s rows in ${changed.join(', ')}`,
      })
  }
  // The cells switch one agent's restriction on and off, so owners run one after the other.
  for (const pair of served) if (!isStranger(pair)) await tryOne(pair)
}

const whereOf = ({ operation, caller }: Cell) => ({ operation, caller })

async function tryCell(
  market: Marketplace,
  report: Report,
  {
    endpoint,
    principal,
    expected,
    id,
    headers,
  }: {
    endpoint: AnyEndpoint
    principal: Principal
    expected: Outcome
    id: string | undefined
    headers: Record<string, string>
  },
): Promise<Cell> {
  const { status, text } = await send(market, endpoint, id, headers)
  const code = status >= 400 ? /"code":"(\w+)"/.exec(text)?.[1] : undefined
  return record(report, {
    operation: nameOf(endpoint),
    caller: principal.name,
    expected: endpoint.method === 'HEAD' ? { ...expected, code: undefined } : expected,
    got: { status, code },
    text,
  })
}

/** Records a cell, and a hole where it differs from the declaration. */
export function record(report: Report, cell: Cell): Cell {
  report.cells.push(cell)
  const { expected, got } = cell
  if (expected.status !== got.status || expected.code !== got.code)
    report.holes.push({
      ...whereOf(cell),
      why: `declared ${show(expected)}, got ${show(got)} ${cell.text.slice(0, 200)}`,
    })
  return cell
}

const show = ({ status, code }: Outcome) => (code === undefined ? `${status}` : `${status} ${code}`)

async function send(
  market: Marketplace,
  endpoint: AnyEndpoint,
  id: string | undefined,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const original = { method: String(endpoint.method), path: endpoint.path.replace('/planted', '') }
  const request = requestFor(market, original, id)
  const path = endpoint.path.includes('/planted') ? `/planted${request.path}` : request.path
  return sendRequest(market, { ...request, path }, headers)
}

export async function sendRequest(
  market: Marketplace,
  { method, path, headers: own, body }: ReturnType<typeof requestFor>,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const isBytes = body instanceof Uint8Array
  const response = await fetch(market.server.addresses.api! + path, {
    method,
    headers: {
      ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      ...own,
      ...headers,
    },
    ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text() }
}

async function inTurns<T>(items: T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item)
    }),
  )
}

/** The statuses as a table: operations × callers. */
export function renderTable({ cells }: Report): string {
  const callers = [...new Set(cells.map(({ caller }) => caller))]
  const byOperation = Map.groupBy(cells, ({ operation }) => operation)
  const lines = [...byOperation].map(([operation, row]) =>
    [
      operation,
      ...callers.map((name) => row.find(({ caller }) => caller === name)?.got.status ?? ''),
    ].join('\t'),
  )
  return [['operation', ...callers].join('\t'), ...lines, ''].join('\n')
}
