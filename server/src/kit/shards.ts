/** The connections to all schemas of a database: a pool for each one, because each one has its own role. */
import { type Db, type DbOptions, openDb, type Shards } from './db.ts'
import { shardOf } from './ids.ts'
import { finderOf, type Home, type HomeSchema } from './layout.ts'

export interface OpenShards extends Shards {
  checkSession(): Promise<void>
  close(): Promise<void>
}

/** Each of several pools has at least this many connections: one that waits for a lock must not stop its schema. */
const CONNECTIONS_MIN = 2

export function openShards(
  url: string,
  schemas: readonly HomeSchema[],
  options: DbOptions & { connectionsMax: number },
): OpenShards {
  const used = schemas.filter(({ homes }) => homes.some((home) => home !== 'types'))
  // Load is never spread evenly, so together they may have twice as many as one pool would have.
  const connectionsMax =
    used.length === 1
      ? options.connectionsMax
      : Math.max(CONNECTIONS_MIN, Math.ceil((2 * options.connectionsMax) / used.length))
  const dbs = used.map((schema) =>
    openDb(url, { ...options, connectionsMax, schema, shards: () => shards }),
  )
  const home = (name: Home): Db => dbs.find(({ schema }) => schema.homes.includes(name))!
  const all = dbs.filter(({ schema }) => schema.range !== undefined)
  const find = finderOf(all.map((db) => ({ db, range: db.schema.range! })))
  const shards: OpenShards = {
    at: (id) => find(shardOf(id)).db,
    of: (logicalShard) => find(logicalShard).db,
    global: home('global'),
    feed: home('feed'),
    all,
    readers: all.map(({ reader }) => reader),
    async checkSession() {
      for (const db of dbs) await db.checkSession()
    },
    async close() {
      await Promise.all(dbs.map((db) => db.close()))
    },
  }
  return shards
}
