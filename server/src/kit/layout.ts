/**
 * Where tables live. A database has one schema, `public`, or several: one for each range of logical shards, one for
 * what is global, and one for the feed. Each has a role of its own that has no rights on the others.
 */
import { SHARDS } from './ids.ts'

/** The kinds of tables in a schema. `types` stands for enums and composite types, which all schemas use. */
export type Home = 'shard' | 'global' | 'feed' | 'types'

export interface HomeSchema {
  name: string
  role: string
  homes: readonly Home[]
  /** The first and the last logical shard; none for a schema without shards. */
  range?: readonly [number, number]
}

/** The role of the application in a database with one schema. The migrations name it. */
export const APP_ROLE = 'legwork_app'

const ONE: HomeSchema = {
  name: 'public',
  role: APP_ROLE,
  homes: ['types', 'shard', 'global', 'feed'],
  range: [0, SHARDS - 1],
}

/** The schemas of a market whose logical shards are spread evenly over this many schemas. */
export function schemasOf(count: number): HomeSchema[] {
  if (!Number.isInteger(Math.log2(count)) || count > SHARDS)
    throw new Error(`${count} is not a power of two up to ${SHARDS}`)
  if (count === 1) return [ONE]
  const size = SHARDS / count
  const shards = Array.from({ length: count }, (_, i) =>
    schema(shardName(i, count), ['shard'], [i * size, (i + 1) * size - 1]),
  )
  return [
    { name: 'public', role: APP_ROLE, homes: ['types'] },
    schema('global', ['global']),
    schema('feed', ['feed']),
    ...shards,
  ]
}

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

const schema = (name: string, homes: readonly Home[], range?: readonly [number, number]) => ({
  name,
  role: `${APP_ROLE}_${name}`,
  homes,
  ...(range && { range }),
})

/** Names sort like their ranges. */
const shardName = (i: number, count: number) =>
  `s${String(i).padStart(Math.max(2, String(count - 1).length), '0')}`
