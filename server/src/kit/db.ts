import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type Transaction,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { ApiError, unavailable } from './errors.ts'
import { type HomeSchema, schemasOf } from './layout.ts'
import type { Schema } from './schema.ts'
import type { Share } from './share.ts'
import { inSpan } from './traces.ts'

/** For reading: each statement runs on its own. */
export type Reader = Kysely<Schema>
/** For writing: everything done with it is atomic. */
export type Tx = Transaction<Schema>

/** The agent or worker on whose behalf a transaction runs. */
export interface Tenant {
  agentId?: string | undefined
  workerId?: string | undefined
}

/** The connections to one schema. */
export interface Db {
  /** If the schema is moved to another database, this changes, and later transactions run there. */
  readonly schema: HomeSchema
  /** The connections to the other schemas, and to this one. */
  readonly shards: Shards
  readonly reader: Reader
  /**
   * Commits when `work` returns, rolls back when it throws. `work` may run again after a deadlock. With a tenant,
   * tables with row-level security show only that tenant's rows.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, tenant?: Tenant): Promise<T>
  /** One prepared statement in one round trip, for hot paths. */
  call<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** Throws if connections lack the role or a time limit that `openDb` asks for: a pooler may drop these silently. */
  checkSession(): Promise<void>
  /** Whether the database has stopped responding. Until it responds again, every use fails at once. */
  isAway(): boolean
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** A database as processes connect to it. */
export interface Place {
  url: string
  /** Called when a statement has no response for a while, to avoid waiting for a frozen database. */
  isThere?: (() => Promise<boolean>) | undefined
}

export interface OpenDb extends Db {
  /** Continues in another database: the schema is there now. */
  moveTo(place: Place, schema: HomeSchema): void
}

/** The connections to all schemas. With one schema, all of these are the same. */
export interface Shards {
  /** The shard of an agent, a worker, or anything else whose id contains its shard. */
  at(id: string): Db
  /** The shard by the number of the logical one. */
  of(logicalShard: number): Db
  /** Directories and what belongs to the platform. */
  readonly global: Db
  readonly feed: Db
  /** The job queue of every database, that of the global schema first. */
  readonly queues: readonly Db[]
  /** Does what transactions of this schema still have to do in these schemas of other databases. */
  cross(db: Db, homes: readonly string[]): Promise<void>
  /** Every shard, for sums and for timers. */
  readonly all: readonly Db[]
  /** The readers of every shard. */
  readonly readers: readonly Reader[]
}

// Money is stored as bigint; a number beyond 2^53 would be rounded silently.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
})
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const POSTGRES = { attributes: { 'db.system.name': 'postgresql' } }
const ATTEMPTS_MAX = 4
const CLOSE_MAX_MS = 15_000
/** A new connection plans every statement again. With many schemas, each one is used seldom. */
const IDLE_MAX_MS = 300_000
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'
const READ_ONLY = '25006'
const NAME_BYTES_MAX = 63
const POOLER_LOOKS = 5
/** Raised by the tables of a schema that was moved to another database. */
const MOVED = 'LW001'
/** A schema without the right to use it is ignored, so its tables and functions don't exist. */
const MAYBE_MOVED = [MOVED, '42501', '42P01', '42883']
/** How long a transaction waits for a schema that is being moved. The pause of a move is shorter. */
const MOVE_MAX_MS = 6_000
const MOVE_LOOK_MS = 50
const RETIRE_LOOK_MS = 20
/** What shards_send tells the client, with the name of the schema that has something to receive. */
const CROSSING = 'legwork crossing '
/** One money movement per key, one slot of a task per worker: on retry, the loser sees the winner's row. */
const ONCE = ['transfers_pkey', 'assignments_one_per_worker']

export interface DbOptions {
  connectionsMax?: number
  slowestMs?: number
  /** How long a new connection may take. */
  connectMs?: number
  schema?: HomeSchema
  /** All schemas, once they are opened; by default this one is the only one. */
  shards?: () => Shards
  isThere?: Place['isThere']
  /**
   * Called after the commit of a transaction that has something to do in schemas of other databases, before its result
   * is returned. It does not throw.
   */
  onCrossing?: (db: Db, homes: string[]) => Promise<void>
  /** Called when the schema may have been moved to another database: finds out, and calls `moveTo`. */
  onMoved?: () => Promise<void>
  /** Every use of a connection waits for a slot in this share. */
  share?: Share
  /** Called with the seconds that a caller waited for a connection, whether or not it got one. */
  onWait?: ((seconds: number) => void) | undefined
  onError(error: Error): void
}

