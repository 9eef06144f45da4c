/**
 * Records how the statements of a test run are bound to tenants.
 *
 * With TENANTS_LOG set, every connection of the server is watched. The first few times that an operation runs a
 * statement, auto_explain sends its plan, and that of each statement in the functions it calls, as notices. `plan.ts`
 * judges them at once, knowing the caller and what the transaction has checked so far. Distinct findings are written to
 * a file in the folder TENANTS_LOG when the process exits; `report.ts` reads them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { callbackify } from 'node:util'
import pg from 'pg'
import { endpoints } from '../../src/endpoints.ts'
import { jobs, sweeps } from '../../src/jobs.ts'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { EXPLAINED } from './explain.ts'
import { covers, FEED, type Finding } from './report.ts'
import { type Explained, idsIn, joinsFeed, judge, type Known, type Value } from './plan.ts'

interface Context {
  operation: string
  /** The id of the calling agent or worker, and for an agent that of its key. */
  principals: string[]
  /** Agents and workers whose ids the request has read from rows it may read: the other side of a task. */
  owners: Set<string>
}

/** The part of a connection that is needed here. */
interface Connection {
  connectionParameters: { application_name?: string; options?: string }
  on(event: 'notice', heard: (notice: { message?: string }) => void): void
}

type Callback = (error: unknown, result: pg.QueryResult) => void
type Query = (this: Connection, ...args: unknown[]) => Promise<pg.QueryResult> | undefined

interface State {
  inTransaction: boolean
  checked: Set<string>
  plans: Explained[]
}

const SAMPLES = 3
/** Functions branch differently for different tasks, so more of their calls are examined. */
const SAMPLES_OF_CALLS = 40
/** Statements with more values or rows than this take too long to examine; performance tests run them. */
const LARGE = 1000
const STACK_DEPTH = 60
/** Entry points other than endpoints and jobs, and batches, which have lost their callers. */
const BACKGROUND = /^(?:runner|ops)\/|^kit\/batch\.ts$|^webhooks\/(?:deliver|take-events)\.ts$/
const CALL = /\b(?:from|select|perform)\s+(?:public\.)?("?[a-z_]+"?)\s*\(/i
const ON = `select ${Object.entries(EXPLAINED)
  .map(([name, value]) => `set_config('auto_explain.${name}', '${value}', false)`)
  .join()}`
const OFF = `select set_config('auto_explain.log_min_duration', '-1', false)`

const contexts = new AsyncLocalStorage<Context>()
const origins = new WeakMap<object, { context: Context | undefined; files: string[] }>()
const states = new WeakMap<Connection, State>()
const seen = new Map<string, number>()
/** Earlier verdicts on statements, for calls whose plan is not requested. */
const bound = new Map<string, boolean>()
const findings = new Map<string, Finding>()
const wrapped = new WeakSet<object>()
let catalog: Promise<Pick<Known, 'columns' | 'partitions'>> | undefined

/** Sets the operation and the caller while an endpoint runs. */
export function watchEndpoints(list: readonly AnyEndpoint[]): void {
  if (!process.env.TENANTS_LOG) return
  for (const one of list) {
    if (wrapped.has(one)) continue
    wrapped.add(one)
    for (const name of ['handler', 'check'] as const) {
      const run = one[name] as ((request: Request) => Promise<never>) | undefined
      if (!run) continue
      one[name] = (request: Request) =>
        contexts.run(contextOf(one, request), () => run.call(one, request))
    }
  }
}

interface Request {
  agent?: { id: string; keyId: string } | undefined
  worker?: { id: string } | undefined
  token?: { workerId: string } | undefined
}

function contextOf({ method, path: route, access }: AnyEndpoint, request: Request): Context {
  // A credential makes no difference on an endpoint for anyone: such an operation is bound by the ids it is given.
  const { agent, worker, token }: Request = access?.by === 'anyone' ? {} : request
  return {
    operation: `${method as string} ${route}`,
    principals: [agent?.id, agent?.keyId, worker?.id, token?.workerId].filter(
      (id) => id !== undefined,
    ),
    owners: new Set(),
  }
}

const background = (operation: string): Context => ({
  operation,
  principals: [],
  owners: new Set(),
})

if (process.env.TENANTS_LOG) {
  watchEndpoints(endpoints)
  for (const one of jobs) {
    const run = one.run.bind(one)
    one.run = (given) => contexts.run(background(`job ${one.name}`), () => run(given))
  }
  for (const one of sweeps) {
    const { due, move } = one
    const context = background(`sweep ${one.name}`)
    one.due = (...given) => contexts.run(context, () => due(...given))
    one.move = (...given) => contexts.run(context, () => move(...given))
  }
  watchConnections()
  process.on('exit', () => {
    const file = path.join(process.env.TENANTS_LOG!, `${process.pid}.json`)
    writeFileSync(file, JSON.stringify([...findings.values()]))
  })
}

function watchConnections(): void {
  // A pool's own query reaches its connection through a callback, which loses the caller's context.
  const poolQuery = pg.Pool.prototype.query as (...args: unknown[]) => unknown
  pg.Pool.prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config] = args
    if (typeof config === 'object' && config !== null)
      origins.set(config, { context: contexts.getStore(), files: filesOfStack() })
    return poolQuery.apply(this, args)
  } as never

  const query = pg.Client.prototype.query as unknown as Query
  pg.Client.prototype.query = function (this: Connection, ...args: unknown[]) {
    const { application_name, options = '' } = this.connectionParameters
    // With several schemas, a role binds a statement to one of them, and its rights are not those of this run.
    if (application_name !== 'legwork' || options.includes('search_path='))
      return query.apply(this, args)
    const watched = watch(this, args, query)
    if (!watched) return query.apply(this, args)
    const done = args.at(-1)
    if (typeof done !== 'function') return watched
    callbackify(() => watched)(done as Callback)
    return undefined
  } as never
}

