import { sql } from 'kysely'
import type { Background } from '../kit/job.ts'

/** Rows that are read at most, about: a large table is sampled. */
const ROWS_READ = 20_000

/**
 * Sets the number of tasks in the feed, by type. Up to 20,000 it is exact; beyond that, the pages of a random share of
 * the table are counted, so that the cost does not grow with the number of tasks.
 */
export async function showOpenTasks({
  db: { shards },
  metrics,
}: Pick<Background, 'db' | 'metrics'>): Promise<void> {
  const { rows: sizes } = await sql<{ rows: number }>`
    select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'open_tasks'::regclass`.execute(
    shards.feed.reader,
  )
  const percent = Math.min(100, (100 * ROWS_READ) / Math.max(1, sizes[0]!.rows))
  const { rows } = await sql<{ type: string; count: number }>`
    select type, count(*) from open_tasks tablesample system (${percent}) group by type`.execute(
    shards.feed.reader,
  )
  metrics.openTasks.reset()
  for (const { type, count } of rows)
    metrics.openTasks.set({ type }, Math.round((count * 100) / percent))
}
