/** What a schema that moves consists of, and what must be so before it can move. */
import { type Ask, MoveRefused, type OpenPlace } from './move-place.ts'

/** A table, or the root of a partitioned one. Its rows are compared over all partitions together. */
export interface MovedTable {
  /** With its schema, quoted. */
  name: string
  /** The columns of the primary key, quoted, and their types. */
  key: string[]
  key_types: string[]
  bytes: number
}

/** The target's migrations fill this table. */
const UNMOVED = 'migrations'
/** `origin = none`, which keeps changes from coming back, is new in 16. */
const VERSION_MIN = 160_000
/** One for the schema, and one for a table that is being copied. */
const SLOTS_MIN = 2

export const readTables = (ask: Ask, schema: string): Promise<MovedTable[]> =>
  ask<MovedTable & { key: string[]; bytes: number }>(
    `select format('%I.%I', $1::text, c.relname) as name, k.key, k.key_types,
            coalesce((select sum(pg_relation_size(p.relid)) from pg_partition_tree(c.oid) p),
                     pg_relation_size(c.oid))::float8 as bytes
       from pg_class c
       left join lateral (
         select array_agg(quote_ident(a.attname) order by i.n) as key,
                array_agg(format_type(a.atttypid, a.atttypmod) order by i.n) as key_types
           from pg_index x cross join unnest(x.indkey) with ordinality i(attnum, n)
           join pg_attribute a on a.attrelid = c.oid and a.attnum = i.attnum
          where x.indrelid = c.oid and x.indisprimary) k on true
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> '${UNMOVED}'
      order by 1`,
    [schema],
  )

/** Also the partitions, because some statements name them. */
export const readRelations = async (ask: Ask, schema: string): Promise<string[]> => {
  const rows = await ask<{ name: string }>(
    `select format('%I.%I', $1::text, c.relname) as name from pg_class c
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and c.relname <> '${UNMOVED}'
      order by 1`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

export const hasSchema = async (ask: Ask, schema: string): Promise<boolean> =>
  (await ask('select from pg_namespace where nspname = $1', [schema])).length > 0

/** Throws if the schema can't move. Changes nothing. */
export async function checkMovable(
  source: OpenPlace,
  target: OpenPlace,
  schema: string,
): Promise<void> {
  for (const place of [source, target]) {
    const [is] = await place.run<{ version: number; wal_level: string; free: number }>(
      `select current_setting('server_version_num')::integer as version, current_setting('wal_level') as wal_level,
              current_setting('max_replication_slots')::integer
              - (select count(*) from pg_replication_slots)::integer as free`,
    )
    const { version, wal_level, free } = is!
    if (version < VERSION_MIN)
      throw new MoveRefused(`The database ${place.name} must be PostgreSQL 16 or later`)
    if (wal_level !== 'logical')
      throw new MoveRefused(
        `wal_level of the database ${place.name} is ${wal_level}: set it to logical and restart that server`,
      )
    if (free < SLOTS_MIN)
      throw new MoveRefused(
        `The database ${place.name} has ${free} free replication slots and needs ${SLOTS_MIN}: ` +
          'increase max_replication_slots there, or drop unused slots',
      )
  }
  const tables = await readTables(source.run, schema)
  if (tables.length === 0)
    throw new MoveRefused(`The database ${source.name} has no schema ${schema} with tables`)
  const keyless = tables.filter(({ key }) => key === null).map(({ name }) => name)
  if (keyless.length > 0)
    throw new MoveRefused(`These tables have no primary key: ${keyless.join(', ')}`)
}

/** Throws if the two schemas were not made by the same migrations and functions. */
export async function checkSameMigrations(
  source: OpenPlace,
  target: OpenPlace,
  schema: string,
): Promise<void> {
  const [one, other] = await Promise.all(
    [source, target].map(({ read }) =>
      read<{ line: string }>(
        `select name || ' ' || checksum as line from ${schema}.migrations order by name`,
      ),
    ),
  )
  const lines = new Set(one!.map(({ line }) => line))
  const differing = [
    ...other!.filter(({ line }) => !lines.delete(line)).map(({ line }) => line),
    ...lines,
  ].map((line) => line.split(' ')[0]!)
  if (differing.length > 0)
    throw new MoveRefused(
      `The databases ${source.name} and ${target.name} have different migrations of ${schema} ` +
        `(${[...new Set(differing)].sort().join(', ')}): run \`server migrate\` first`,
    )
}

/** Makes the partitions that only the source has: rows must not fall into the default partition. */
export async function copyPartitions(
  source: OpenPlace,
  target: OpenPlace,
  schema: string,
): Promise<void> {
  const partitions = await source.run<{ name: string; parent: string; bound: string }>(
    `select format('%I.%I', $1::text, c.relname) as name, i.inhparent::regclass::text as parent,
            pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where c.relnamespace = to_regnamespace($1) and c.relispartition and c.relkind = 'r' order by 1`,
    [schema],
  )
  for (const { name, parent, bound } of partitions)
    await target.run(`create table if not exists ${name} partition of ${parent} ${bound}`)
}

/**
 * Both sides make and drop partitions by the same rule on the same day: replication does neither. The function also
 * deletes rows, which the triggers of a closed schema would refuse.
 */
export async function maintainPartitions(
  live: OpenPlace,
  copy: OpenPlace,
  schema: string,
): Promise<void> {
  await live.run(`select ${schema}.maintain_partitions()`)
  await copy.run(
    `set local session_replication_role = replica; select ${schema}.maintain_partitions()`,
  )
}

/** Migrations insert rows, which the source has, too. As in replication, triggers that keep rows don't fire. */
export async function emptyTables(target: OpenPlace, schema: string): Promise<void> {
  const tables = await readTables(target.run, schema)
  await target.run(
    `set local session_replication_role = replica; truncate ${tables.map(({ name }) => name).join(', ')}`,
  )
}

interface Sequence {
  name: string
  last_value: string | null
  start_value: string
}

export async function copySequences(
  live: OpenPlace,
  copy: OpenPlace,
  schema: string,
): Promise<void> {
  const sequences = await live.read<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text, start_value::text
       from pg_sequences where schemaname = $1`,
    [schema],
  )
  for (const { name, last_value, start_value } of sequences)
    await copy.run('select setval($1, $2, $3)', [
      name,
      last_value ?? start_value,
      last_value !== null,
    ])
}
