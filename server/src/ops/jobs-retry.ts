/** Retry the background jobs that have used up their attempts. */
import { sql } from 'kysely'
import { command } from './command.ts'

export const jobsRetry = command({
  name: 'jobs retry',
  takes: '[JOB]',
  does: 'retry jobs that are out of attempts, all or those of one name',
  right: 'operate',
  async run({ db }, { words: [job] }) {
    let count = 0
    for (const { reader } of db.shards.queues) {
      const { rows } = await sql<{ id: string }>`
        select id from graphile_worker.reschedule_jobs(array(
          select id from graphile_worker.jobs
           where attempts >= max_attempts and (${job ?? null}::text is null or task_identifier = ${job ?? null})),
          run_at := now(), attempts := 0)`.execute(reader)
      count += rows.length
    }
    return { data: { count }, isBad: count === 0 }
  },
})
