/**
 * Retry the background jobs that have used up their attempts.
 *
 *   called by   an operator with the right `operate`
 *   moves       jobs: out of attempts → due
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Shards } from '../../kit/db.ts'
import { counted } from '../../kit/words.ts'
import { decision, NO_EFFECT } from '../decision.ts'

/** The subject is the name of a job, or `all`. */
export const retryJobs = decision({
  kind: 'jobs.retry',
  right: 'operate',
  title: 'Retry dead jobs',
  input: z.object({}),
  home: () => 'global',

  async preview({ db }, { subject }) {
    const count = await inQueues(db.shards, async (reader) => {
      const { rows } = await sql<{ id: string }>`${dead(subject)}`.execute(reader)
      return rows.length
    })
    return {
      ...NO_EFFECT,
      changes: [`${counted(count, 'jobs')} run again, with all their attempts`],
    }
  },

  async carryOut({ db }, { subject }) {
    const count = await inQueues(db.shards, async (reader) => {
      const { rows } = await sql<{ id: string }>`
        select id from graphile_worker.reschedule_jobs(
          array(${dead(subject)}), run_at := now(), attempts := 0)`.execute(reader)
      return rows.length
    })
    return { count }
  },
})

const dead = (name: string) => sql<{ id: string }>`
  select id from graphile_worker.jobs
   where attempts >= max_attempts and (${name}::text = 'all' or task_identifier = ${name})`

async function inQueues(
  { queues }: Shards,
  work: (reader: Shards['queues'][number]['reader']) => Promise<number>,
): Promise<number> {
  let count = 0
  for (const { reader } of queues) count += await work(reader)
  return count
}
