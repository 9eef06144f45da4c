/**
 * The connections to a database that a schema moves from or to. One of them holds a lock for as long as the mover works
 * on the schema and runs every change; others only read, several at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A database, with the URL of a login that may do everything there. */
export interface Place {
  name: string
  url: string
}

export interface OpenPlace extends Place {
  /** Runs on the connection that holds the lock. */
  run: Ask
  /** Runs on any other connection. */
  read: Ask
  close(): Promise<void>
}

export type Ask = <Row extends pg.QueryResultRow = Record<string, unknown>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>

/** The move can't be done as things are. Nothing is lost, and the message says what to do. */
export class MoveRefused extends Error {}

/** Statements that one database runs at once for the mover, besides those that change something. */
export const READERS = 4
/** A mover that was killed keeps its lock until its last statement ends. */
const LOCK_WITHIN_MS = 20_000
const LOCK_EVERY_MS = 100

/** Rows are compared as text, so both sides must write them in the same way. */
const SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'IntervalStyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'search_path=pg_catalog',
  // What the mover waits for is on disk.
  'synchronous_commit=on',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
  // If autovacuum holds a lock, it is cancelled after this time.
  'deadlock_timeout=50ms',
  'lock_timeout=10s',
]

export async function openPlace({ name, url }: Place, schema: string): Promise<OpenPlace> {
  const options = {
    connectionString: url,
    application_name: `legwork move ${schema}`,
    options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
  }
  const client = new pg.Client(options)
  // A broken connection also fails the running statement. Without a listener, its error event would crash the process.
  client.on('error', () => {})
  const readers = new pg.Pool({ ...options, max: READERS, idleTimeoutMillis: 0 })
  readers.on('error', () => {})
  const place: OpenPlace = {
    name,
    url,
    run: async (text, values) => lastRows(await client.query(text, values)),
    read: async (text, values) => lastRows(await readers.query(text, values)),
    async close() {
      await Promise.allSettled([client.end(), readers.end()])
    },
  }
  try {
    await client.connect()
    await takeLock(place, schema)
    return place
  } catch (error) {
    await place.close()
    throw error
  }
}

async function takeLock({ name, run }: OpenPlace, schema: string): Promise<void> {
  const deadline = performance.now() + LOCK_WITHIN_MS
  for (;;) {
    const [row] = await run<{ is_taken: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('legwork move ' || $1, 0)) as is_taken`,
      [schema],
    )
    if (row!.is_taken) return
    if (performance.now() > deadline)
      throw new MoveRefused(`Another process is moving ${schema} in the database ${name}`)
    await sleep(LOCK_EVERY_MS)
  }
}

/** Of several statements, the rows of the last one. */
function lastRows<Row extends pg.QueryResultRow>(
  result: pg.QueryResult<Row> | pg.QueryResult<Row>[],
): Row[] {
  return (Array.isArray(result) ? result.at(-1)! : result).rows
}

/** Runs work in a transaction of the connection that holds the lock. */
export async function inTransaction<T>({ run }: OpenPlace, work: () => Promise<T>): Promise<T> {
  await run('begin')
  try {
    const result = await work()
    await run('commit')
    return result
  } catch (error) {
    // On a broken connection the rollback fails, too. The original error is more useful.
    await run('rollback').catch(() => {})
    throw error
  }
}

export const sqlCode = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** As part of a statement that takes no parameters. */
export const literal = (text: string): string => pg.escapeLiteral(text)