export function openDb(
  url: string,
  {
    slowestMs = 10_000,
    isThere,
    schema: firstSchema = schemasOf(1)[0]!,
    shards,
    onCrossing,
    onMoved,
    share,
    ...ofPool
  }: DbOptions,
): OpenDb {
  const session = sessionSettings(firstSchema, slowestMs)
  const crossings = hearCrossings(onCrossing)
  const openAt = (at: Place) =>
    openPool(at, { ...ofPool, slowestMs, session, onNotice: crossings.hear })

  let schema = firstSchema
  let place = openAt({ url, isThere })
  const connect = () => place.pool.connect()
  const kysely = new Kysely<Schema>({
    dialect: new ShardDialect(
      {
        pool: {
          connect: share ? sharing(connect, share) : connect,
          end: async () => {},
          options: place.pool.options,
        },
      },
      onMoved ? isElsewhere : undefined,
    ),
  })

  /** Whether the statement failed because its schema is being moved, or was moved. Waits until it can be repeated. */
  async function isElsewhere(error: unknown, sinceMs: number): Promise<boolean> {
    if (!onMoved || !MAYBE_MOVED.includes(String((error as { code?: unknown }).code))) return false
    const { database } = schema
    await onMoved()
    if (schema.database !== database) return true
    if (performance.now() - sinceMs > MOVE_MAX_MS) return false
    await sleep(MOVE_LOOK_MS)
    return true
  }

  const repeat = <T>(work: () => Promise<T>): Promise<T> =>
    repeatFailed(work, {
      isElsewhere,
      refuse: (error) => refusal(error, place),
      onDone: (startedMs) => crossings.follow(db, startedMs),
    })

  const db: OpenDb = {
    get schema() {
      return schema
    },
    get shards() {
      return shards?.() ?? alone
    },
    reader: kysely,
    get pool() {
      return place.pool
    },
    transaction: (work, tenant) =>
      inSpan('transaction', POSTGRES, () =>
        repeat(() => {
          const run = (tx: Tx) => beginAs.run(undefined, () => work(tx))
          return beginAs.run(tenant, () =>
            kysely.transaction().execute(share ? (tx) => hasSlot.run(true, () => run(tx)) : run),
          )
        }),
      ),
    call: <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
      inSpan(`call ${name}`, POSTGRES, () =>
        repeat(async () => {
          const leave = share && (await enter(share))
          return (await place.pool.query<Row>({ name, text, values }).finally(leave)).rows
        }),
      ),
    checkSession: () => checkSession(place.pool, session),
    isAway: () => place.absence.isAway(),
    moveTo(next, moved) {
      const left = place
      place = openAt(next)
      schema = moved
      void left.retire()
    },
    async close() {
      await kysely.destroy()
      await place.close()
    },
  }
  const alone = shardsOfOne(db)
  return db
}

/** Runs something that is a transaction of its own again after a conflict, and after a move of its schema. */
async function repeatFailed<T>(
  work: () => Promise<T>,
  {
    isElsewhere,
    refuse,
    onDone,
  }: {
    isElsewhere: IsElsewhere
    refuse(error: unknown): unknown
    onDone(startedMs: number): Promise<void>
  },
): Promise<T> {
  const startedMs = performance.now()
  for (let attempt = 1; ; ) {
    let result: T
    try {
      result = await work()
    } catch (error) {
      if (isConflict(error) && attempt < ATTEMPTS_MAX) attempt += 1
      else if (!(await isElsewhere(error, startedMs))) throw refuse(error)
      continue
    }
    await onDone(startedMs)
    return result
  }
}

type Opened = ReturnType<typeof openPool>

