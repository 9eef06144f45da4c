/**
 * Where tables live. A market has one schema, `public`, or several: one for each range of logical shards, one for what
 * is global, and one for the feed. Each has a role of its own that has no rights on the others. Schemas of shards can
 * be in several databases, each of which also has `public` for the types.
 */
import { SHARDS } from './ids.ts'

/** The kinds of tables in a schema. `types` stands for enums and composite types, which all schemas use. */
export type Home = 'shard' | 'global' | 'feed' | 'types'

export interface HomeSchema {
  name: string
  /** The name of its database. */
  database: string
  role: string
  homes: readonly Home[]
  /** The first and the last logical shard; none for a schema without shards. */
  range?: readonly [number, number]
}

/** The role of the application in a database with one schema. The migrations name it. */
export const APP_ROLE = 'legwork_app'

/** The database of DATABASE_URL: it has the global tables, the feed, and the list of shards. */
export const MAIN = 'main'

const ONE: HomeSchema = {
  name: 'public',
  database: MAIN,
  role: APP_ROLE,
  homes: ['types', 'shard', 'global', 'feed'],
  range: [0, SHARDS - 1],
}

/** The schemas of a new market, whose logical shards are spread evenly over this many schemas, and over databases. */
export function schemasOf(count: number, databases: readonly string[] = [MAIN]): HomeSchema[] {
  if (!Number.isInteger(Math.log2(count)) || count > SHARDS)
    throw new Error(`${count} is not a power of two up to ${SHARDS}`)
  if (count === 1) {
    if (databases.length > 1) throw new Error('several databases need several schemas: set SHARDS')
    return [ONE]
  }
  const size = SHARDS / count
  const shards = Array.from({ length: count }, (_, i) =>
    schema(shardName(i, count), databases[Math.floor((i * databases.length) / count)]!, ['shard'], {
      range: [i * size, (i + 1) * size - 1],
    }),
  )
  return [
    ...databases.map(typesIn),
    schema('global', MAIN, ['global']),
    schema('feed', MAIN, ['feed']),
    ...shards,
  ]
}

/** What every database of a market with several schemas has: the types, and the job queue. */
export const typesIn = (database: string): HomeSchema => ({
  name: 'public',
  database,
  role: APP_ROLE,
  homes: ['types'],
})

/** Finds what holds a logical shard. */
export function finderOf<T extends { range?: readonly [number, number] }>(
  all: readonly T[],
): (shard: number) => T {
  const byShard: T[] = []
  for (const one of all)
    if (one.range) for (let i = one.range[0]; i <= one.range[1]; i += 1) byShard[i] = one
  return (shard) => {
    const found = byShard[shard]
    if (found === undefined) throw new Error(`no schema holds the logical shard ${shard}`)
    return found
  }
}

const schema = (
  name: string,
  database: string,
  homes: readonly Home[],
  range?: Pick<HomeSchema, 'range'>,
): HomeSchema => ({ name, database, role: `${APP_ROLE}_${name}`, homes, ...range })

/** Names sort like their ranges. */
const shardName = (i: number, count: number) =>
  `s${String(i).padStart(Math.max(2, String(count - 1).length), '0')}`
