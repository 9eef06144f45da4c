/**
 * Runs the jobs. A jobs process that dies leaves its jobs locked, by default for four hours. Therefore each process
 * sends a heartbeat, and the others release the jobs of a silent process within seconds.
 */
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  type Job as QueuedJob,
  Logger,
  run,
  type Runner,
  type RunnerOptions,
  type WorkerEvents,
} from 'graphile-worker'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import { tryEach } from '../kit/everywhere.ts'
import type { Background, Job } from '../kit/job.ts'
import { inTrace, SpanKind, tracesOf } from '../kit/traces.ts'
import { loop } from './loop.ts'
import { queueName } from './relay.ts'
import { startSchedules } from './schedules.ts'

const MISSED_BEATS = 3
const POLL_MS = 1000
const RESTART_MS = 1000
/** How long a runner that shuts down by itself may take. Longer than the longest call of a job. */
const SHUTDOWN_MAX_MS = 20_000

/**
 * Runs the queue of one database. Test-mode jobs have their own queue and run with `testWith`; without it, other
 * processes run them.
 */
export async function startRunner(
  background: Background,
  {
    jobs,
    testWith,
    isScheduler = true,
  }: {
    jobs: readonly Job[]
    testWith?: Background
    /** Whether scheduled jobs are added to this queue. */
    isScheduler?: boolean
  },
) {
  const { db, config } = background
  const beatMs = config.HEARTBEAT_SECONDS * 1000
  const processId = `jobs-${process.pid}-${randomBytes(6).toString('hex')}`
  const runnerIds = { live: new Set<string>(), test: new Set<string>() }
  const sayAlive = () => beat(background, processId, [...runnerIds.live, ...runnerIds.test])
  const start = (mode: Mode, runWith: Background) => {
    const of = { jobs, mode, runnerIds: runnerIds[mode], sayAlive }
    return startQueue(background, { ...of, options: runnerOptions(runWith, of) })
  }
  const queues = [await start('live', background)]
  if (testWith) queues.push(await start('test', testWith))

  const schedules = isScheduler ? await startSchedules(background, jobs) : undefined

  let beatAt = Number.NEGATIVE_INFINITY
  const beats = loop(background, {
    name: 'heartbeat',
    intervalMs: beatMs,
    // With a longer backoff, the process would be considered dead.
    backOffMaxMs: 0,
    async step() {
      await sayAlive()
      // A process that was cut off can't tell whether the others died or the database was unreachable for all.
      const isSteady = performance.now() - beatAt < 2 * beatMs
      beatAt = performance.now()
      if (isSteady) await freeTheDead(background)
      return 'idle'
    },
  })

  return {
    /** The heartbeat continues until the last job is done; otherwise another process would take that job over. */
    async stop() {
      await schedules?.stop()
      await Promise.all(queues.map((queue) => queue.stop()))
      await beats.stop()
      await sql`
        with gone as (delete from job_processes where id = ${processId} returning runner_ids)
        select graphile_worker.force_unlock_workers(runner_ids) from gone`.execute(db.reader)
    },
  }
}

/** Runs one queue, and restarts it if it ends unexpectedly. */
async function startQueue(
  background: Background,
  { mode, options, runnerIds }: { mode: Mode; options: RunnerOptions; runnerIds: Set<string> },
) {
  const { db, log } = background
  let isStopping = false

  /**
   * Resolves when a runner has ended. If several batches of outcomes can't be written, as in a failover, the library
   * miscounts what it has to wait for, and its shutdown never ends. Such a runner takes no more jobs; it is abandoned.
   */
  async function ended(ending: Runner): Promise<void> {
    const { promise: abandoned, resolve } = Promise.withResolvers<void>()
    const abandon = () => {
      if (!isStopping) setTimeout(resolve, SHUTDOWN_MAX_MS).unref()
    }
    ending.events.once('pool:gracefulShutdown', abandon)
    const failed = (error: unknown) => log.error({ error }, 'the runner failed')
    await Promise.race([ending.promise.catch(failed), abandoned])
    ending.events.off('pool:gracefulShutdown', abandon)
    // The timer of an abandoned runner would tick forever, and keep this process from ending.
    void end(ending)
  }

  let runner = await run(options)
  let running = ended(runner)
  const restarts = loop(background, {
    name: mode === 'live' ? 'runner' : 'runner-test',
    intervalMs: RESTART_MS,
    async step() {
      await running
      if (isStopping) return 'idle'
      // The runner gives up if it can't record a job's outcome, while the rest of this process continues. That job is
      // still locked under the runner's id.
      log.error('the runner stopped unexpectedly; starting it again')
      await sql`select graphile_worker.force_unlock_workers(${[...runnerIds]})`.execute(db.reader)
      runnerIds.clear()
      runner = await run(options)
      running = ended(runner)
      return 'idle'
    },
  })
  return {
    async stop() {
      isStopping = true
      await Promise.race([end(runner), running])
      await restarts.stop()
      // A runner that was being started when the stop came.
      await Promise.race([end(runner), running])
    },
  }
}

