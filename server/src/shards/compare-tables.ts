/**
 * Compares the tables of a schema in two databases: the number of rows, and a sum of hashes of all rows, which does not
 * depend on their order. A row is hashed as text.
 *
 * Large tables would take longer than writers may wait. They are compared in two parts:
 *
 * 1. `verifyEarly`, while writers go on, hashes all rows in buckets by their keys. The copy is read after it has
 *    replayed what the original had. Buckets in which rows changed meanwhile are read again, a few times.
 * 2. `compareTables`, while writers wait, hashes the rows of the buckets that never agreed, and all rows that the
 *    original changed since the first part (their xmin says so), which are looked up in the copy by their keys. It
 *    counts all rows on both sides, so rows that only one side has deleted are found, too.
 *
 * The second part relies on one thing: that nobody but the replication writes to the copy. Its role has no rights
 * there until the schema has moved.
 */
import { type Ask, type OpenPlace } from './move-place.ts'
import { type MovedTable } from './moved-tables.ts'

/** A large table whose rows were compared before the pause. */
export interface Verified {
  table: MovedTable
  /** The oldest transaction whose changes may not have been compared. */
  since: string
  /** Buckets that differed in every round. */
  open: number[]
}

const BUCKETS = 4096
const ROUNDS = 4

const bucketOf = ({ key }: MovedTable) =>
  `(hashtextextended(row(${key.map((column) => `x.${column}`).join(', ')})::text, 0) & ${BUCKETS - 1})::integer`
const SUM = `count(*)::text as rows, coalesce(sum(hashtextextended(x::text, 0)), 0)::text as hash`

interface Sum {
  rows: string
  hash: string
}

/** Splits tables by what may be hashed as a whole while writers wait. The smallest are taken first. */
export function splitBySize(
  tables: readonly MovedTable[],
  bytesMax: number,
): { whole: MovedTable[]; large: MovedTable[] } {
  let bytes = 0
  const whole: MovedTable[] = []
  const large: MovedTable[] = []
  for (const table of [...tables].sort((one, other) => one.bytes - other.bytes)) {
    bytes += table.bytes
    if (bytes <= bytesMax || table.bytes === 0) whole.push(table)
    else large.push(table)
  }
  return { whole, large }
}

/** `catchUp` waits until the copy has replayed everything that the original has committed so far. */
export async function verifyEarly(
  table: MovedTable,
  { live, copy, catchUp }: { live: OpenPlace; copy: OpenPlace; catchUp(): Promise<void> },
): Promise<Verified> {
  const [row] = await live.read<{ since: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
  )
  let open: number[] | undefined
  for (let round = 1; round <= ROUNDS && open?.length !== 0; round += 1) {
    const original = await sumBuckets(live.read, table, open)
    await catchUp()
    const copied = await sumBuckets(copy.read, table, open)
    open = [...new Set([...original.keys(), ...copied.keys()])].filter(
      (bucket) => original.get(bucket) !== copied.get(bucket),
    )
  }
  return { table, since: row!.since, open: open! }
}

async function sumBuckets(
  ask: Ask,
  table: MovedTable,
  only: number[] | undefined,
): Promise<Map<number, string>> {
  const bucket = bucketOf(table)
  const rows = await ask<Sum & { bucket: number }>(
    `select ${bucket} as bucket, ${SUM} from ${table.name} x
      where $1::integer[] is null or ${bucket} = any($1) group by 1`,
    [only ?? null],
  )
  return new Map(rows.map(({ bucket, rows, hash }) => [bucket, `${rows} ${hash}`]))
}

/** The names of the tables that differ, with what was found on both sides. Nobody may write to them meanwhile. */
export async function compareTables(
  live: OpenPlace,
  copy: OpenPlace,
  { whole, verified }: { whole: readonly MovedTable[]; verified: readonly Verified[] },
): Promise<string[]> {
  const compared = await Promise.all([
    ...whole.map(async (table) => {
      const [one, other] = await Promise.all(
        [live, copy].map(({ read }) => read<Sum>(`select ${SUM} from ${table.name} x`)),
      )
      return differing(table, one![0]!, other![0]!)
    }),
    ...verified.map((early) => compareVerified(live, copy, early)),
  ])
  return compared.filter((line) => line !== undefined)
}

async function compareVerified(
  live: OpenPlace,
  copy: OpenPlace,
  { table, since, open }: Verified,
): Promise<string | undefined> {
  const { name, key, key_types } = table
  const [all, others] = await Promise.all(
    [live, copy].map(async ({ read }) => {
      const [count] = await read<{ rows: string }>(`select count(*)::text as rows from ${name}`)
      if (open.length === 0) return { rows: count!.rows, hash: '0' }
      const [sum] = await read<Sum>(
        `select ${SUM} from ${name} x where ${bucketOf(table)} = any($1)`,
        [open],
      )
      return { rows: count!.rows, hash: `${sum!.rows} ${sum!.hash}` }
    }),
  )
  const found = differing(table, all!, others!)
  if (found) return found
  const keys = key.map((column, i) => `array_agg(x.${column}::text) as k${i}`).join(', ')
  const [changed] = await live.read<Sum & Record<string, string[] | null>>(
    `select ${SUM}, ${keys} from ${name} x where age(x.xmin) <= age($1::xid8::xid)`,
    [since],
  )
  if (changed!.rows === '0') return undefined
  const given = key.map((_, i) => `$${i + 1}::text[]`).join(', ')
  const named = key.map((_, i) => `k${i}`).join(', ')
  const same = key.map((column, i) => `x.${column} = k.k${i}::${key_types[i]}`).join(' and ')
  const [copied] = await copy.read<Sum>(
    `select ${SUM} from unnest(${given}) k(${named}) join ${name} x on ${same}`,
    key.map((_, i) => changed![`k${i}`]),
  )
  return differing(table, changed!, copied!)
}

const differing = ({ name }: MovedTable, one: Sum, other: Sum): string | undefined =>
  one.rows === other.rows && one.hash === other.hash
    ? undefined
    : `${name} (${one.rows === other.rows ? `contents of ${one.rows} rows` : `${one.rows} and ${other.rows} rows`})`
