import { type Batcher, batcher } from './batch.ts'
import type { Db } from './db.ts'

/** A batcher for each shard: no batch contains items of two. */
export function batcherByShard<Item, Outcome>({
  run,
  ...options
}: Omit<Parameters<typeof batcher<Item, Outcome>>[0], 'run'> & {
  run(db: Db, items: Item[]): Promise<Outcome[]>
}) {
  const batchers = new Map<Db, Batcher<Item, Outcome>>()
  return {
    add(db: Db, item: Item): Promise<Outcome> {
      const own =
        batchers.get(db) ?? batcher<Item, Outcome>({ ...options, run: (items) => run(db, items) })
      batchers.set(db, own)
      return own.add(item)
    },
  }
}
