import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAuthenticator } from './agents/authenticate.ts'
import { openConsoleSessions } from './agents/console-sessions.ts'
import { openRequestLog } from './agents/request-log.ts'
import type { Config } from './config.ts'
import { closeMail } from './email/send.ts'
import { endpoints } from './endpoints.ts'
import { takeAndProject } from './feed/project-open.ts'
import { filesOf } from './files/files.ts'
import { openLargeBodies } from './http/large-bodies.ts'
import { memoryLimiter } from './http/limiter-memory.ts'
import { redisLimiter } from './http/limiter-redis.ts'
import type { Limiter } from './http/limiter.ts'
import { type LimitSettings, policies } from './http/limits.ts'
import { buildOpsServer } from './http/ops-server.ts'
import { checkReadiness } from './http/readiness.ts'
import { buildServer } from './http/server.ts'
import { watchEventLoop } from './http/shedding.ts'
import { jobs, sweeps } from './jobs.ts'
import { type Clock, databaseClock } from './kit/clock.ts'
import { openDb, openProbe, type Tx } from './kit/db.ts'
import type { AnyEndpoint, Mode } from './kit/endpoint.ts'
import type { Background, Job } from './kit/job.ts'
import { type Log, openLog } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { openShare, type Share } from './kit/share.ts'
import { watchClock } from './kit/watch-clock.ts'
import { canPush, closePush } from './notices/push-services.ts'
import { renderOpenApi } from './openapi.ts'
import { showOpsGauges } from './ops/gauges.ts'
import { showGauges } from './reconcile/gauges.ts'
import { loop } from './runner/loop.ts'
import { startRelay } from './runner/relay.ts'
import { startRunner } from './runner/runner.ts'
import { startSweep } from './runner/sweep.ts'
import { openDeliverer } from './webhooks/deliver.ts'
import { showWebhookGauges } from './webhooks/gauges.ts'
import { openSessions } from './workers/authenticate.ts'
import { tokensOf } from './workers/tokens.ts'

const GAUGES_MS = 60_000

