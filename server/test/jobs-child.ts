/**
 * A separate jobs process that tests of the runner start, kill, freeze and cut off. Its only extra job writes a mark to
 * a table when it starts and when it ends, and runs for as long as it is told.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { readConfig } from '../src/config.ts'
import { job } from '../src/kit/job.ts'
import { startServer } from '../src/start.ts'

export const markJob = job({
  name: 'test.mark',
  payload: z.object({ name: z.string(), holdMs: z.number() }),
  attemptsMax: 5,
  isGlobal: true,

  async run({ db, payload: { name, holdMs } }) {
    await sql`insert into marks (name, process) values (${name}, ${process.pid})`.execute(db.reader)
    await sleep(holdMs)
    await sql`update marks set ended_at = clock_timestamp() where name = ${name}`.execute(db.reader)
  },
})

export interface Mark {
  process: number
  began_at: Date
  ended_at: Date | null
}

/** A test or a file: what was started for it is stopped at its end, whatever the result. */
interface Scope {
  after(end: () => Promise<unknown>): void
}

/** Creates the table of marks in a database, and the jobs that write them. */
export async function openMarks(scope: Scope, url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  scope.after(() => client.end())
  await client.query(`
    create table marks (
      name text, process integer, began_at timestamptz default clock_timestamp(), ended_at timestamptz);
    grant select, insert, update on marks to public`)
  return {
    query: async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows,
    async addJob(name: string, holdMs = 0): Promise<void> {
      await client.query('select graphile_worker.add_job($1, $2, max_attempts => $3)', [
        markJob.name,
        JSON.stringify({ name, holdMs }),
        markJob.attemptsMax,
      ])
    },
    async of(name: string): Promise<Mark[]> {
      const { rows } = await client.query<Mark>(
        'select process, began_at, ended_at from marks where name = $1 order by began_at',
        [name],
      )
      return rows
    },
  }
}

/** Polls until there is a result; fails on timeout. */
export async function eventually<T>(
  what: string,
  withinMs: number,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(20)
  }
}

/** Resolves when the process has opened everything and polls for jobs. */
export async function startJobsChild(
  scope: Scope,
  url: string,
  settings: Record<string, string> = {},
): Promise<ChildProcess> {
  const child = fork(import.meta.filename, {
    // Without our own flags: they may include --test, and the child is not a test.
    execArgv: [],
    env: { ...process.env, DATABASE_URL: url, OPS_PORT: '0', LOG_LEVEL: 'silent', ...settings },
  })
  scope.after(() => kill(child))
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the jobs process did not start'))),
  ])
  return child
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

if (import.meta.main) {
  // Exit when the test process dies.
  process.once('disconnect', () => process.exit())
  await startServer({
    config: readConfig(process.env),
    roles: ['jobs'],
    moreJobs: [markJob],
  })
  process.send?.('ready')
}