/** Runs the statement and judges it; undefined if there is nothing to judge. */
function watch(
  client: Connection,
  args: unknown[],
  query: Query,
): Promise<pg.QueryResult> | undefined {
  const [config] = args
  const text = typeof config === 'string' ? config : (config as { text?: unknown }).text
  if (typeof text !== 'string') return undefined
  const state = stateOf(client)
  if (/^\s*(?:begin|start transaction|commit|rollback)\s*;?/i.test(text)) {
    state.inTransaction = /^\s*(?:begin|start)/i.test(text)
    state.checked.clear()
    return undefined
  }
  if (!state.inTransaction) state.checked.clear()
  const origin = typeof config === 'object' && config !== null ? origins.get(config) : undefined
  const context = origin?.context ?? contexts.getStore()
  const callers = origin?.files ?? (context ? undefined : filesOfStack())
  // Statements of the tests themselves, and of functions they call outside of any operation.
  if (!context && !BACKGROUND.test(callers?.at(-1) ?? '')) return undefined
  const operation = context?.operation ?? callers!.at(-1)!
  const key = `${operation}\n${text}`
  const count = seen.get(key) ?? 0
  const given = (config as { values?: unknown[] }).values ?? (Array.isArray(args[1]) ? args[1] : [])
  const bare = typeof args.at(-1) === 'function' ? args.slice(0, -1) : args

  const isLarge = given.some((value) => Array.isArray(value) && value.length > LARGE)
  if (isLarge || count >= (CALL.test(text) ? SAMPLES_OF_CALLS : SAMPLES)) {
    if (!state.inTransaction && !context) return undefined
    return query.apply(client, bare)?.then((result) => {
      // While the first calls are still being judged, they count as bound; if they are not, that is reported
      // separately.
      if (bound.get(key) !== false) learn(result, { state, context, given })
      return result
    })
  }
  seen.set(key, count + 1)
  const files = callers ?? filesOfStack()

  return (async () => {
    catalog ??= readCatalog(client, query)
    const known = await catalog
    await query.call(client, ON)?.catch(() => {})
    state.plans = []
    let result: pg.QueryResult
    try {
      result = (await query.apply(client, bare))!
    } catch (error) {
      seen.set(key, count)
      throw error
    } finally {
      await query.call(client, OFF)?.catch(() => {})
    }
    const plans = state.plans.splice(0)
    const { isBound, named } = note(plans, {
      known,
      given,
      state,
      context,
      files,
      operation,
      text,
    })
    bound.set(key, (bound.get(key) ?? true) && isBound)
    if (isBound) learn(result, { state, context, given: named })
    return result
  })()
}

