/**
 * Delete callback hosts and URLs that weren't used for a month, because an agent may use a new one for each task.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../kit/job.ts'

const KEPT_DAYS = 30

export const tidy = job({
  name: 'webhooks.tidy',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '41 3 * * *',

  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
    // Lanes whose last deliveries failed and that weren't used since. Disabled lanes are kept forever.
    await sql`
      delete from webhook_lanes
       where id like '% %' and due_at is null and disabled_at is null and held_by is null
         and failing_since < ${before}`.execute(db.reader)
    // No task has events for longer than this. A later task with the same URL just gets another 410.
    await sql`delete from gone_callbacks where gone_at < ${before}`.execute(db.reader)
  },
})
