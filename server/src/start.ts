import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAuthenticator } from './agents/authenticate.ts'
import { openConsoleSessions } from './agents/console-sessions.ts'
import { openRequestLog } from './agents/request-log.ts'
import type { Config } from './config.ts'
import { closeMail } from './email/send.ts'
import { deskOperations } from './desk-operations.ts'
import { endpoints } from './endpoints.ts'
import { showOpenTasks } from './feed/gauges.ts'
import { measureEvents } from './feed/measure-events.ts'
import { projectNow, takeAndProject } from './feed/project-open.ts'
import { openCage } from './files/cage.ts'
import { filesOf } from './files/files.ts'
import { openLargeBodies } from './http/large-bodies.ts'
import { templatesShown } from './http/legal-pages.ts'
import { memoryLimiter } from './http/limiter-memory.ts'
import { redisLimiter } from './http/limiter-redis.ts'
import type { Limiter } from './http/limiter.ts'
import { type LimitSettings, policies } from './http/limits.ts'
import { openRequestCounts } from './http/count-requests.ts'
import { buildDeskServer } from './http/desk-server.ts'
import { buildOpsServer } from './http/ops-server.ts'
import { checkReadiness } from './http/readiness.ts'
import { buildServer } from './http/server.ts'
import { watchEventLoop } from './http/shedding.ts'
import { jobs, sweeps } from './jobs.ts'
import { type Clock, databaseClock } from './kit/clock.ts'
import { reached } from './kit/crash-points.ts'
import { waitingHomes } from './kit/crossings.ts'
import { databasesOf } from './kit/databases.ts'
import {
  type Db,
  openProbe,
  refuseTransactionPooler,
  type Shards,
  isUnreachable,
  type Tx,
} from './kit/db.ts'
import type { AnyEndpoint, Mode } from './kit/endpoint.ts'
import type { Background, Job } from './kit/job.ts'
import { openTraces } from './kit/export-traces.ts'
import { type Log, openLog } from './kit/log.ts'
import { findRecoveryTarget } from './kit/lost-time.ts'
import { openMetrics } from './kit/metrics.ts'
import { type OpenShards, openShards } from './kit/shards.ts'
import { openSwitches } from './kit/switches.ts'
import { openShare, type Share } from './kit/share.ts'
import { closeTraces, useTraces } from './kit/traces.ts'
import { watchClock } from './kit/watch-clock.ts'
import { showAudit } from './ledger/audit-report.ts'
import { canPush, closePush } from './notices/push-services.ts'
import { renderOpenApi } from './openapi.ts'
import { showOpsGauges } from './ops/gauges.ts'
import { showGauges } from './reconcile/gauges.ts'
import { loop } from './runner/loop.ts'
import { startRelay } from './runner/relay.ts'
import { showProcesses, startRunner } from './runner/runner.ts'
import { startSweep } from './runner/sweep.ts'
import { readLayout } from './shards/recorded-layout.ts'
import { openDeliverer, openTurns, type Turns } from './webhooks/deliver.ts'
import { showBacklog, showReceivers } from './webhooks/gauges.ts'
import { takeGlobalWork } from './webhooks/take-events.ts'
import { traceDeliveries } from './webhooks/trace-deliveries.ts'
import { openSessions } from './workers/authenticate.ts'
import { tokensOf } from './workers/tokens.ts'

const GAUGES_MS = 60_000
/** Short, because the backlog matters within seconds; its two queries read one row each. */
const BACKLOG_MS = 5_000
/** Counts of requests are stored this soon after their minute. */
const COUNTS_MS = 5_000
const START_AGAIN_MS = 5_000

/** `desk` is served only if DESK_PORT is set. */
export type Role = 'api' | 'jobs' | 'desk'

export interface StartOptions {
  config: Config
  roles: readonly Role[]
  /** Tests supply their own. The default follows the database's clock. */
  clock?: Clock
  log?: Log
  /** Additional endpoints and jobs for tests. */
  moreEndpoints?: readonly AnyEndpoint[]
  moreJobs?: readonly Job[]
}

