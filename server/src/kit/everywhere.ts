/**
 * Figures over everybody: each shard computes its own, and these functions combine them. A statement can't join two
 * shards, nor a shard with the global tables.
 */
import { type Reader, type Shards, isUnreachable } from './db.ts'

/** Where such figures are read: every shard, and the tables that belong to no shard. */
export interface Everywhere {
  shards: readonly Reader[]
  global: Reader
}

/** Where to read a table that the shards have, and the global schema too. */
export const placesOf = ({ shards, global }: Everywhere): readonly Reader[] =>
  shards.includes(global) ? shards : [...shards, global]

export const readShards = <T>(
  shards: readonly Reader[],
  read: (shard: Reader) => Promise<T>,
): Promise<T[]> => Promise.all(shards.map(read))

/** The same for pages that are useful without some of the shards: leaves out those whose database can't be reached. */
export async function readReachable<T>(
  shards: readonly Reader[],
  read: (shard: Reader) => Promise<T>,
): Promise<T[]> {
  const parts = await Promise.allSettled(shards.map(read))
  const found = parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []))
  const errors = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []))
  const defect = errors.find((error) => !isUnreachable(error))
  if (defect !== undefined) throw defect
  return found
}

/** Reads rows of these ids, each from its own shard: one statement for each shard that has some. */
export async function readByIds<T>(
  shards: Pick<Shards, 'at'>,
  ids: Iterable<string>,
  read: (shard: Reader, ids: string[]) => Promise<T[]>,
): Promise<T[]> {
  const byShard = Map.groupBy(new Set(ids), (id) => shards.at(id))
  const parts = await Promise.all([...byShard].map(([{ reader }, some]) => read(reader, some)))
  return parts.flat()
}

/** Does the work in every place, also if it fails in some; then it throws what failed. */
export async function tryEach<Place>(
  places: Iterable<Place>,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const place of places) await work(place).catch((error: unknown) => failures.push(error))
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} places failed`)
  if (failures.length === 1) throw failures[0]
}

/** Adds up the parts, field by field. */
export function addUp<Field extends string>(
  fields: readonly Field[],
  parts: readonly Readonly<Record<Field, number>>[],
): Record<Field, number> {
  const total = (field: Field) => parts.reduce((sum, part) => sum + part[field], 0)
  return Object.fromEntries(fields.map((field) => [field, total(field)])) as Record<Field, number>
}

/** Null if there is none. */
export function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known))
}

type Key = Date | number | string | null

/** An ascending order like `order by` of these keys: null comes last. For a descending one, negate a number. */
export function orderBy<T>(...keys: ((row: T) => Key)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compare(key(a), key(b))
      if (order !== 0) return order
    }
    return 0
  }
}

function compare(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : Number(a > b)
}

/** Merges lists that are in this order. Each needs only its own first `limit` rows. */
export const mergeSorted = <T>(
  order: (a: T, b: T) => number,
  parts: readonly (readonly T[])[],
  limit = Infinity,
): T[] => parts.flat().sort(order).slice(0, limit)
