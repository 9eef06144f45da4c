/** The held disputes that await an operator. */
import type { Reader } from '../kit/db.ts'
import { addUp, earliest, readShards } from '../kit/everywhere.ts'

/** The number of waiting disputes, and when the oldest of them was created. */
export async function waitingHeldDisputes(
  shards: readonly Reader[],
): Promise<{ count: number; oldest: Date | null }> {
  const parts = await readShards(shards, waitingOfShard)
  return { ...addUp(['count'], parts), oldest: earliest(parts.map(({ oldest }) => oldest)) }
}

const waitingOfShard = (shard: Reader): Promise<{ count: number; oldest: Date | null }> =>
  heldDisputesOfShard(shard)
    .clearOrderBy()
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<Date | null>('disputes.created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()

/** Excludes test mode, which has no operators: there, held disputes lapse when their time is up. */
export const heldDisputesOfShard = (shard: Reader) =>
  shard
    .selectFrom('disputes')
    .innerJoin('tasks', 'tasks.id', 'disputes.task_id')
    .where('disputes.status', '=', 'held')
    .where('tasks.mode', '=', 'live')
    .orderBy('disputes.decides_by')
    .orderBy('disputes.id')
