/**
 * The numbers of a task's events. Agents ignore an event whose `sequence` is not higher than the last
 * one that they saw.
 */
import { sql } from 'kysely'
import type { Db, Shards, Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'

/** More events than one task ever has. */
const SKIPPED = 1000
const PAGE_LENGTH = 2000
/** Events of an ended task, such as of its payouts and disputes, come this long after its end. */
const ENDED_DAYS = 60

/** Returns the next sequence number for an event without a task transition, such as a completed payout. */
export async function countEvent(tx: Tx, taskId: string): Promise<number> {
  const { event_sequence } = await tx
    .updateTable('tasks')
    .set({ event_sequence: sql<number>`event_sequence + 1` })
    .where('id', '=', taskId)
    .returning('event_sequence')
    .executeTakeFirstOrThrow()
  return event_sequence
}

/**
 * Skips numbers after a restore from a backup, because agents may have seen events that we have lost. Returns the
 * number of tasks. Safe to repeat: numbers may have gaps.
 */
export async function skipSequences({ all }: Shards, { now }: { now: Date }): Promise<number> {
  let count = 0
  for (const db of all) count += await skipOfShard(db, { now })
  return count
}

async function skipOfShard(db: Db, { now }: { now: Date }): Promise<number> {
  const endedFrom = new Date(now.getTime() - ENDED_DAYS * 86_400_000)
  let count = 0
  let after = ''
  for (;;) {
    const page = await db.reader
      .selectFrom('tasks')
      .select('id')
      .where('id', '>', after)
      .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', endedFrom)]))
      .orderBy('id')
      .limit(PAGE_LENGTH)
      .execute()
    // Agents are on different shards, so each shard gets its own transaction.
    for (const tasks of Map.groupBy(page, ({ id }) => shardOf(id)).values())
      await db.transaction((tx) =>
        tx
          .updateTable('tasks')
          .set({ event_sequence: sql`event_sequence + ${SKIPPED}` })
          .where('id', '=', sql<string>`any(${tasks.map(({ id }) => id)})`)
          .execute(),
      )
    count += page.length
    if (page.length < PAGE_LENGTH) return count
    after = page.at(-1)!.id
  }
}
