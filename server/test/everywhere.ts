import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db } from '../src/kit/db.ts'
import type { Schema } from '../src/kit/schema.ts'

const IDLE_MS = 1000

/**
 * With several schemas: reads all of them through the views of all-shards.sql, as their owner. It writes nothing: a test
 * that writes selects a schema.
 */
export function everywhere(db: Db, url: string): Db {
  if (db.shards.all.length === 1) return db
  const pool = new pg.Pool({
    connectionString: url,
    options: '-c timezone=UTC',
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  return {
    schema: db.schema,
    shards: db.shards,
    reader: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    transaction() {
      throw new Error('select the schema of an id: market.at(id).transaction(…)')
    },
    call: async (_name, text, values) => (await pool.query(text, values)).rows,
    checkSession: async () => {},
    isAway: () => false,
    close: () => pool.end(),
  }
}
