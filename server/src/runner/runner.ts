/**
 * Runs the jobs. A jobs process that dies leaves its jobs locked (for four hours, if nobody cared): each one keeps
 * a heartbeat, and the others free what a silent one held, within seconds.
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
import type { Mode } from '../kit/endpoint.ts'
import type { Background, Job } from '../kit/job.ts'
import { loop } from './loop.ts'
import { queueName } from './relay.ts'
import { startSchedules } from './schedules.ts'

const MISSED_BEATS = 3
const POLL_MS = 1000
const RESTART_MS = 1000

/** Jobs of test mode are in a queue of their own, and run with `testWith`; without it they are left to others. */
export async function startRunner(
  background: Background,
  { jobs, testWith }: { jobs: readonly Job[]; testWith?: Background },
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

  const schedules = await startSchedules(background, jobs)

  let beatAt = Number.NEGATIVE_INFINITY
  const beats = loop(background, {
    name: 'heartbeat',
    intervalMs: beatMs,
    // A heart that waits longer is taken for dead.
    backOffMaxMs: 0,
    async step() {
      await sayAlive()
      // Who was cut off can't tell whether the others died or the database was away from all of them.
      const isSteady = performance.now() - beatAt < 2 * beatMs
      beatAt = performance.now()
      if (isSteady) await freeTheDead(background)
      return 'idle'
    },
  })

  return {
    /** The heart beats until the last job is done: else another process would take it meanwhile. */
    async stop() {
      await schedules.stop()
      await Promise.all(queues.map((queue) => queue.stop()))
      await beats.stop()
      await sql`
        with gone as (delete from job_processes where id = ${processId} returning runner_ids)
        select graphile_worker.force_unlock_workers(runner_ids) from gone`.execute(db.reader)
    },
  }
}

/** Runs one queue, and starts it again when it ends by itself. */
async function startQueue(
  background: Background,
  { mode, options, runnerIds }: { mode: Mode; options: RunnerOptions; runnerIds: Set<string> },
) {
  const { db, log } = background
  let runner = await run(options)
  let isStopping = false
  const restarts = loop(background, {
    name: mode === 'live' ? 'runner' : 'runner-test',
    intervalMs: RESTART_MS,
    async step() {
      await runner.promise.catch((error: unknown) => log.error({ error }, 'the runner has failed'))
      if (isStopping) return 'idle'
      // It gives up when it can't write down how a job ended, while the rest of this process goes on. That job is
      // still locked in its name.
      log.error('the runner has ended by itself; starting it again')
      await sql`select graphile_worker.force_unlock_workers(${[...runnerIds]})`.execute(db.reader)
      runnerIds.clear()
      runner = await run(options)
      return 'idle'
    },
  })
  return {
    async stop() {
      isStopping = true
      await end(runner)
      await restarts.stop()
      // The one that was being started when the stop came.
      await end(runner)
    },
  }
}

/** Stopping one that has ended is an error to the library, and what is wanted here. */
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
    // Schedules have a clock of their own: schedules.ts.
    parsedCronItems: [],
    preset: {
      // In batches, because only these are waited for at the stop: an outcome written singly is a promise that
      // nobody holds, whose failure ends the process.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      plugins: [
        {
          name: 'legwork-heartbeat',
          version: '1.0.0',
          // No job is taken in a name that the heartbeat does not know: nobody could free it.
          worker: { hooks: { startWorker: sayAlive } },
        },
      ],
    },
  }
}

/** What the queue reports of a job includes its payload, which is no matter for the log. */
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
    await job.run({ ...background, payload: job.payload.parse(payload) })
    background.metrics.jobs.inc({ job: job.name, outcome: 'done' })
  } catch (error) {
    background.metrics.jobs.inc({ job: job.name, outcome: 'failed' })
    throw error
  }
}

/** Says that this process lives, by the database's clock. */
async function beat({ db }: Background, processId: string, runnerIds: string[]): Promise<void> {
  await sql`
    insert into job_processes (id, runner_ids, started_at, seen_at) values (${processId}, ${runnerIds}, now(), now())
    on conflict (id) do update set runner_ids = excluded.runner_ids, seen_at = now()`.execute(
    db.reader,
  )
}

/** Frees what those processes held that have stopped saying that they live. */
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
    log.warn({ process: id }, 'a jobs process has gone silent; its jobs are free again')
  }
}