export interface StartOptions {
  config: Config
  roles: readonly ('api' | 'jobs')[]
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
      await closer().catch((error: unknown) => log.error({ error }, 'a part could not be closed'))
  }
  try {
    return await openServer({ ...options, log }, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openServer(
  {
    config,
    roles,
    clock: givenClock,
    log,
    moreEndpoints = [],
    moreJobs = [],
  }: StartOptions & { log: Log },
  closers: Close[],
  close: () => Promise<void>,
) {
  const metrics = openMetrics()
  const draining = new AbortController()
  const stopping = new AbortController()
  const probe = openProbe(config.DATABASE_URL)
  closers.push(() => probe.close())
  let drainMs = 0
  const db = openDb(config.DATABASE_URL, {
    connectionsMax: config.DATABASE_CONNECTIONS,
    isThere: probe.isThere,
    onError(error) {
      if (!draining.signal.aborted) log.warn({ error }, 'lost an idle database connection')
    },
  })
  closers.push(() => db.close())
  closers.push(() => closeMail(config))
  closers.push(() => closePush(config))
  const testShare = openShare({
    places: config.TEST_DATABASE_CONNECTIONS,
    percent: config.TEST_DATABASE_PERCENT,
  })
  const openTestDb = (share: Share, connectionsMax: number) =>
    openDb(config.DATABASE_URL, {
      connectionsMax,
      share,
      isThere: probe.isThere,
      onError(error) {
        if (!stopping.signal.aborted) log.warn({ error }, 'lost an idle database connection')
      },
    })
  const testDb = openTestDb(testShare, config.TEST_DATABASE_CONNECTIONS)
  // The two extra connections are for the test-mode job queue: one to listen, one to look for jobs.
  const testJobsDb = openTestDb(testShare.patient(), config.TEST_DATABASE_CONNECTIONS + 2)
  closers.push(() => testDb.close())
  closers.push(() => testJobsDb.close())
  const files = filesOf(config)
  closers.push(() => files.close())
  const ended = Promise.withResolvers<void>()
  let isAccepting = false

  const ask = () =>
    probe.ask<{ now: Date; is_superuser: boolean }>(
      'select clock_timestamp() as now, rolsuper as is_superuser from pg_roles where rolname = session_user',
    )
  const { is_superuser } = await ask()
  if (is_superuser && config.NODE_ENV === 'production')
    throw new Error('Refusing to start in production: DATABASE_URL logs in as a superuser')
  if (!canPush(config) && config.NODE_ENV === 'production')
    log.warn('nothing is pushed to workers: PUSH_PUBLIC_KEY is not set')
  const clock = givenClock ?? (await followDatabase())

  async function followDatabase(): Promise<Clock> {
    const following = databaseClock({ toleranceMs: config.CLOCK_TOLERANCE_MS })
    const askDatabase = async () => (await ask()).now
    await following.follow(askDatabase)
    const watch = watchClock({ clock: following, askDatabase, log, metrics })
    closers.push(async () => watch.stop())
    return following
  }

  // The ops port is open from before the first request until after the last one, so a load balancer can see that this
  // process is not ready yet, or is draining.
  const addresses: { api?: string; ops?: string } = {}
  const ops = buildOpsServer({
    metrics,
    ready: () => checkReadiness({ isAccepting, probe, clock }),
  })
  await new Promise<void>((resolve, reject) => {
    ops.once('error', reject).listen(config.OPS_PORT, config.HOST, resolve)
  })
  closers.push(() => new Promise((resolve) => ops.close(resolve)))
  addresses.ops = `http://${config.HOST}:${(ops.address() as AddressInfo).port}`

  // These finish their work in parallel, so the slowest one determines how long a stop takes.
  const drains: Close[] = []
  closers.push(async () => {
    const outcomes = await Promise.allSettled(drains.map((drain) => drain()))
    const errors = outcomes.flatMap((o) => (o.status === 'rejected' ? [o.reason as unknown] : []))
    if (errors.length > 0) throw new AggregateError(errors, 'could not drain')
  })

  if (roles.includes('jobs')) {
    const background: Background = { db, clock, config, log, metrics }
    const allJobs = [...jobs, ...moreJobs]
    const testBackground: Background = { ...background, db: testJobsDb }
    const runner = await startRunner(background, { jobs: allJobs, testWith: testBackground })
    const take = (mode: Mode) => (tx: Tx, limit: number) =>
      takeAndProject(tx, limit, {
        now: clock.now(),
        dataOf: 'work',
        mode,
        onError: (error) => log.error({ error }, 'the feed could not follow; it is mended later'),
      })
    const relays = [
      startRelay(background, { jobs: allJobs, take: take('live') }),
      startRelay(testBackground, { jobs: allJobs, take: take('test'), name: 'relay-test' }),
    ]
    const timers = sweeps.flatMap((sweep) => {
      if (sweep.isTest) return [startSweep(testBackground, sweep)]
      if (!sweep.isByMode) return [startSweep(background, sweep)]
      return [startSweep(background, sweep, 'live'), startSweep(testBackground, sweep, 'test')]
    })
    // Every process exports the shared values. A gauge that is set only in the process that measured it would be stale
    // in the others.
    const gauges = loop(background, {
      name: 'gauges',
      intervalMs: GAUGES_MS,
      async step() {
        await showGauges(background)
        await showWebhookGauges(background)
        await showOpsGauges(background)
        return 'idle'
      },
    })
    // Both modes use live connections: a lane's lease is renewed twice a second, and the load is limited by the number
    // of places.
    const deliverers = (['live', 'test'] as const).map((mode) => {
      const deliverer = openDeliverer(background, { mode })
      const deliveries = loop(background, {
        name: mode === 'live' ? 'deliverer' : 'deliverer-test',
        intervalMs: config.WEBHOOK_INTERVAL_MS,
        step: deliverer.step,
      })
      return () => deliveries.stop().then(() => deliverer.stop())
    })
    drains.push(...[runner, ...relays, gauges, ...timers].map((part) => () => part.stop()))
    drains.push(...deliverers)
  }

  if (roles.includes('api')) {
    const limiter = openLimiter()
    const trustMs = config.KEY_CACHE_SECONDS * 1000
    const authenticator = openAuthenticator(db, { trustMs })
    const requestLog = openRequestLog({
      db,
      log,
      metrics,
      perMinuteMax: config.REQUEST_LOG_PER_MINUTE,
    })
    const shedding = watchEventLoop({ maxMs: config.EVENT_LOOP_DELAY_MAX_MS, metrics, log })
    closers.push(async () => shedding.stop())
    const server = buildServer({
      db,
      testMode: { db: testDb, isFull: testShare.isFull },
      clock,
      config,
      log,
      metrics,
      sessions: openSessions(db, tokensOf(config)),
      authenticator,
      requestLog,
      consoleSessions: openConsoleSessions(db, authenticator, { trustMs }),
      limiter,
      policies: policies(limitSettings(config)),
      endpoints: [...endpoints, ...moreEndpoints],
      openapi: renderOpenApi,
      draining: draining.signal,
      largeBodies: openLargeBodies(config, metrics),
      shedding,
      stopping: stopping.signal,
    })
    drains.push(async () => {
      // Load balancers poll readiness, and keep sending requests until they see that this process isn't ready.
      if (drainMs > 0) await sleep(drainMs)
      stopping.abort()
      await server.close()
      await requestLog.close()
      await limiter?.close()
    })
    await server.listen({ host: config.HOST, port: config.PORT })
    addresses.api = `http://${config.HOST}:${(server.server.address() as AddressInfo).port}/api/v1`
  }

  function openLimiter(): Limiter | undefined {
    if (config.RATE_LIMITS === 'off') return undefined
    const local = memoryLimiter()
    if (config.REDIS_URL === undefined) return local
    return redisLimiter({
      url: config.REDIS_URL,
      fallback: local,
      onDown(error) {
        metrics.limiterDown.set(1)
        log.error({ error }, 'limits: Redis can not be reached; each process counts alone')
      },
      onUp() {
        metrics.limiterDown.set(0)
        log.info('limits: Redis is back')
      },
    })
  }

  isAccepting = true
  log.info({ roles, ...addresses }, 'started')

  /**
   * Readiness fails first. The jobs finish their current work, and the API keeps serving for `drainSeconds`. Then its
   * listener closes, long polls get their response, and requests in flight are finished.
   */
  async function stop(drainSeconds = config.DRAIN_SECONDS): Promise<void> {
    if (draining.signal.aborted) return ended.promise
    isAccepting = false
    drainMs = drainSeconds * 1000
    draining.abort()
    log.info({ drain_seconds: drainSeconds }, 'stopping')
    await close()
    log.info('stopped')
    ended.resolve()
  }

  return { addresses, db, clock, log, metrics, stop, stopped: ended.promise }
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
    login: logins,
    login_console: logins,
    login_play: logins,
    recover: { limit: config.LIMIT_RECOVER_PER_HOUR, windowMs: 3_600_000 },
    notify: { limit: config.LIMIT_NOTIFY_PER_MINUTE, windowMs: 60_000 },
  }
}
