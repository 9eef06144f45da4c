/** How many files a worker has sent in the last 24 hours: a worker may send only so many a day. */
import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { readReachable } from '../kit/everywhere.ts'

const DAY_MS = 86_400_000
/** Proofs are sent before the task's deadline, or after it if the agent asks for a revision. */
const LATEST_MS = 30 * DAY_MS

export interface SentFiles {
  workerId: string
  /** The task of the next file. */
  taskId: string
  now: Date
}

/**
 * Counts the files on the shard of this task. A test agent can have any number of workers, so its scripted workers are
 * counted together, and so are its workers played by a person.
 */
export async function countOfDay(db: Reader, { workerId, now }: SentFiles): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from files
     where created_at > ${new Date(now.getTime() - DAY_MS)} and worker_id = any(array(
       select ${workerId}::text
       union
       select other.id from workers self join workers other
           on other.agent_id = self.agent_id and (other.email like 'sim-%') = (self.email like 'sim-%')
        where self.id = ${workerId}))`.execute(db)
  return rows[0]!.count
}

/** Counts the files on other shards, of which the worker's own shard knows those with tasks of this worker. */
export async function countElsewhere(shards: Shards, sent: SentFiles): Promise<number> {
  if (shards.all.length === 1) return 0
  const tasks = await shards
    .at(sent.workerId)
    .reader.selectFrom('worker_assignments')
    .select('task_id')
    .where('worker_id', '=', sent.workerId)
    .where('deadline', '>', new Date(sent.now.getTime() - LATEST_MS))
    .execute()
  const others = new Set(tasks.map(({ task_id }) => shards.at(task_id)))
  others.delete(shards.at(sent.taskId))
  if (others.size === 0) return 0
  const readers = [...others].map(({ reader }) => reader)
  const counts = await readReachable(readers, (reader) => countOfDay(reader, sent))
  return counts.reduce((sum, count) => sum + count, 0)
}