/** The connections of one role to one database. */
function openPool(
  { url, isThere = async () => true }: Place,
  {
    connectionsMax = 16,
    slowestMs,
    // Together with SILENT_MS and the probe's timeout, a request on a frozen database is refused within 9 seconds.
    connectMs = 4_000,
    session,
    onWait,
    onNotice,
    onError,
  }: Pick<DbOptions, 'connectionsMax' | 'connectMs' | 'onWait' | 'onError'> &
    Required<Pick<DbOptions, 'slowestMs'>> & {
      session: Record<string, string>
      onNotice(message: string): void
    },
) {
  const absence = watchAbsence(isThere)
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MAX_MS,
    connectionTimeoutMillis: connectMs,
    Client: watchedClient({ longestMs: slowestMs + 5_000, isLost: absence.isLost }),
    keepAlive: true,
    application_name: 'legwork',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  })
  absence.refuseWhileAway(pool)
  if (onWait) reportWaits(pool, onWait)
  // The pool replaces a broken idle connection; without a listener, its error would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // The same holds for a connection in use. Its error needs no handling: its current or next query fails.
    client.on('error', () => {})
    client.on('notice', ({ message = '' }) => onNotice(message))
  })
  return {
    pool,
    absence,
    /** Closes the pool when nobody waits for a connection any more: a pool that ends gives nobody one. */
    async retire() {
      while (pool.waitingCount > 0) await sleep(RETIRE_LOOK_MS)
      await this.close()
    },
    async close() {
      absence.close()
      // An abandoned job runner never returns its connection, and the pool would wait for it forever.
      const isEnded = await Promise.race([
        pool.end().then(() => true),
        sleep(CLOSE_MAX_MS, false, { ref: false }),
      ])
      if (!isEnded) for (const client of openClients(pool)) client.connection.stream.destroy()
    },
  }
}

/** The schemas of other databases in which transactions have something to do. PostgreSQL tells by a notice. */
function hearCrossings(onCrossing: DbOptions['onCrossing']) {
  /** By the name of a schema, when a transaction last had something to do there. */
  const heardMs = new Map<string, number>()
  return {
    hear(message: string): void {
      if (message.startsWith(CROSSING))
        heardMs.set(message.slice(CROSSING.length), performance.now())
    },
    /**
     * Called after a commit, whose notices came before it was confirmed. If another transaction had the same to do
     * meanwhile, it is done for both.
     */
    async follow(db: Db, sinceMs: number): Promise<void> {
      if (heardMs.size === 0 || !onCrossing || isCrossing.getStore() === true) return
      const homes = [...heardMs].filter(([, atMs]) => atMs >= sinceMs).map(([home]) => home)
      if (homes.length > 0) await onCrossing(db, homes)
    },
  }
}

function refusal(error: unknown, { absence }: Opened): unknown {
  const translated = translate(error)
  // If no connection could be acquired, find out whether all are in use or the database is unreachable.
  if (translated !== error) void absence.isLost()
  return translated
}

const shardsOfOne = (db: Db): Shards => ({
  at: () => db,
  of: () => db,
  global: db,
  feed: db,
  queues: [db],
  cross: async () => {},
  all: [db],
  readers: [db.reader],
})

/**
 * Runs `work` in the schema of `target`: in `tx`, a transaction of `db`, if that is the same schema, otherwise in a
 * transaction of its own, which commits first.
 */
export const runIn = <T>(
  target: Db,
  { db, tx }: { db: Db; tx: Tx },
  work: (tx: Tx) => Promise<T>,
): Promise<T> => (target === db ? work(tx) : target.transaction(work))

/** Whether a transaction of one can include the other. */
export const areTogether = (one: Db, other: Db): boolean =>
  one.schema.database === other.schema.database

/** Finds a row by an id that isn't ours, and so doesn't contain its shard. */
export async function findAnywhere<T>(
  { readers }: Shards,
  find: (reader: Reader) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await Promise.all(readers.map(find))
  return found.find((one) => one !== undefined)
}

/** The driver has no public list of them. */
const openClients = (pool: pg.Pool) => (pool as unknown as { _clients: Socketed[] })._clients

/** As PostgreSQL shows them: times in milliseconds. */
const sessionSettings = (
  { name, role, homes }: HomeSchema,
  slowestMs: number,
): Record<string, string> => ({
  role,
  // A database with one schema has the default path, which a pooler needs no setting for.
  ...(homes.includes('types') ? {} : { search_path: `${name},public` }),
  TimeZone: 'UTC',
  lock_timeout: '8000',
  statement_timeout: String(slowestMs),
  idle_in_transaction_session_timeout: '15000',
})

