/**
 * Delete notices that are 90 days old, and the alerts and devices of closed accounts.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../kit/job.ts'

const KEPT_DAYS = 90
const DELETED_TOGETHER = 5000

export const tidy = job({
  name: 'notices.tidy',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '23 3 * * *',

  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
    for (;;) {
      const { numAffectedRows } = await sql`
        delete from notices where id = any(array(
          select id from notices where created_at < ${before} order by created_at limit ${DELETED_TOGETHER}))`.execute(
        db.reader,
      )
      if (numAffectedRows === undefined || numAffectedRows < BigInt(DELETED_TOGETHER)) break
    }
    await sql`
      delete from alerts a using workers w where w.id = a.worker_id and w.status = 'closed'`.execute(
      db.reader,
    )
    await sql`
      delete from push_subscriptions s using workers w
       where w.id = s.worker_id and w.status = 'closed'`.execute(db.reader)
  },
})
