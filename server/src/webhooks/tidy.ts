/**
 * Forget hosts and addresses of callbacks that nobody has used for a month: an agent may have a new one for each task.
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
    // One that has failed to the end and was not used since; a disabled one is remembered for good.
    await sql`
      delete from webhook_lanes
       where id like '% %' and due_at is null and disabled_at is null and held_by is null
         and failing_since < ${before}`.execute(db.reader)
    // A task is told of no longer than that; a later one with the same address is refused by its receiver anew.
    await sql`delete from gone_callbacks where gone_at < ${before}`.execute(db.reader)
  },
})
