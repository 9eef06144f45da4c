/** The connections to all schemas of a market: a pool for each one, because each one has its own role. */
import { type CrossingOptions, openCrossings } from './crossings.ts'
import {
  type Db,
  type DbOptions,
  openDb,
  type OpenDb,
  type Place,
  type Shards,
  isUnreachable,
} from './db.ts'
import { shardOf } from './ids.ts'
import { finderOf, type Home, type HomeSchema, MAIN } from './layout.ts'

export interface OpenShards extends Shards {
  checkSession(): Promise<void>
  close(): Promise<void>
}

export interface ShardsOptions extends DbOptions {
  connectionsMax: number
  /** Reads where the schemas are now. */
  readLayout?: () => Promise<readonly HomeSchema[]>
  crossings?: Partial<CrossingOptions>
}

/** Each of several pools has at least this many connections: one that waits for a lock must not stop its schema. */
const CONNECTIONS_MIN = 2
/** A job queue listens with one connection, and takes and ends jobs with the others. */
const QUEUE_CONNECTIONS = 4

export function openShards(
  places: Readonly<Record<string, Place>>,
  schemas: readonly HomeSchema[],
  { readLayout, crossings: crossingOptions, ...options }: ShardsOptions,
): OpenShards {
  const isSpread = Object.keys(places).length > 1
  // Load is never spread evenly, so together they may have twice as many as one pool would have.
  const connectionsMax =
    schemas.length === 1
      ? options.connectionsMax
      : Math.max(CONNECTIONS_MIN, Math.ceil((2 * options.connectionsMax) / (schemas.length - 1)))
  const crossings = openCrossings(() => shards, {
    onError: (error) => options.onError(error as Error),
    ...crossingOptions,
  })
  const dbs = schemas.map((schema) =>
    openDb(places[schema.database]!.url, {
      ...options,
      isThere: places[schema.database]!.isThere,
      connectionsMax: isQueue(schema) ? QUEUE_CONNECTIONS : connectionsMax,
      schema,
      shards: () => shards,
      ...(isSpread && { onCrossing: crossings.cross, onMoved: follow }),
    }),
  )
  const home = (name: Home): Db => dbs.find(({ schema }) => schema.homes.includes(name))!
  const all = dbs.filter(({ schema }) => schema.range !== undefined)
  const find = finderOf(all.map((db) => ({ db, range: db.schema.range! })))

  let reading: Promise<void> | undefined
  /** Connects to the databases in which the schemas are now. Concurrent callers share one look. */
  function follow(): Promise<void> {
    reading ??= moveAll().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function moveAll(): Promise<void> {
    const layout = (await readLayout?.()) ?? []
    for (const db of all) {
      const now = layout.find(({ name }) => name === db.schema.name)
      if (now && now.database !== db.schema.database) db.moveTo(places[now.database]!, now)
    }
  }

  const shards: OpenShards = {
    at: (id) => find(shardOf(id)).db,
    of: (logicalShard) => find(logicalShard).db,
    global: home('global'),
    feed: home('feed'),
    queues: dbs.filter(({ schema }) => schema.homes.includes('types')),
    all,
    readers: all.map(({ reader }) => reader),
    cross: crossings.cross,
    async checkSession() {
      for (const db of dbs)
        await db.checkSession().catch((error: unknown) => {
          // A process can start without one of the other databases.
          if (db.schema.database === MAIN || !isUnreachable(error)) throw error
        })
    },
    async close() {
      await Promise.all(dbs.map((db: OpenDb) => db.close()))
    },
  }
  return shards
}

const isQueue = ({ homes }: HomeSchema) => homes.every((home) => home === 'types')
