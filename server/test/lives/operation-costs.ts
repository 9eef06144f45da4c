/**
 * `npm run bench:operations`: what each step of a task costs PostgreSQL in CPU time, WAL and stored bytes. The service
 * times of `npm run simulate:shards` and the table of “Sixteen clusters” in docs/capacity.md are from it.
 *
 * The database has two schemas. Each step runs alone and many at a time, for workers in the schema of their agent and
 * for workers in the other one (`crossing`). Events wait in the outbox while steps are measured; then a jobs process
 * relays them. OPERATIONS (128) sets its length. Other work on the machine makes CPU time longer, so each step runs in
 * four parts, and the part with the least CPU time counts.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DURABLE, migrate } from '../../../load/machine.ts'
import { startPostgres } from '../../../scripts/postgres.ts'
import { shardOf, SHARDS } from '../../src/kit/ids.ts'
import type { Json } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { type Party, recruit } from './cast.ts'
import { startFleet } from './fleet.ts'
import { call, number, nextShop } from './measured.ts'

const COUNT = Number(process.env.OPERATIONS ?? 128)
const PARTS = 4
/** No agent has two requests at once where rows cross, because both would write the same copy of the agent. */
const AT_ONCE = 32
const CREATIONS_AT_ONCE = 128
const TOKEN_KEYS = randomBytes(32).toString('base64')
const HERE = { lat: 53.5503, lng: 9.9937 }
/** The size of each schema: its tables with their indexes. */
const BYTES = `
  select n.nspname as schema, sum(pg_total_relation_size(c.oid))::float as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' group by 1`

interface Totals {
  /** CPU time in nanoseconds. */
  postgres: number
  wal: number
  transactions: number
}

interface Task {
  id: string
  agent: Party
  worker: Party
  isCrossing: boolean
  isAlone: boolean
}

test('what each step of a task costs the database', { timeout: 600_000 }, async () => {
  const { postgres, client, processes } = await startDatabase()
  const api = await startFleet({ ...processes, apis: 1, jobs: 0 })
  atEnd(() => api.stop())
  const base = api.bases[0]!
  const cast = await recruit({ ...processes, base, agents: 2 * AT_ONCE, workers: 2 * AT_ONCE })
  const halves = [0, 1].map((half) => cast.agents.filter(({ id }) => halfOf(id) === half))
  const agents = halves.find(({ length }) => length >= AT_ONCE)!
  const home = halfOf(agents[0]!.id)
  const near = cast.workers.filter(({ id }) => halfOf(id) === home)
  const far = cast.workers.filter(({ id }) => halfOf(id) !== home)
  const meter = await openMeter({ postgres, client, processes, home })
  const { read, feed, create, ...steps } = requestsTo(base)
  const newTask = async (n: number, isCrossing: boolean, isAlone: boolean): Promise<Task> => {
    const agent = agents[n % AT_ONCE]!
    const workers = isCrossing ? far : near
    const worker = workers[n % workers.length]!
    return { id: await create(agent), agent, worker, isCrossing, isAlone }
  }

  // Each connection plans its first statements, and compiles the functions that it calls for the first time.
  const warmUp: Task[] = []
  for (const isCrossing of [false, true])
    warmUp.push(...(await inRounds(numbers(128), AT_ONCE, (n) => newTask(n, isCrossing, false))))
  for (const run of [...Object.values(steps), read]) await inRounds(warmUp, AT_ONCE, run)
  await inRounds(numbers(256), AT_ONCE, (n) => feed(near[n % near.length]!))
  const held = await number(
    client,
    `select count(*) from pg_stat_activity where application_name like 'legwork%'`,
  )
  await meter.relay()
  const idle = await meter.relay()
  await client.query('vacuum analyze')

  console.log(
    `\nAn API process holds ${held} connections: two schemas, the feed, the global one.\n`,
  )
  console.log(HEADINGS)
  const tasks: Task[] = []
  for (const isAlone of [true, false])
    await meter.step(
      isAlone ? 'create' : `create, ${CREATIONS_AT_ONCE} at once`,
      numbers(isAlone ? 2 * COUNT : PARTS * CREATIONS_AT_ONCE),
      isAlone ? 1 : CREATIONS_AT_ONCE,
      async (n) => {
        tasks.push(await newTask(n, n % 64 >= 32, isAlone))
      },
    )
  await meter.relay('relay, created', idle)
  await meter.step('feed page', numbers(COUNT), 1, (n) => feed(near[n % near.length]!))
  await meter.step('read a task', tasks.slice(0, COUNT), 1, read)
  for (const [name, run] of Object.entries(steps))
    for (const isCrossing of [false, true])
      for (const isAlone of [true, false])
        await meter.step(
          `${name}${isCrossing ? ', crossing' : ''}${isAlone ? '' : `, ${AT_ONCE} at once`}`,
          tasks
            .filter((task) => task.isCrossing === isCrossing && task.isAlone === isAlone)
            .slice(0, COUNT),
          isAlone ? 1 : AT_ONCE,
          run,
        )
  await meter.relay('relay, other events', idle)
  const done = await number(client, `select count(*) from tasks where status = 'completed'`)
  assert.equal(done, warmUp.length + 4 * COUNT)
})

/** A PostgreSQL with fsync, a database with two schemas, and what its processes need to know. */
async function startDatabase() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-operations-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    temporary: true,
    // Autovacuum would run at some moment of some step.
    settings: { ...DURABLE, autovacuum: 'off' },
  })
  atEnd(() => postgres.stop())
  migrate(postgres.url, { SHARDS: '2' })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  atEnd(() => client.end())
  await client.query(readFileSync('server/test/all-shards.sql', 'utf8'))
  const processes = {
    databaseUrl: postgres.url,
    workerTokenKeys: TOKEN_KEYS,
    settings: { SHARD_DATABASES: '2' },
  }
  return { postgres, client, processes }
}