async function checkSession(pool: pg.Pool, session: Record<string, string>): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select 'role' as name, current_setting('role') as setting
      union all select name, setting from pg_settings where name = any($1) order by 1`,
    [Object.keys(session)],
  )
  const wrong = rows
    .filter(({ name, setting }) => setting !== session[name])
    .map(({ name, setting }) => `${name} is ${setting} instead of ${session[name]}`)
  if (wrong.length > 0)
    throw new Error(
      `Refusing to start: on the connections of DATABASE_URL, ${wrong.join(', ')}. If it leads to a pooler, ` +
        'give the login these settings: docs/postgres.md#pooler',
    )
}

/**
 * Throws if `url` leads to a pooler in transaction mode, where session locks, `LISTEN` and settings of a session are
 * lost or reach another client. While two clients are connected, PostgreSQL serves each with a process of its own;
 * such a pooler serves the second with the process that has just served the first. A busy pooler may take another
 * one, hence several attempts.
 */
export async function refuseTransactionPooler(url: string, reason: string): Promise<void> {
  const clients = [1, 2].map(() => {
    const client = new pg.Client({ connectionString: url, application_name: 'legwork start' })
    // A broken connection also fails its query. Without a listener, its error event would crash the process.
    return client.on('error', () => {})
  })
  try {
    for (const client of clients) await client.connect()
    for (let attempt = 1; attempt <= POOLER_LOOKS; attempt += 1) {
      const [one, other] = [await servingProcess(clients[0]!), await servingProcess(clients[1]!)]
      if (one === other)
        throw new Error(
          'Refusing to start: two connections share one process of PostgreSQL, as behind a pooler in ' +
            `transaction mode. ${reason} needs a direct connection: docs/postgres.md#pooler`,
        )
    }
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

async function servingProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/** The pool's own queries, Kysely and the job queue all get their connections by `connect`. */
function reportWaits(pool: pg.Pool, onWait: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown
  pool.connect = ((callback?: (...results: unknown[]) => void) => {
    const startedMs = performance.now()
    const end = () => onWait((performance.now() - startedMs) / 1000)
    if (callback)
      return connect((...results: unknown[]) => {
        end()
        callback(...results)
      })
    const connecting = connect() as Promise<unknown>
    connecting.then(end, end)
    return connecting
  }) as typeof pool.connect
}

/** Without a response for this long, check whether the database is reachable at all. */
const SILENT_MS = 2_500
const LOOK_AGAIN_MS = 500

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

/** The driver's types don't include these. */
type Socketed = pg.Client & {
  connection: {
    stream: Socket
    on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void
  }
}

/**
 * A standby reports `in_hot_standby` when a connection starts. A balancer that has not noticed a failover yet may send
 * us there, and what we would read could be older than what a client was told.
 */
function refuseStandby(client: pg.Client): void {
  const { connection } = client as Socketed
  connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'in_hot_standby' && parameterValue === 'on')
      connection.stream.destroy(new Error('the database server is a standby'))
  })
}

/**
 * A connection that closes itself if a statement gets no response: because the database is frozen or unreachable, or
 * because the statement exceeds even the database's own timeout. The driver's timeout only stops waiting, and the late
 * response would be mistaken for that of the next statement. Closing the connection also ends its transaction. It also
 * closes if the database refuses to write: after a failover, that server stays read-only for this connection.
 */
function watchedClient({
  longestMs,
  isLost,
}: {
  longestMs: number
  isLost: () => Promise<boolean>
}): typeof pg.Client {
  function watch(client: pg.Client): (error?: unknown) => void {
    const begun = performance.now()
    let isEnded = false
    let timer = setTimeout(() => void look(), SILENT_MS)
    async function look(): Promise<void> {
      const isLate = performance.now() - begun >= longestMs
      const mustClose = isLate || (await isLost())
      if (isEnded) return
      if (mustClose) (client as Socketed).connection.stream.destroy(new Error('Query read timeout'))
      else timer = setTimeout(() => void look(), SILENT_MS)
    }
    return (error) => {
      isEnded = true
      clearTimeout(timer)
      if ((error as { code?: unknown } | null | undefined)?.code === READ_ONLY)
        (client as Socketed).connection.stream.destroy()
    }
  }

  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      refuseStandby(this)
      const query = this.query.bind(this) as (...args: unknown[]) => unknown
      this.query = ((...args: unknown[]) => {
        const end = watch(this)
        const callback = args.at(-1)
        if (typeof callback === 'function')
          args[args.length - 1] = (...results: unknown[]) => {
            end(results[0])
            callback(...results)
          }
        const answer = query(...args)
        if (answer instanceof Promise) answer.then(() => end(), end)
        // Other queries use a callback, or are streams, which we don't use.
        else if (typeof callback !== 'function') end()
        return answer
      }) as typeof this.query
    }
  }
}

