import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { freshDatabase, marketplace, startOn } from '../../test/harness.ts'
import { eventually, kill, markJob, openMarks, startJobsChild } from '../../test/jobs-child.ts'
import { type Job, job } from '../kit/job.ts'
import { openLog } from '../kit/log.ts'
import { startRunner } from './runner.ts'

const market = await marketplace()
const marks = await openMarks({ after }, market.url)
const FOREVER_MS = 600_000

describe('a killed jobs process', { concurrency: true }, () => {
  test('frees its jobs within 15 s by a missing heartbeat', async (t) => {
    const [watched, unwatched] = await Promise.all([
      killTheHolder(t, {}),
      killTheHolder(t, { HEARTBEAT_SECONDS: '3600' }),
    ])

    const second = await eventually('another process runs the job', 15_000, async () =>
      (await watched.runs()).at(1),
    )
    const seconds = (second.began_at.getTime() - watched.killedAt.getTime()) / 1000
    t.diagnostic(`free and begun again after ${seconds.toFixed(1)} s`)
    await sleep(2000)
    const control = await unwatched.runs()

    assert(seconds <= 15)
    assert.equal(second.process, watched.survivor)
    assert.equal(control.length, 1)
  })

  test('is not assumed if all processes were cut off for a while', async (t) => {
    const url = await freshDatabase()
    const own = await openMarks(t, url)
    const children = await Promise.all([startJobsChild(t, url), startJobsChild(t, url)])
    await own.addJob('held', FOREVER_MS)
    await eventually('the job has begun', 15_000, async () => (await own.of('held')).at(0))

    for (const child of children) child.kill('SIGSTOP')
    await sleep(7500)
    for (const child of children) child.kill('SIGCONT')
    await sleep(3000)

    const held = await own.of('held')
    const [{ count }] = (await own.query('select count(*)::integer from job_processes')) as [any]

    assert.equal(held.length, 1)
    assert.equal(count, 2)
  })
})

describe('a runner', () => {
  test('finishes its running job when it stops, and nobody else takes the job meanwhile', async (t) => {
    const settings = { HEARTBEAT_SECONDS: 1 }
    const stopping = await startOn(market.url, { roles: ['jobs'], settings, moreJobs: [markJob] })
    t.after(() => stopping.stop())
    await marks.addJob('drained', 5000)
    await eventually('the job has begun', 15_000, async () => (await marks.of('drained')).at(0))
    const other = await startOn(market.url, { roles: ['jobs'], settings, moreJobs: [markJob] })
    t.after(() => other.stop())

    await stopping.stop()
    const runs = await marks.of('drained')
    await other.stop()

    assert.equal(runs.length, 1)
    assert(runs[0]!.ended_at)
    assert.deepEqual(await marks.query('select from job_processes'), [])
  })

  test('starts no job after its stop', async (t) => {
    const { runner } = await start(t, [markJob])
    await runner.stop()

    await marks.addJob('late')
    await sleep(1500)

    assert.deepEqual(await marks.of('late'), [])
  })

  test('retries a failing job, and counts each attempt', async (t) => {
    let attempts = 0
    const flaky = job({
      name: 'test.flaky',
      payload: z.object({}),
      attemptsMax: 3,
      isGlobal: true,
      async run() {
        attempts += 1
        if (attempts === 1) throw new Error('not yet')
      },
    })
    const { runner, lines } = await start(t, [flaky])

    await marks.query(`select graphile_worker.add_job('test.flaky', '{}')`)
    await eventually('the second attempt', 30_000, async () => (attempts === 2 ? true : undefined))
    await runner.stop()

    assert.equal(await counted('test.flaky', 'failed'), 1)
    assert.equal(await counted('test.flaky', 'done'), 1)
    assert.deepEqual(
      lines().map(({ job: name, attempt }) => [name, attempt]),
      [['test.flaky', 1]],
    )
    assert.deepEqual(
      await marks.query(`select from graphile_worker.jobs where task_identifier = 'test.flaky'`),
      [],
    )
  })

  test('gives up a job after its last attempt, and does not log its payload', async (t) => {
    const hopeless = job({
      name: 'test.hopeless',
      payload: z.object({ secret: z.string() }),
      attemptsMax: 1,
      isGlobal: true,
      run: () => Promise.reject(new Error('never')),
    })
    const { runner, lines, text } = await start(t, [hopeless])

    await marks.query(
      `select graphile_worker.add_job('test.hopeless', '{"secret": "whisper"}', max_attempts => 1)`,
    )
    await eventually('the job is given up', 30_000, async () =>
      (await counted('test.hopeless', 'given_up')) === 1 ? true : undefined,
    )
    await runner.stop()

    assert.equal(lines()[0]!.error.message, 'never')
    assert.doesNotMatch(text(), /whisper/)
  })

  test('refuses an undeclared payload', async (t) => {
    const { runner, text } = await start(t, [markJob])

    await marks.query(`select graphile_worker.add_job('test.mark', '{}', max_attempts => 1)`)
    await eventually('the job is given up', 30_000, async () =>
      (await counted('test.mark', 'given_up')) === 1 ? true : undefined,
    )
    await runner.stop()

    assert.match(text(), /expected string/)
  })

  test('survives and repeats a job whose completion could not be written', async (t) => {
    const { runner } = await start(t, [markJob])
    await breakCompletions(['broken'])

    await untilGone('broken')
    await runner.stop()

    assert.equal((await marks.of('broken')).length, 2)
  })

  test('survives and repeats jobs whose completions failed while another job runs', async (t) => {
    const torn = ['torn 1', 'torn 2', 'torn 3']
    const { runner } = await start(t, [markJob])
    // The library begins to wait for completions when this job is done. After three failures it would wait forever.
    await marks.addJob('whole', 12_000)
    await breakCompletions(torn)

    for (const name of torn) await untilGone(name)
    await runner.stop()

    for (const name of torn) assert.equal((await marks.of(name)).length, 2)
    assert.equal((await marks.of('whole')).length, 1)
  })

  test('restarts after it ended unexpectedly', async (t) => {
    await startJobsChild(t, market.url)
    // The only message that makes the library end its runner by itself.
    await marks.query(`select pg_notify('worker:migrate', '{"breaking": true}')`)
    await sleep(500)

    await marks.addJob('revived')
    const runs = await eventually('the job is done', 30_000, async () =>
      (await marks.of('revived')).at(0)?.ended_at ? marks.of('revived') : undefined,
    )

    assert.equal(runs.length, 1)
  })
})

