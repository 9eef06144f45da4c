/**
 * Compares the tables of a schema in two databases: the number of rows, and a sum of hashes of all rows, which does not
 * depend on their order. A row is hashed as text.
 *
 * Large tables would take longer than writers may wait. They are compared in two parts:
 *
 * 1. `verifyEarly`, while writers go on, hashes all rows in buckets by their keys. The copy is read after it has
 *    replayed what the original had. Buckets in which rows changed meanwhile are read again, row by row.
 * 2. `compareTables`, while writers wait, compares by their keys the rows that differed then, and all rows that the
 *    original has changed since the first part began (their xmin says so). It counts all rows on both sides. So every
 *    row of the original is the same in the copy, and the copy has no others.
 *
 * The second part relies on one thing: that nobody but the replication writes to the copy. Its role has no rights
 * there until the schema has moved.
 */
import { type Ask, type OpenPlace, READERS } from './move-place.ts'
import { type MovedTable } from './moved-tables.ts'

/** A large table whose rows were compared before the pause. */
export interface Verified {
  table: MovedTable
  /** The oldest transaction whose changes may not have been compared. */
  since: string
  /** The keys of rows that differed: the values of each column of the key. */
  open: string[][]
}

const BUCKETS = 65_536

const bucketOf = ({ key }: MovedTable) =>
  `(hashtextextended(row(${key.map((column) => `x.${column}`).join(', ')})::text, 0) & ${BUCKETS - 1})::integer`
const HASH = 'hashtextextended(x::text, 0)'
const SUM = `count(*)::text as rows, coalesce(sum(${HASH}), 0)::text as hash`

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
  const original = await sumBuckets(live.read, table)
  await catchUp()
  const copied = await sumBuckets(copy.read, table)
  const buckets = [...original.keys()].filter((one) => original.get(one) !== copied.get(one))
  const rows = await readHashes(live.read, table, buckets)
  await catchUp()
  const others = await readHashes(copy.read, table, buckets)
  const open = [...rows].filter(([key, hash]) => others.get(key) !== hash)
  return {
    table,
    since: row!.since,
    open: open.map(([key]) => JSON.parse(key) as string[]),
  }
}

async function sumBuckets(ask: Ask, table: MovedTable): Promise<Map<number, string>> {
  const rows = await ask<Sum & { bucket: number }>(
    `select ${bucketOf(table)} as bucket, ${SUM} from ${table.name} x group by 1`,
  )
  return new Map(rows.map(({ bucket, rows, hash }) => [bucket, `${rows} ${hash}`]))
}

/** The hashes of the rows in some buckets, by their keys. */
async function readHashes(
  ask: Ask,
  table: MovedTable,
  buckets: readonly number[],
): Promise<Map<string, string>> {
  if (buckets.length === 0) return new Map()
  const rows = await ask<{ key: string[]; hash: string }>(
    `select array[${table.key.map((column) => `x.${column}::text`).join(', ')}] as key, ${HASH}::text as hash
       from ${table.name} x where ${bucketOf(table)} = any($1)`,
    [buckets],
  )
  return new Map(rows.map(({ key, hash }) => [JSON.stringify(key), hash]))
}

/** The names of the tables that differ, with what was found on both sides. Nobody may write to them meanwhile. */
export async function compareTables(
  live: OpenPlace,
  copy: OpenPlace,
  { whole, verified }: { whole: readonly MovedTable[]; verified: readonly Verified[] },
): Promise<string[]> {
  const compared = await Promise.all([
    ...inLanes(whole).map(async (lane) => {
      const [sums, others] = await Promise.all(
        [live, copy].map(({ read }) => read<Sum>(sumsOf(lane))),
      )
      return lane.map((table, i) => differing(table, sums![i]!, others![i]!))
    }),
    ...verified.map((early) => compareVerified(live, copy, early)),
  ])
  return compared.flat().filter((line) => line !== undefined)
}

/** Many tables are small, so several are read by one statement. */
function inLanes(tables: readonly MovedTable[]): MovedTable[][] {
  const lanes: MovedTable[][] = Array.from({ length: READERS }, () => [])
  tables.forEach((table, i) => lanes[i % READERS]!.push(table))
  return lanes.filter((lane) => lane.length > 0)
}

const sumsOf = (tables: readonly MovedTable[]) =>
  tables
    .map(({ name }, i) => `select ${i} as i, ${SUM} from ${name} x`)
    .join(' union all ')
    .concat(' order by i')

async function compareVerified(
  live: OpenPlace,
  copy: OpenPlace,
  { table, since, open }: Verified,
): Promise<string | undefined> {
  const { name, key } = table
  const isChanged = 'filter (where age(x.xmin) <= age($1::xid8::xid))'
  const keys = key.map((column, i) => `array_agg(x.${column}::text) ${isChanged} as k${i}`)
  const [[all], [copied]] = await Promise.all([
    live.read<Sum & { changed: string } & Record<`k${number}`, string[] | null>>(
      `select count(*)::text as rows, count(*) ${isChanged} as changed,
              coalesce(sum(${HASH}) ${isChanged}, 0)::text as hash, ${keys.join(', ')}
         from ${name} x`,
      [since],
    ),
    copy.read<{ rows: string }>(`select count(*)::text as rows from ${name}`),
  ])
  const changed = key.map((_, i) => all![`k${i}`] ?? [])
  const early = key.map((_, i) => open.map((values) => values[i]!))
  const [changedThere, early1, early2] = await Promise.all([
    sumOf(copy.read, table, changed),
    sumOf(live.read, table, early),
    sumOf(copy.read, table, early),
  ])
  return (
    differing(table, { rows: all!.rows, hash: '' }, { rows: copied!.rows, hash: '' }) ??
    differing(table, { rows: String(changed[0]!.length), hash: all!.hash }, changedThere) ??
    differing(table, early1, early2)
  )
}

/** Of the rows with these keys: the values of each column of the key. */
async function sumOf(
  ask: Ask,
  { name, key, key_types }: MovedTable,
  keys: readonly string[][],
): Promise<Sum> {
  const given = key.map((_, i) => `$${i + 1}::text[]`).join(', ')
  const columns = key.map((_, i) => `k${i}`).join(', ')
  const same = key.map((column, i) => `x.${column} = k.k${i}::${key_types[i]}`).join(' and ')
  const [sum] = await ask<Sum>(
    `select ${SUM} from unnest(${given}) k(${columns}) join ${name} x on ${same}`,
    [...keys],
  )
  return sum!
}

const differing = ({ name }: MovedTable, one: Sum, other: Sum): string | undefined =>
  one.rows === other.rows && one.hash === other.hash
    ? undefined
    : `${name} (${one.rows === other.rows ? 'contents of rows' : `${one.rows} and ${other.rows} rows`})`