/**
 * A circuit breaker: if a statement and then the probe got no response, all connection attempts fail immediately until
 * the probe succeeds again.
 */
function watchAbsence(isThere: () => Promise<boolean>) {
  let isAway = false
  let isClosed = false

  async function waitForReturn(): Promise<void> {
    while (!isClosed && !(await isThere()))
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS).unref())
    isAway = false
  }

  async function isLost(): Promise<boolean> {
    if (!(await isThere()) && !isAway) {
      isAway = true
      void waitForReturn()
    }
    return isAway
  }

  /** The pool's own queries, Kysely and the job queue all go through this. */
  function refuseWhileAway(pool: pg.Pool): void {
    const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown
    pool.connect = ((callback?: (error: Error) => void) => {
      if (!isAway) return connect(callback)
      const error = new Error('the database did not answer within its time')
      if (!callback) return Promise.reject(error)
      setImmediate(callback, error)
      return undefined
    }) as typeof pool.connect
  }

  return {
    isAway: () => isAway,
    isLost,
    refuseWhileAway,
    close: () => {
      isClosed = true
    },
  }
}

/**
 * A separate connection outside the pool for queries that must return quickly: whether the database is reachable, what
 * time it is. A busy pool does not delay them. A connection that misses its timeout is closed: its late response would
 * be mistaken for that of the next query.
 */
export function openProbe(url: string, { timeoutMs = 2_000 }: { timeoutMs?: number } = {}) {
  let client: pg.Client | undefined
  let last: Promise<unknown> = Promise.resolve()
  let looking: Promise<boolean> | undefined

  function drop(): void {
    const dropped = client
    client = undefined
    if (!dropped) return
    dropped.removeAllListeners('error').on('error', () => {})
    void dropped.end().catch(() => {})
    ;(dropped as Socketed).connection.stream.destroy()
  }

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'legwork-probe',
      options: `-c role=legwork_app -c timezone=UTC -c statement_timeout=${timeoutMs}`,
    })
    refuseStandby(made)
    made.on('error', drop)
    client = made
    await made.connect()
    return made
  }

  async function askOnce<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(new Error(`the database did not answer within ${timeoutMs} ms`))
    // If this process itself was busy, the response may already be in the socket; `setImmediate` lets it be read first.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
    try {
      const ready = client ? Promise.resolve(client) : connect()
      const { rows } = await Promise.race([ready.then((made) => made.query<Row>(text)), late])
      return rows[0]!
    } catch (error) {
      drop()
      throw translate(error)
    } finally {
      clearTimeout(timer)
    }
  }

  function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const asked = last.catch(() => {}).then(() => askOnce<Row>(text))
    last = asked
    return asked
  }

  return {
    /** Returns the first row. Queries run one after the other; each timeout starts when its query is sent. */
    ask,
    /** Whether the database responds at all. Concurrent callers share one query. */
    isThere(): Promise<boolean> {
      looking ??= ask('select 1')
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          looking = undefined
        })
      return looking
    },
    async close(): Promise<void> {
      await last.catch(() => {})
      drop()
    },
  }
}

/** True for what the crossing itself does: it would wait for itself. */
export const isCrossing = new AsyncLocalStorage<boolean>()

/** Tells the driver, which begins the transaction, for which tenant it runs. */
const beginAs = new AsyncLocalStorage<Tenant | undefined>()

/** Whether a failed statement can be repeated, because its schema was moved to another database. */
type IsElsewhere = (error: unknown, sinceMs: number) => Promise<boolean>

/**
 * Sets the tenant in the same round trip that begins a transaction. Repeats statements outside of transactions in the
 * database to which their schema was moved.
 */
class ShardDriver extends PostgresDriver {
  readonly #isElsewhere: IsElsewhere | undefined
  readonly #known = new WeakSet<DatabaseConnection>()
  readonly #inTransaction = new WeakSet<DatabaseConnection>()