/** The requests of a task's life. */
const requestsTo = (base: string) => ({
  async create(agent: Party): Promise<string> {
    const { task } = await call(agent, 'POST', `${base}/tasks`, {
      type: 'verification',
      description:
        'Is the bakery at the corner open? Read the opening hours on the door and write them down.',
      location: nextShop(HERE),
      proof_required: 'text',
      budget_cents: 500,
    })
    return (task as Json).id as string
  },
  accept: ({ id, worker }: Task) => call(worker, 'POST', `${base}/worker/tasks/${id}/accept`),
  prove: ({ id, worker }: Task) =>
    call(worker, 'POST', `${base}/worker/tasks/${id}/proof`, { text: 'It is open until six.' }),
  approve: ({ id, agent }: Task) => call(agent, 'POST', `${base}/tasks/${id}/approve`),
  read: ({ id, agent }: Task) => call(agent, 'GET', `${base}/tasks/${id}`),
  feed: (worker: Party) =>
    call(worker, 'GET', `${base}/worker/feed?lat=${HERE.lat}&lng=${HERE.lng}`),
})

async function openMeter({
  postgres,
  client,
  processes,
  home,
}: Awaited<ReturnType<typeof startDatabase>> & { home: number }) {
  const own = await number(client, 'select pg_backend_pid()')

  async function totals(): Promise<Totals> {
    return {
      postgres: cpuBelow(postgres.pid) - cpuOf(own),
      wal: await number(client, `select pg_current_wal_lsn() - '0/0'::pg_lsn`),
      transactions: await number(client, `select pg_current_xact_id()::text::bigint`),
    }
  }

  async function sizes(): Promise<Map<string, number>> {
    const { rows } = await client.query<{ schema: string; bytes: number }>(BYTES)
    return new Map(rows.map(({ schema, bytes }) => [schema, bytes]))
  }

  return {
    /** Measures one step for all items, `atOnce` at a time. */
    async step<T>(
      name: string,
      items: readonly T[],
      atOnce: number,
      run: (item: T) => Promise<unknown>,
    ): Promise<void> {
      const parts: Totals[] = []
      const bytes = await sizes()
      const length = Math.ceil(items.length / PARTS)
      for (let i = 0; i < items.length; i += length) {
        const part = items.slice(i, i + length)
        const before = await totals()
        await inRounds(part, atOnce, run)
        parts.push(each(before, await totals(), part.length))
      }
      print(name, parts, grown(bytes, await sizes(), items.length, home))
    },

    /** A jobs process relays what waits. `idle` is what such a process costs without events. */
    async relay(name?: string, idle?: Totals): Promise<Totals> {
      const bytes = await sizes()
      const events = await waiting(client)
      const before = await totals()
      const jobs = await startFleet({ ...processes, apis: 0, jobs: 1 })
      while ((await waiting(client)) > 0) await sleep(100)
      const cost = each(before, await totals(), 1)
      await jobs.stop()
      if (idle === undefined || name === undefined) return cost
      for (const key of ['postgres', 'wal', 'transactions'] as const)
        cost[key] = (cost[key] - idle[key]) / events
      print(`${name} (${events} events)`, [cost], grown(bytes, await sizes(), events, home))
      return cost
    },
  }
}

const COLUMNS = ['CPU µs', 'WAL', 'txns', 'agent', 'worker', 'feed']
const HEADINGS = ' '.repeat(36) + COLUMNS.map((column) => column.padStart(9)).join('')

const halfOf = (id: string) => Math.floor((shardOf(id) * 2) / SHARDS)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
/** Events that no relay has taken yet, in all schemas. */
const waiting = (client: pg.Client) => number(client, 'select count(*) from outbox')

async function inRounds<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += atOnce)
    results.push(...(await Promise.all(items.slice(i, i + atOnce).map(run))))
  return results
}

const each = (before: Totals, after: Totals, count: number): Totals => ({
  postgres: (after.postgres - before.postgres) / count,
  wal: (after.wal - before.wal) / count,
  transactions: (after.transactions - before.transactions) / count,
})

/** Bytes by which the agent's schema, the worker's and the feed have grown for each item. */
function grown(
  before: Map<string, number>,
  after: Map<string, number>,
  count: number,
  home: number,
): number[] {
  return [`s0${home}`, `s0${1 - home}`, 'feed'].map(
    (schema) => (after.get(schema)! - before.get(schema)!) / count,
  )
}

function print(name: string, parts: Totals[], bytes: number[]): void {
  const best = parts.toSorted((a, b) => a.postgres - b.postgres)[0]!
  const figures = [
    best.postgres / 1000,
    parts.reduce((sum, { wal }) => sum + wal, 0) / parts.length,
  ].map((figure) => figure.toFixed(0))
  const all = [...figures, best.transactions.toFixed(2), ...bytes.map((one) => one.toFixed(0))]
  console.log(name.padEnd(36) + all.map((figure) => figure.padStart(9)).join(''))
}

/**
 * CPU time of the children of a process, in nanoseconds. `cpuOf` of load/machine.ts counts in units of 10 ms; here only
 * children that have ended are counted so.
 */
function cpuBelow(parent: number): number {
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name)?.[1] === parent)
    .reduce((sum, name) => sum + cpuOf(Number(name)), 0)
  const [user, system] = statOf(String(parent))!.slice(13, 15)
  return running + (user! + system!) * 10_000_000
}

/** The fields of /proc/…/stat after the name. */
function statOf(pid: string): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields.map(Number)
  } catch {
    return undefined
  }
}

/** CPU time of all threads of a process, in nanoseconds. */
function cpuOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    )
  } catch {
    return 0
  }
}
