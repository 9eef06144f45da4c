import type { Reader } from '../kit/db.ts'
import { readShards } from '../kit/everywhere.ts'

/** The number of tasks with a report that awaits an operator. */
export async function countWaitingReports(shards: readonly Reader[]): Promise<number> {
  const counts = await readShards(shards, countOfShard)
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countOfShard(shard: Reader): Promise<number> {
  const { count } = await shard
    .selectFrom('task_reports')
    .innerJoin('tasks', 'tasks.id', 'task_reports.task_id')
    .select(({ fn }) => fn.count<number>('task_id').distinct().as('count'))
    .where('verdict', 'is', null)
    // Operators don't handle reports in test mode.
    .where('tasks.mode', '=', 'live')
    .executeTakeFirstOrThrow()
  return count
}
