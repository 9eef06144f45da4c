/**
 * Clients that write to a schema while it moves, each with its own list of what the database has confirmed. After an
 * error that says that the schema is elsewhere, a client reads where it is and repeats its transaction.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { query } from '../../../scripts/postgres.ts'
import type { Place } from '../../src/shards/move-place.ts'

/** A schema in the search path on which a role has no rights is skipped, so its tables and functions are unknown. */
const ELSEWHERE = new Set(['LW001', '42501', '42P01', '42883', '3F000'])

export interface Written {
  id: string
  position: string
}

export interface Load {
  /** What was confirmed, by all clients. */
  written: Written[]
  /** Errors other than those that a client repeats after. */
  failures: string[]
  repeats: number
  /** The longest time that a transaction took, with its repetitions. */
  slowestMs: number
  stop(): Promise<void>
}

export async function startLoad(
  places: readonly Place[],
  { schema, clients }: { schema: string; clients: number },
): Promise<Load> {
  let isStopping = false
  const load: Load = {
    written: [],
    failures: [],
    repeats: 0,
    slowestMs: 0,
    async stop() {
      isStopping = true
      await Promise.all(running)
    },
  }
  // The role exists only where the schema is or was.
  for (const { url } of places)
    await query(
      url,
      `do $$ begin create role legwork_app_${schema} nologin; exception when duplicate_object then null; end $$`,
    )
  const running = Array.from({ length: clients }, (_, i) =>
    runClient(places, { schema, name: `client ${i}`, load, isStopping: () => isStopping }),
  )
  return load
}

interface Client {
  schema: string
  name: string
  load: Load
  isStopping(): boolean
}

async function runClient(places: readonly Place[], client: Client): Promise<void> {
  const { schema, name, load, isStopping } = client
  const connections = new Map<string, pg.Client>()
  for (const place of places) connections.set(place.name, await connect(place, schema))
  let at = await findSchema(places, schema)
  for (let n = 1; !isStopping(); n += 1) {
    const startedMs = performance.now()
    for (;;)
      try {
        load.written.push(await write(connections.get(at)!, `${name} ${Date.now()}`, n))
        break
      } catch (error) {
        await connections.get(at)!.query('rollback')
        if (!(error instanceof pg.DatabaseError) || !ELSEWHERE.has(error.code!)) {
          load.failures.push(String(error))
          break
        }
        load.repeats += 1
        await sleep(5)
        at = await findSchema(places, schema)
      }
    load.slowestMs = Math.max(load.slowestMs, performance.now() - startedMs)
    await sleep(4)
  }
  for (const connection of connections.values()) await connection.end()
}

/** The first place is that of the list of shards. */
async function findSchema([main]: readonly Place[], schema: string): Promise<string> {
  const connection = new pg.Client({ connectionString: main!.url })
  await connection.connect()
  const { rows } = await connection.query('select database from public.shards where schema = $1', [
    schema,
  ])
  await connection.end()
  return rows[0].database as string
}

async function connect({ url }: Place, schema: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  await connection.query(`set role legwork_app_${schema}; set search_path = ${schema}, public`)
  return connection
}

/** One transaction that inserts, calls a function, updates and deletes. It fails if the schema shows an older state. */
async function write(connection: pg.Client, name: string, n: number): Promise<Written> {
  const id = createHash('sha256').update(`${name} ${n}`).digest('hex')
  const client = name.split(' ').slice(0, 2).join(' ')
  await connection.query('begin')
  const { rows } = await connection.query<{ position: string }>(
    `insert into outbox (id, type, data, created_at) values ($1, 'test', '{}', now()) returning position`,
    [id],
  )
  await connection.query(
    `insert into events (id, type, agent_id, data, created_at) values ($1, 'test', $2, '{}', now())`,
    [id, client],
  )
  const { rows: stored } = await connection.query<{ count: number }>(
    `select idempotency_store(now(), array[(1, $2, $1, $1, 200::smallint, '{}')::idempotency_claim]) as count`,
    [id, client],
  )
  assert.equal(stored[0]!.count, 1)
  const { rows: counted } = await connection.query<{ last_number: unknown }>(
    `insert into event_counters as c (agent_id, last_number) values ($1, $2)
       on conflict (agent_id) do update set last_number = c.last_number + 1 returning last_number`,
    [client, n],
  )
  assert.equal(Number(counted[0]!.last_number), n, 'the last confirmed write is visible')
  await connection.query('delete from outbox where id = $1', [id])
  await connection.query('commit')
  return { id, position: rows[0]!.position }
}