type Close = () => Promise<unknown>

/**
 * Opens everything that the roles need, in dependency order; `stop` closes it in reverse order. If something can't be
 * opened, everything opened before is closed again, because a half-started server would keep running jobs.
 */
export async function startServer(options: StartOptions) {
  const { config, log = openLog(config.LOG_LEVEL) } = options
  const closers: Close[] = []
  const close = async () => {
    for (const closer of closers.toReversed())
      await closer().catch((error: unknown) =>
        log.error({ error }, 'could not close a part of the server'),
      )
  }
  try {
    return await openServer({ ...options, log }, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** Where the process is between its start and its stop. */
interface Lifecycle {
  isAccepting: boolean
  /** How long the API keeps serving after the stop signal. */
  drainMs: number
  draining: AbortController
  stopping: AbortController
}

type Probe = ReturnType<typeof openProbe>

/** Live mode has its own connections. Test mode has two sets, one for each role, with a share of the database. */
interface Databases {
  probe: Probe
  live: OpenShards
  testShare: Share
  test: OpenShards
  testJobs: OpenShards
}

/** Dependencies that the API and the jobs both use. */
interface Shared extends Omit<Background, 'db'>, Databases {
  lifecycle: Lifecycle
  closers: Close[]
}

async function openServer(
  options: StartOptions & { log: Log },
  closers: Close[],
  close: () => Promise<void>,
) {
  const { config, roles, log } = options
  const metrics = openMetrics()
  metrics.build.set({ release: config.RELEASE, node: process.version }, 1)
  const lifecycle: Lifecycle = {
    isAccepting: false,
    drainMs: 0,
    draining: new AbortController(),
    stopping: new AbortController(),
  }
  const traces = openTraces(config, { log, metrics })
  if (traces) useTraces(config, traces)
  closers.push(() => closeTraces(config))
  // The clock follows the database.
  const now = () => clock.now()
  const databases = await openDatabases({ config, log, metrics, lifecycle, closers, now })
  const { live, probe } = databases
  closers.push(() => closeMail(config))
  closers.push(() => closePush(config))
  const files = filesOf(config)
  closers.push(() => files.close())
  await checkSettings({ config, log, probe, live, roles })
  await refuseUndeclared(live)
  const clock = options.clock ?? (await followDatabase({ config, log, metrics, probe, closers }))
  const shared: Shared = { config, log, metrics, clock, lifecycle, closers, ...databases }

  const addresses: { api?: string; desk?: string; ops?: string } = {
    ops: await openOpsPort(shared),
  }
  // These finish their work in parallel, so the slowest one determines how long a stop takes.
  const drains: Close[] = []
  closers.push(() => drainAll(drains))
  const backlog = startBacklogGauges(shared)
  drains.push(() => backlog.stop())
  if (roles.includes('jobs'))
    await startJobs(shared, [...jobs, ...(options.moreJobs ?? [])], drains)
  if (roles.includes('api'))
    addresses.api = await startApi(shared, [...endpoints, ...(options.moreEndpoints ?? [])], drains)
  if (roles.includes('desk') && config.DESK_PORT !== undefined)
    addresses.desk = await startDesk(shared, drains)
  lifecycle.isAccepting = true
  log.info({ roles, ...addresses }, 'started')

  const ended = Promise.withResolvers<void>()
  /**
   * Readiness fails first. The jobs finish their current work, and the API keeps serving for `drainSeconds`. Then its
   * listener closes, long polls get their response, and requests in flight are finished.
   */
  async function stop(drainSeconds = config.DRAIN_SECONDS): Promise<void> {
    if (lifecycle.draining.signal.aborted) return ended.promise
    lifecycle.isAccepting = false
    lifecycle.drainMs = drainSeconds * 1000
    lifecycle.draining.abort()
    log.info({ drain_seconds: drainSeconds }, 'stopping')
    await close()
    log.info('stopped')
    ended.resolve()
  }

  return { addresses, db: live.global, clock, log, metrics, stop, stopped: ended.promise }
}

async function openDatabases({
  config,
  log,
  metrics,
  lifecycle: { draining, stopping },
  closers,
  now,
}: Pick<Shared, 'config' | 'log' | 'metrics' | 'lifecycle' | 'closers'> & {
  now: () => Date
}): Promise<Databases> {
  const urls = databasesOf(config)
  const probes = urls.map(({ url }) => openProbe(url))
  closers.push(() => Promise.all(probes.map((probe) => probe.close())))
  const [probe] = probes as [Probe]
  const places = Object.fromEntries(
    urls.map(({ name, url }, i) => [name, { url, isThere: probes[i]!.isThere }]),
  )
  const names = Object.keys(places)
  const schemas = await readLayout(probe, names)
  const open = (
    name: string,
    connectionsMax: number,
    { signal }: AbortController,
    share?: Share,
  ) => {
    const pool = openShards(places, schemas, {
      connectionsMax,
      ...(share ? { share } : {}),
      readLayout: () => readLayout(probe, names),
      crossings: {
        project: (db, taskIds) => projectNow(db, taskIds, now()),
        onStep: (step) => reached(config, `crossing.${step}`),
        onError: (error) => log.warn({ error }, 'could not cross to another database; will retry'),
      },
      onWait: (seconds) => metrics.databaseWaits.observe({ pool: name }, seconds),
      onError(error) {
        if (!signal.aborted) log.warn({ error }, 'lost an idle database connection')
      },
    })
    closers.push(() => pool.close())
    return pool
  }
  const live = open('live', config.DATABASE_CONNECTIONS, draining)
  const testShare = openShare({
    places: config.TEST_DATABASE_CONNECTIONS,
    percent: config.TEST_DATABASE_PERCENT,
  })
  const test = open('test', config.TEST_DATABASE_CONNECTIONS, stopping, testShare)
  // The two extra connections are for the test-mode job queue: one to listen, one to look for jobs.
  const testJobs = open(
    'test-jobs',
    config.TEST_DATABASE_CONNECTIONS + 2,
    stopping,
    testShare.patient(),
  )
  return { probe, live, testShare, test, testJobs }
}

const askDatabase = (probe: Probe) =>
  probe.ask<{ now: Date; is_superuser: boolean }>(
    'select clock_timestamp() as now, rolsuper as is_superuser from pg_roles where rolname = session_user',
  )

async function checkSettings({
  config,
  log,
  probe,
  live,
  roles,
}: Pick<Shared, 'config' | 'log' | 'probe' | 'live'> & Pick<StartOptions, 'roles'>) {
  const { is_superuser } = await askDatabase(probe)
  await live.checkSession()
  // The job queue listens, and long jobs set their own time limits.
  if (roles.includes('jobs')) for (const { url } of databasesOf(config)) await refusePooler(url)
  if (config.NODE_ENV !== 'production') return
  if (is_superuser)
    throw new Error('Refusing to start in production: DATABASE_URL logs in as a superuser')
  if (!canPush(config)) log.warn('no push messages are sent to workers: PUSH_PUBLIC_KEY is not set')
  const templates = templatesShown(config)
  if (templates.length > 0)
    log.warn(
      { pages: templates },
      'legal pages show templates: set SUPPORT_EMAIL and the LEGAL_ settings',
    )
}

/** A process can start without one of the other databases. */
async function refusePooler(url: string): Promise<void> {
  try {
    await refuseTransactionPooler(url, 'The jobs process')
  } catch (error) {
    if (!isUnreachable(error)) throw error
  }
}

/** A restored database has forgotten payments. Until an operator has declared that, nothing may act on it. */
async function refuseUndeclared(live: OpenShards): Promise<void> {
  const target = await findRecoveryTarget(live)
  if (target === undefined || target.isDeclared) return
  const to = target.restoredTo.toISOString()
  throw new Error(
    `This database was restored to ${to}. Run \`server ops restore declare\` first: docs/restore.md`,
  )
}

async function followDatabase({
  config,
  log,
  metrics,
  probe,
  closers,
}: Pick<Shared, 'config' | 'log' | 'metrics' | 'probe' | 'closers'>): Promise<Clock> {
  const clock = databaseClock({ toleranceMs: config.CLOCK_TOLERANCE_MS })
  const askTime = async () => (await askDatabase(probe)).now
  await clock.follow(askTime)
  const watch = watchClock({ clock, askDatabase: askTime, log, metrics })
  closers.push(async () => watch.stop())
  return clock
}

/**
 * The ops port is open from before the first request until after the last one, so a load balancer can see that this
 * process is not ready yet, or is draining.
 */
async function openOpsPort({ config, metrics, probe, clock, lifecycle, closers }: Shared) {
  const ops = buildOpsServer({
    metrics,
    ready: () => checkReadiness({ isAccepting: lifecycle.isAccepting, probe, clock }),
  })
  await new Promise<void>((resolve, reject) => {
    ops.once('error', reject).listen(config.OPS_PORT, config.HOST, resolve)
  })
  closers.push(() => new Promise((resolve) => ops.close(resolve)))
  return `http://${config.HOST}:${(ops.address() as AddressInfo).port}`
}

async function drainAll(drains: readonly Close[]): Promise<void> {
  const outcomes = await Promise.allSettled(drains.map((drain) => drain()))
  const errors = outcomes.flatMap((o) => (o.status === 'rejected' ? [o.reason as unknown] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'could not drain')
}

async function startJobs(
  { config, clock, log, metrics, live, testJobs }: Shared,
  allJobs: readonly Job[],
  drains: Close[],
): Promise<void> {
  const background: Background = { db: live.global, clock, config, log, metrics }
  const [runner, ...otherRunners] = live.queues.map((db, i) => {
    const testWith = { ...background, db: testJobs.queues[i]! }
    const start = () =>
      startRunner({ ...background, db }, { jobs: allJobs, testWith, isScheduler: i === 0 })
    return i === 0 ? start() : startWhenThere(background, start)
  })
  const runners = [await runner!, ...(await Promise.all(otherRunners))]
  const take = (db: Db, mode: Mode) => (tx: Tx, limit: number) =>
    takeAndProject(tx, limit, {
      db,
      now: clock.now(),
      dataOf: 'work',
      mode,
      onError: (error) =>
        log.error({ error }, 'could not update the feed; it will be repaired later'),
    })
  const relays = [
    ...live.all.map((db) =>
      startRelay(
        { ...background, db },
        {
          jobs: allJobs,
          take: take(db, 'live'),
          traceDeliveries,
          onRelayed: (events) => measureEvents(metrics, events),
        },
      ),
    ),
    ...testJobs.all.map((db) =>
      startRelay(
        { ...background, db },
        {
          jobs: allJobs,
          take: take(db, 'test'),
          traceDeliveries,
          name: 'relay-test',
        },
      ),
    ),
  ]
  if (!live.all.includes(live.global))
    relays.push(
      startRelay(background, {
        jobs: allJobs,
        take: takeGlobalWork,
        traceDeliveries: async () => {},
        name: 'relay-global',
      }),
    )
  const timers = sweeps.flatMap((sweep) => {
    const places = (shards: Shards) => (sweep.isGlobal ? [shards.global] : shards.all)
    const start = (shards: Shards, mode?: Mode) =>
      places(shards).map((db) => startSweep({ ...background, db }, sweep, mode))
    if (sweep.isTest) return start(testJobs)
    if (!sweep.isByMode) return start(live)
    return [...start(live, 'live'), ...start(testJobs, 'test')]
  })
  const gauges = startGauges(background)
  const crossings =
    live.queues.length > 1 ? live.all.map((db) => startCrossing(background, live, db)) : []
  const parts = [...runners, ...relays, ...crossings, gauges, ...timers]
  drains.push(...parts.map((part) => () => part.stop()))
  // Both modes use live connections: a lane's lease is renewed twice a second, and the load is limited by the number
  // of places.
  for (const mode of ['live', 'test'] as const) {
    const turns = openTurns(config)
    for (const db of live.all) drains.push(startDeliverer({ ...background, db }, { mode, turns }))
  }
}

/** A jobs process can start without one of the other databases: its queue is run when it is there. */
async function startWhenThere(background: Background, start: () => ReturnType<typeof startRunner>) {
  let started: Awaited<ReturnType<typeof startRunner>> | undefined
  const attempts = loop(background, {
    name: 'runner',
    intervalMs: START_AGAIN_MS,
    async step() {
      started ??= await start()
      return 'idle'
    },
  })
  return {
    async stop() {
      await attempts.stop()
      await started?.stop()
    },
  }
}

/** Does what processes that committed a transaction did not get to do in other databases. */
const startCrossing = (background: Background, live: OpenShards, db: Db) =>
  loop(background, {
    name: 'crossings',
    intervalMs: background.config.RELAY_INTERVAL_MS,
    async step() {
      await live.cross(db, await waitingHomes(db))
      return 'idle'
    },
  })

/** Every process of any role measures the backlog, so that a dead jobs process shows in the metrics of the API. */
function startBacklogGauges({ live, ...shared }: Shared) {
  const background: Background = { ...shared, db: live.global }
  return loop(background, {
    name: 'backlog-gauges',
    intervalMs: BACKLOG_MS,
    async step() {
      await showBacklog(background)
      await showProcesses({ ...background, db: live.queues[0]! })
      return 'idle'
    },
  })
}

/**
 * Every jobs process exports the shared values. A gauge that is set only in the process that measured it would be stale
 * in the others.
 */
function startGauges(background: Background) {
  return loop(background, {
    name: 'gauges',
    intervalMs: GAUGES_MS,
    async step() {
      await showGauges(background)
      await showAudit(background)
      await showReceivers(background)
      await showOpsGauges(background)
      await showOpenTasks(background)
      background.metrics.gaugesAt.set(background.clock.now().getTime() / 1000)
      return 'idle'
    },
  })
}

function startDeliverer(
  background: Background,
  { mode, turns }: { mode: Mode; turns: Turns },
): Close {
  const deliverer = openDeliverer(background, { mode, turns })
  const deliveries = loop(background, {
    name: mode === 'live' ? 'deliverer' : 'deliverer-test',
    intervalMs: background.config.WEBHOOK_INTERVAL_MS,
    step: deliverer.step,
  })
  return () => deliveries.stop().then(() => deliverer.stop())
}

/** Returns the base URL of the API. */
async function startApi(
  { config, clock, log, metrics, live, test, testShare, lifecycle, closers }: Shared,
  allEndpoints: readonly AnyEndpoint[],
  drains: Close[],
): Promise<string> {
  const limiter = openLimiter({ config, log, metrics })
  const trustMs = config.KEY_CACHE_SECONDS * 1000
  const authenticator = openAuthenticator(live, { trustMs })
  const requestLog = openRequestLog({
    shards: live,
    log,
    metrics,
    perMinuteMax: config.REQUEST_LOG_PER_MINUTE,
  })
  const requestCounts = openRequestCounts({ global: live.global, clock })
  const shedding = watchEventLoop({ maxMs: config.EVENT_LOOP_DELAY_MAX_MS, metrics, log })
  closers.push(async () => shedding.stop())
  const server = buildServer({
    shards: live,
    testMode: { shards: test, isFull: testShare.isFull },
    clock,
    config,
    log,
    metrics,
    sessions: openSessions(live, tokensOf(config)),
    authenticator,
    requestLog,
    requestCounts,
    consoleSessions: openConsoleSessions(live, authenticator, { trustMs }),
    switches: openSwitches(live, { trustMs: config.SWITCH_CACHE_MS }),
    limiter,
    policies: policies(limitSettings(config)),
    endpoints: allEndpoints,
    openapi: renderOpenApi,
    draining: lifecycle.draining.signal,
    largeBodies: openLargeBodies(config, metrics),
    shedding,
    stopping: lifecycle.stopping.signal,
  })
  // After the server was built: nothing stops this loop if that fails.
  const counting = loop(
    { log },
    { name: 'request-counts', intervalMs: COUNTS_MS, ...requestCounts },
  )
  drains.push(async () => {
    // Load balancers poll readiness, and keep sending requests until they see that this process isn't ready.
    if (lifecycle.drainMs > 0) await sleep(lifecycle.drainMs)
    lifecycle.stopping.abort()
    await server.close()
    await requestLog.close()
    await counting.stop()
    await requestCounts.close()
    await limiter?.close()
  })
  if (!(await openCage()).hasNamespaces)
    log.warn('media processes can use the network: this system forbids user namespaces')
  await server.listen({ host: config.HOST, port: config.PORT })
  return `http://${config.HOST}:${(server.server.address() as AddressInfo).port}/api/v1`
}

/** Returns the desk's address. It listens on its own port, which load balancers don't publish. */
async function startDesk(
  { config, clock, log, metrics, live }: Shared,
  drains: Close[],
): Promise<string> {
  const limiter = openLimiter({ config, log, metrics })
  const server = buildDeskServer({
    db: live.global,
    clock,
    config,
    log,
    metrics,
    limiter,
    policies: policies(limitSettings(config)),
    operations: deskOperations,
  })
  drains.push(async () => {
    await server.close()
    await limiter?.close()
  })
  await server.listen({ host: config.HOST, port: config.DESK_PORT! })
  return `http://${config.HOST}:${(server.server.address() as AddressInfo).port}`
}

function openLimiter({
  config,
  log,
  metrics,
}: Pick<Shared, 'config' | 'log' | 'metrics'>): Limiter | undefined {
  if (config.RATE_LIMITS === 'off') return undefined
  const local = memoryLimiter()
  if (config.REDIS_URL === undefined) return local
  return redisLimiter({
    url: config.REDIS_URL,
    fallback: local,
    onDown(error) {
      metrics.limiterDown.set(1)
      log.error({ error }, 'limits: Redis is unreachable; each process counts alone')
    },
    onUp() {
      metrics.limiterDown.set(0)
      log.info('limits: Redis is reachable again')
    },
  })
}

function limitSettings(config: Config): LimitSettings {
  const registrations = { limit: config.LIMIT_REGISTER_PER_HOUR, windowMs: 3_600_000 }
  const logins = { limit: config.LIMIT_LOGIN_PER_15_MINUTES, windowMs: 900_000 }
  return {
    global: { limit: config.LIMIT_GLOBAL_PER_MINUTE, windowMs: 60_000 },
    address: { limit: config.LIMIT_ADDRESS_PER_MINUTE, windowMs: 60_000 },
    create: { limit: config.LIMIT_CREATE_PER_MINUTE, windowMs: 60_000 },
    register: registrations,
    register_worker: registrations,
    register_test_agent: registrations,
    register_client: registrations,
    login: logins,
    login_console: logins,
    login_play: logins,
    recover: { limit: config.LIMIT_RECOVER_PER_HOUR, windowMs: 3_600_000 },
    log_in_link: { limit: config.LIMIT_LOG_IN_LINKS_PER_HOUR, windowMs: 3_600_000 },
    export: { limit: config.LIMIT_EXPORT_PER_HOUR, windowMs: 3_600_000 },
    notify: { limit: config.LIMIT_NOTIFY_PER_MINUTE, windowMs: 60_000 },
  }
}