/** Runs jobs that end one after the other, and cuts the connections that write their completions. */
async function breakCompletions(names: string[]): Promise<void> {
  // Long enough that the lock below is taken before the first job ends, even on a slow machine.
  for (const [i, name] of names.entries()) await marks.addJob(name, 2000 + i * 500)
  for (const name of names)
    await eventually('the job has begun', 15_000, async () => (await marks.of(name)).at(0))

  await marks.query('begin')
  try {
    await marks.query('select from graphile_worker._private_jobs for update')
    await eventually('their ends were cut off', 30_000, async () => {
      // Otherwise pg_stat_activity stays as it was when this transaction first read it.
      await marks.query('select pg_stat_clear_snapshot()')
      const waiting = await marks.query(
        `select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%_private_jobs%'`,
      )
      if (waiting.length < names.length) return undefined
      for (const { pid } of waiting) await marks.query('select pg_terminate_backend($1)', [pid])
      return true
    })
  } finally {
    await marks.query('rollback')
  }
}

async function untilGone(name: string): Promise<void> {
  await eventually('the job is done and gone', 60_000, async () => {
    const left = await marks.query(
      `select from graphile_worker._private_jobs where payload ->> 'name' = $1`,
      [name],
    )
    return left.length === 0 ? true : undefined
  })
}

/** Starts two jobs processes on a separate database and kills the one that holds a job. */
async function killTheHolder(t: TestContext, settings: Record<string, string>) {
  const url = await freshDatabase()
  const own = await openMarks(t, url)
  const children = await Promise.all([
    startJobsChild(t, url, settings),
    startJobsChild(t, url, settings),
  ])
  await own.addJob('held', FOREVER_MS)
  const first = await eventually('the job has begun', 15_000, async () => (await own.of('held'))[0])
  const holder = children.find(({ pid }) => pid === first.process)!
  await kill(holder)
  const [{ now }] = (await own.query('select clock_timestamp() as now')) as [{ now: Date }]
  return {
    killedAt: now,
    survivor: children.find((child) => child !== holder)!.pid,
    runs: () => own.of('held'),
  }
}

/** A runner on the market's database, with a log that the test can read. */
async function start(t: TestContext, jobs: Job[]) {
  let written = ''
  const log = openLog('error', {
    write: (line) => {
      written += line
    },
  })
  const db = market.background.db.shards.queues[0]!
  const runner = await startRunner({ ...market.background, db, log }, { jobs })
  t.after(() => runner.stop())
  return {
    runner,
    text: () => written,
    lines: () =>
      written
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, any>),
  }
}

async function counted(name: string, outcome: string): Promise<number> {
  const { values } = await market.server.metrics.jobs.get()
  return values.find(({ labels }) => labels.job === name && labels.outcome === outcome)?.value ?? 0
}