  constructor(config: PostgresDialectConfig, isElsewhere: IsElsewhere | undefined) {
    super(config)
    this.#isElsewhere = isElsewhere
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (this.#isElsewhere && !this.#known.has(connection))
      this.#repeatElsewhere(connection, this.#isElsewhere)
    return connection
  }

  #repeatElsewhere(connection: DatabaseConnection, isElsewhere: IsElsewhere): void {
    this.#known.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      const startedMs = performance.now()
      try {
        return await execute<Row>(query)
      } catch (error) {
        if (this.#inTransaction.has(connection) || !(await isElsewhere(error, startedMs)))
          throw error
        // The first connection keeps its slot of the share until this returns.
        const next = await hasSlot.run(true, () => this.acquireConnection())
        try {
          return await next.executeQuery<Row>(query)
        } finally {
          await this.releaseConnection(next)
        }
      }
    }
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    this.#inTransaction.add(connection)
    const who = settingsOf(beginAs.getStore())
    if (who === '' || settings.isolationLevel || settings.accessMode)
      return super.beginTransaction(connection, settings)
    await connection.executeQuery(CompiledQuery.raw(`begin; ${who}`))
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction.delete(connection)
    return super.releaseConnection(connection as Parameters<PostgresDriver['releaseConnection']>[0])
  }
}

class ShardDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #isElsewhere: IsElsewhere | undefined

  constructor(config: PostgresDialectConfig, isElsewhere: IsElsewhere | undefined) {
    super(config)
    this.#config = config
    this.#isElsewhere = isElsewhere
  }

  override createDriver(): Driver {
    return new ShardDriver(this.#config, this.#isElsewhere)
  }
}

const TENANT_ID = /^(?:agent|worker)_[0-9a-z]{26}$/

/** `set local` takes no parameters, so an id is interpolated only if it matches the pattern. */
const settingsOf = ({ agentId, workerId }: Tenant = {}): string =>
  Object.entries({ agent_id: agentId, worker_id: workerId })
    .filter(([, id]) => id !== undefined && TENANT_ID.test(id))
    .map(([name, id]) => `set local legwork.${name} = '${id}'`)
    .join('; ')

/**
 * True inside a transaction that has a slot of a share. It needs none for a transaction in another schema: with every
 * slot taken by a transaction that waits for a second one, all would wait.
 */
const hasSlot = new AsyncLocalStorage<boolean>()

const enter = async (share: Share): Promise<() => void> =>
  hasSlot.getStore() === true ? () => {} : share.enter()

/** The connections as Kysely uses them, each with a slot of the share. */
const sharing = (connect: pg.Pool['connect'], share: Share) => async () => {
  const leave = await enter(share)
  try {
    const client = await connect()
    const release = client.release.bind(client)
    client.release = (error) => {
      release(error)
      leave()
    }
    return client
  } catch (error) {
    leave()
    throw error
  }
}

/** A concurrent transaction won the race: on retry, this one sees its result. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (
    code === SERIALIZATION_FAILURE ||
    code === DEADLOCK ||
    (code === UNIQUE_VIOLATION && ONCE.some((constraint) => violates(error, constraint)))
  )
}

/** An unreachable database is not a defect: the caller gets a 503 and can retry. */
export function translate(error: unknown): unknown {
  return isUnreachable(error) && !(error instanceof ApiError)
    ? Object.assign(unavailable({ retry_after_seconds: 1 }), { cause: error })
    : error
}

/** Whether something failed because its database can't be reached, or is too busy. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'unavailable'
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return UNREACHABLE_CODE.test(code) || UNREACHABLE_MESSAGE.test(error.message)
}

// Connection lost, out of resources, shutting down, its disk gone; read-only after a failover; idle, lock or statement
// timeout; a schema that is being moved: in all of these cases a retry may succeed.
const UNREACHABLE_CODE = new RegExp(
  `^(08...|53...|57P0.|58030|25006|25P03|55P03|57014|${MOVED}|` +
    'ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$',
)
const UNREACHABLE_MESSAGE = new RegExp(
  [
    'Connection terminated',
    'connection error',
    'Query read timeout',
    'did not answer within',
    'trying to connect',
    'Cannot use a pool',
    'not currently accepting',
    'is a standby',
  ].join('|'),
)

/**
 * Whether the error is a violation of this constraint. Citus appends `_` and the number of its shard to the name. If
 * PostgreSQL's 63 bytes are too few for that, it cuts the name and puts `_` and a hash of eight digits in between.
 */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: unknown; constraint?: unknown }
  if (typeof code !== 'string' || !code.startsWith('23') || typeof name !== 'string') return false
  if (name === constraint) return true
  const ofShard = name.replace(/_\d+$/, '')
  if (ofShard === name) return false
  const cut = name.length === NAME_BYTES_MAX ? ofShard.replace(/_[0-9a-f]{8}$/, '') : ofShard
  return ofShard === constraint || (cut !== ofShard && constraint.startsWith(cut))
}
