import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { unavailable } from './errors.ts'
import type { Schema } from './schema.ts'

/** For reading: each statement on its own. */
export type Reader = Kysely<Schema>
/** For writing: what is done with it is done whole or not at all. */
export type Tx = Transaction<Schema>

export interface Db {
  readonly reader: Reader
  /** Commits when `work` returns, rolls back when it throws. `work` may run again after a deadlock. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One prepared statement in one round trip, for the hot paths. */
  call<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// Money is counted in bigint; a number beyond 2^53 would be rounded in silence.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
})
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const ATTEMPTS_MAX = 4
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'
/** One movement of money under one key, one slot of a task per worker: the second sees what the first has done. */
const ONCE = ['transfers_pkey', 'assignments_one_per_worker']

export function openDb(
  url: string,
  {
    connectionsMax = 16,
    slowestMs = 10_000,
    onError,
  }: { connectionsMax?: number; slowestMs?: number; onError(error: Error): void },
): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    // A lost answer must not hold a request for ever (a black-holed network gives no error).
    query_timeout: slowestMs + 5_000,
    keepAlive: true,
    application_name: 'legwork',
    options:
      '-c role=legwork_app -c lock_timeout=8s -c timezone=UTC ' +
      `-c statement_timeout=${slowestMs} -c idle_in_transaction_session_timeout=15s`,
  })
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', onError)
  // So would that of one in use. It needs no other word: its query, or the next one, fails and says so.
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })

  return {
    reader: kysely,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await kysely.transaction().execute(work)
        } catch (error) {
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw translate(error)
        }
      }
    },
    async call<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await pool.query<Row>({ name, text, values })).rows
        } catch (error) {
          // The statement was its own transaction, and is undone.
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw translate(error)
        }
      }
    },
    async close() {
      await kysely.destroy()
      // Kysely ends the pool only if it has ever used it.
      if (!pool.ended) await pool.end()
    },
  }
}

/** Two came at once, and this one second: tried again, it sees what the first has done. */
function isConflict(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return (
    code === SERIALIZATION_FAILURE ||
    code === DEADLOCK ||
    (code === UNIQUE_VIOLATION && ONCE.includes(String(constraint)))
  )
}

/** A database that can't be reached is not our defect: the caller is told to come back. */
export function translate(error: unknown): unknown {
  return isUnreachable(error)
    ? Object.assign(unavailable({ retry_after_seconds: 1 }), { cause: error })
    : error
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return UNREACHABLE_CODE.test(code) || UNREACHABLE_MESSAGE.test(error.message)
}

// Connection lost, out of resources, shutting down; read-only after a failover, cut off while idle, too long in the
// queue for a lock, or too slow altogether: in all of these the same call may succeed in a moment.
const UNREACHABLE_CODE =
  /^(08...|53...|57P0.|25006|25P03|55P03|57014|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/
const UNREACHABLE_MESSAGE = new RegExp(
  [
    'Connection terminated',
    'connection error',
    'Query read timeout',
    'trying to connect',
    'Cannot use a pool',
    'not currently accepting',
  ].join('|'),
)

export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return typeof code === 'string' && code.startsWith('23') ? String(constraint) : undefined
}
