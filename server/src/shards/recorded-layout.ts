/**
 * The table `shards` in `public`: which schema holds which logical shards, and which database holds the schema.
 * `migrate` fills it once, moving a schema changes it, processes read it. Every database has this table; the one of
 * DATABASE_URL decides, the others only say which schemas are there.
 */
import { type HomeSchema, MAIN, schemasOf } from '../kit/layout.ts'

/** Returns the first row of a query. */
interface Asked {
  ask<Row extends Record<string, unknown>>(text: string): Promise<Row>
}

/** Undefined for a database without tables. `databases` are all that the settings name, in their order. */
export async function findLayout(
  { ask }: Asked,
  databases: readonly string[],
): Promise<HomeSchema[] | undefined> {
  const { layout, tasks } = await ask<{ layout: string | null; tasks: string | null }>(
    `select to_regclass('public.shards')::text as layout, to_regclass('public.tasks')::text as tasks`,
  )
  // Before this table existed, every database had one schema.
  if (layout === null) return tasks === null ? undefined : schemasOf(1)
  // Before this table had the column, every market had one database.
  const { places } = await ask<{ places: { schema: string; database?: string }[] | null }>(
    'select json_agg(s) as places from public.shards s',
  )
  if (places === null) return undefined
  const placed = new Map(places.map(({ schema, database }) => [schema, database]))
  return schemasOf(places.length, places.length === 1 ? undefined : databases).map((schema) => {
    if (schema.range === undefined) return schema
    const database = placed.get(schema.name) ?? MAIN
    if (!databases.includes(database))
      throw new Error(
        `The schema ${schema.name} is in the database ${database}, which DATABASES does not name`,
      )
    return { ...schema, database }
  })
}

export const readLayout = async (
  asked: Asked,
  databases: readonly string[],
): Promise<HomeSchema[]> => (await findLayout(asked, databases)) ?? schemasOf(1)

/** Records the layout in one of its databases. */
export async function recordLayout(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  schemas: readonly HomeSchema[],
  database: string,
): Promise<void> {
  for (const { name, range, ...placed } of schemas)
    if (range)
      await client.query(
        `insert into public.shards (schema, first_shard, last_shard, database, is_here) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [name, ...range, placed.database, placed.database === database],
      )
}