/** The rows of a bound statement show what the transaction has checked, and which others the request involves. */
function learn(
  { rows, rowCount }: pg.QueryResult,
  { state, context, given }: Pick<Noted, 'state' | 'context' | 'given'>,
): void {
  if (!rowCount || rowCount > LARGE) return
  for (const id of idsIn(JSON.stringify([given, rows]))) {
    state.checked.add(id)
    if (/^(?:agent|worker)_/.test(id)) context?.owners.add(id)
  }
}

interface Noted {
  known: Pick<Known, 'columns' | 'partitions'>
  given: unknown[]
  state: State
  context: Context | undefined
  files: string[]
  operation: string
  text: string
}

/**
 * Judges the plans of one call, those of functions first: whether all are bound or excepted, and which ids the
 * conditions name. The ids count as checked only if a row was found.
 */
function note(
  plans: Explained[],
  { known, given, state, context, files, operation, text }: Noted,
): { isBound: boolean; named: string[] } {
  // A batch serves several callers; the one that started it says nothing about the others.
  const isBatch = files.includes('kit/batch.ts') || files.includes('kit/watch.ts')
  const principals = isBatch ? [] : (context?.principals ?? [])
  const name = CALL.exec(text)?.[1]
  let isAllBound = true
  const named: string[] = []
  /** Function variables that were compared with an owner's id: only plans of the same function use the same names. */
  const inFunction = new Set<string>()
  for (const plan of plans) {
    const isNested = plan['Query Text'].trim() !== text.trim()
    const isOwnId = (id: string) => principals.includes(id) || state.checked.has(id)
    const isOwn = ({ ids }: Value) =>
      principals.length === 0 ||
      isNested ||
      ids.every((id) => isOwnId(id) || context!.owners.has(id))
    const isChecked = ({ text: written, ids }: Value) =>
      (isNested && inFunction.has(written)) || (ids.length > 0 && ids.every(isOwnId))
    const where = [...(isNested ? [`${name ?? 'function'}()`] : []), ...files]
    const verdicts = judge(plan, {
      ...known,
      isOwn,
      isChecked,
      ...(isNested ? {} : { values: given }),
    })
    if (joinsFeed(plan, known)) verdicts.push({ table: FEED, by: undefined, ids: [] })
    for (const { table, by, ids } of verdicts) {
      const excepted = EXCEPTIONS.some((one) => covers(one, { operation, where, table }))
      if (by === undefined && !excepted) isAllBound = false
      else if (isNested) for (const id of ids) inFunction.add(id)
      else named.push(...ids)
      const statement = plan['Query Text'].replaceAll(/\s+/g, ' ').trim()
      const finding = { operation, where, table, by, statement }
      findings.set(JSON.stringify([operation, where, table, by, statement]), finding)
    }
  }
  return { isBound: isAllBound, named }
}

function stateOf(client: Connection): State {
  const known = states.get(client)
  if (known) return known
  const state: State = { inTransaction: false, checked: new Set(), plans: [] }
  states.set(client, state)
  client.on('notice', ({ message = '' }) => {
    const plan = /^duration: \S+ ms {2}plan:\n(.*)$/s.exec(message)?.[1]
    if (plan) state.plans.push(JSON.parse(plan) as Explained)
  })
  return state
}

async function readCatalog(
  client: Connection,
  query: Query,
): Promise<Pick<Known, 'columns' | 'partitions'>> {
  const columns = await query.call(
    client,
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1`,
  )!
  const partitions = await query.call(
    client,
    'select inhrelid::regclass::text as part, inhparent::regclass::text as of from pg_inherits',
  )!
  return {
    columns: new Map(columns.rows.map(({ name, columns: list }) => [name, list])),
    partitions: new Map(partitions.rows.map(({ part, of }) => [part, of])),
  }
}

/** The server files on the stack of this statement, innermost first. */
function filesOfStack(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_DEPTH
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  const files = [...stack.matchAll(/\/server\/src\/([a-z0-9/-]+\.ts):/g)].map(([, file]) => file!)
  return [...new Set(files)].filter((file) => file !== 'kit/db.ts')
}

/** Removes the findings of an operation from the run's result, and returns them. */
export function takeFindings(operation: string): Finding[] {
  const taken = [...findings].filter(([, finding]) => finding.operation === operation)
  for (const [key] of taken) findings.delete(key)
  return taken.map(([, finding]) => finding)
}