/** The library throws if the runner has already ended, which is fine here. */
async function end(runner: Runner): Promise<void> {
  await runner.stop().catch(() => {})
}

function runnerOptions(
  background: Background,
  {
    jobs,
    mode,
    runnerIds,
    sayAlive,
  }: {
    jobs: readonly Job[]
    mode: Mode
    runnerIds: Set<string>
    sayAlive(): Promise<void>
  },
): RunnerOptions {
  const { db, config, metrics } = background
  const events = new EventEmitter() as WorkerEvents
  events.on('pool:create', ({ workerPool }) => runnerIds.add(workerPool.id))
  events.on('job:failed', ({ job }) =>
    metrics.jobs.inc({ job: job.task_identifier, outcome: 'given_up' }),
  )
  return {
    pgPool: db.pool,
    concurrency: mode === 'test' ? config.TEST_JOBS_CONCURRENCY : config.JOBS_CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    events,
    logger: queueLogger(background),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        queueName(job.name, mode),
        (payload) => perform(background, job, payload),
      ]),
    ),
    // Schedules use their own clock: schedules.ts.
    parsedCronItems: [],
    preset: {
      // Batched, because only batched outcomes are awaited on stop: an outcome written individually is a floating
      // promise, whose rejection ends the process.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      plugins: [
        {
          name: 'legwork-heartbeat',
          version: '1.0.0',
          // No job may be locked under an id that the heartbeat has not recorded: nobody could release it.
          worker: { hooks: { startWorker: sayAlive } },
        },
      ],
    },
  }
}

/** The queue's log data includes the job's payload, which must not be logged. */
function queueLogger({ log }: Background): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level !== 'error') return log.debug(firstLine(message))
    const { job, error } = (meta ?? {}) as { job?: QueuedJob; error?: unknown }
    const about = job && {
      job: job.task_identifier,
      id: job.id,
      attempt: job.attempts,
      attempts_max: job.max_attempts,
    }
    log.error({ ...about, ...(error === undefined ? {} : { error }) }, firstLine(message))
  })
}

const firstLine = (text: string) => text.split('\n', 1)[0]!

async function perform(background: Background, job: Job, payload: unknown): Promise<void> {
  try {
    await inTrace(
      tracesOf(background.config),
      `job ${job.name}`,
      { kind: SpanKind.CONSUMER, ...causeOf(payload) },
      async () => {
        const places = placesOf(background, job, payload)
        await tryEach(places, (db) =>
          job.run({ ...background, db, payload: job.payload.parse(payload) }),
        )
      },
    )
    background.metrics.jobs.inc({ job: job.name, outcome: 'done' })
  } catch (error) {
    background.metrics.jobs.inc({ job: job.name, outcome: 'failed' })
    throw error
  }
}

/** The schemas that a job is about: the one whose event started it, or all shards for a scheduled job. */
function placesOf({ db }: Background, job: Job, payload: unknown): readonly Db[] {
  const { all, global } = db.shards
  const { schema } = (payload ?? {}) as { schema?: unknown }
  if (schema !== undefined) return [all.find((one) => one.schema.name === schema) ?? global]
  return job.isGlobal ? [global] : all
}

/** The event that started a job, and its trace if it is sampled; a scheduled job has neither. */
function causeOf(payload: unknown) {
  const { id, traceparent } = (payload ?? {}) as { id?: unknown; traceparent?: string | null }
  return typeof id === 'string' ? { traceparent, attributes: { 'legwork.event_id': id } } : {}
}

/** Records that this process is alive, by the database's clock. */
async function beat({ db }: Background, processId: string, runnerIds: string[]): Promise<void> {
  await sql`
    insert into job_processes (id, runner_ids, started_at, seen_at) values (${processId}, ${runnerIds}, now(), now())
    on conflict (id) do update set runner_ids = excluded.runner_ids, seen_at = now()`.execute(
    db.reader,
  )
}

/** Sets how many jobs processes have a recent heartbeat. */
export async function showProcesses({
  db,
  config,
  metrics,
}: Pick<Background, 'db' | 'config' | 'metrics'>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from job_processes
     where seen_at >= now() - make_interval(secs => ${config.HEARTBEAT_SECONDS * MISSED_BEATS})`.execute(
    db.reader,
  )
  metrics.jobProcesses.set(rows[0]!.count)
}

/** Releases the jobs of processes whose heartbeat has stopped. */
async function freeTheDead({ db, config, log, metrics }: Background): Promise<void> {
  const { rows: dead } = await sql<{ id: string }>`
    with dead as (
      delete from job_processes
       where seen_at < now() - make_interval(secs => ${config.HEARTBEAT_SECONDS * MISSED_BEATS})
      returning id, runner_ids
    )
    select id, graphile_worker.force_unlock_workers(runner_ids) from dead`.execute(db.reader)
  for (const { id } of dead) {
    metrics.reclaimed.inc()
    log.warn({ process: id }, 'a jobs process stopped responding; its jobs were released')
  }
}
