/** List the background jobs that have used up their attempts. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { command } from './command.ts'

const SHOWN_MAX = 50

interface DeadJobs {
  job: string
  count: number
  since: Date
  last_error: string | null
}

const readDead = async (db: Reader): Promise<DeadJobs[]> => {
  const { rows } = await sql<DeadJobs>`
    select task_identifier as job, count(*)::integer as count, min(updated_at) as since,
           (array_agg(last_error order by updated_at desc))[1] as last_error
      from graphile_worker.jobs where attempts >= max_attempts
     group by 1 order by 1 limit ${SHOWN_MAX}`.execute(db)
  return rows
}

export const jobs = command({
  name: 'jobs',
  takes: '[--json]',
  does: 'list background jobs that are out of attempts, by name; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db }) {
    const parts = await readShards(
      db.shards.queues.map(({ reader }) => reader),
      readDead,
    )
    const dead = mergeSorted(
      orderBy(({ job }) => job),
      parts,
    )
    return { data: { dead }, isBad: dead.length > 0 }
  },
})
