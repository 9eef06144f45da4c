/** Show where the logical shards are: each schema with its range, its last migration and its size. */
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import { command } from './command.ts'

export interface ShownSchema {
  schema: string
  database: string
  holds: string[]
  /** The first and the last logical shard; null for a schema without shards. */
  range: [number, number] | null
  last_migration: string | null
  bytes: number
  connections: number
  /** Changes that wait for a schema of another database. */
  crossings: number
}

async function readSchema({ schema, reader, pool }: Db): Promise<ShownSchema> {
  const { rows } = await sql<Pick<ShownSchema, 'last_migration' | 'bytes' | 'crossings'>>`
    select (select max(name) from migrations where name <> 'functions') as last_migration,
           (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r') as bytes,
           ${schema.range ? sql`(select count(*) from crossings)` : sql`0`}::integer as crossings`.execute(
    reader,
  )
  const { name, database, homes, range } = schema
  return {
    schema: name,
    database,
    holds: homes.filter((home) => home !== 'types'),
    range: range ? [range[0], range[1]] : null,
    ...rows[0]!,
    connections: pool.options.max,
  }
}

export const shards = command({
  name: 'shards',
  takes: '[--json]',
  does: 'show each schema: its logical shards, last migration and size; exit 1 if their migrations differ',
  right: 'operate',
  isLook: true,
  async run({ db }) {
    const { all, global, feed } = db.shards
    const schemas = await Promise.all([...new Set([...all, global, feed])].map(readSchema))
    return {
      data: { schemas },
      isBad: new Set(schemas.map(({ last_migration }) => last_migration)).size > 1,
    }
  },
})
