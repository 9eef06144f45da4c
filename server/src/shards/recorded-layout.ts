/**
 * The table `shards` in `public`: which schema holds which logical shards. `migrate` fills it once; processes read it
 * when they start.
 */
import type { HomeSchema } from '../kit/layout.ts'

/** Returns the first row of a query. */
interface Asked {
  ask<Row extends Record<string, unknown>>(text: string): Promise<Row>
}

/** The number of schemas that hold logical shards. Undefined for a database without tables. */
export async function findLayout({ ask }: Asked): Promise<number | undefined> {
  const { layout, tasks } = await ask<{ layout: string | null; tasks: string | null }>(
    `select to_regclass('public.shards')::text as layout, to_regclass('public.tasks')::text as tasks`,
  )
  // Before this table existed, every database had one schema.
  if (layout === null) return tasks === null ? undefined : 1
  const { count } = await ask<{ count: number }>(
    'select count(*)::integer as count from public.shards',
  )
  return count || undefined
}

export const readLayout = async (asked: Asked): Promise<number> => (await findLayout(asked)) ?? 1

export async function recordLayout(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  schemas: readonly HomeSchema[],
): Promise<void> {
  for (const { name, range } of schemas)
    if (range)
      await client.query(
        `insert into public.shards (schema, first_shard, last_shard) values ($1, $2, $3)
         on conflict do nothing`,
        [name, ...range],
      )
}
