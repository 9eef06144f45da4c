/**
 * Maintain the log partitions: create the current one and the next two, drop those past their retention.
 *
 *   called by   the clock, every six hours; `server migrate`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../kit/job.ts'

export const maintain = job({
  name: 'runner.maintain',
  payload: z.unknown(),
  attemptsMax: 5,
  schedule: '7 */6 * * *',

  async run({ db }) {
    await sql`select maintain_partitions()`.execute(db.reader)
  },
})
