/**
 * Delete sessions whose token has expired.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../kit/job.ts'

const DELETED_TOGETHER = 5000

export const tidySessions = job({
  name: 'workers.tidy-sessions',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '47 3 * * *',

  async run({ db, clock }) {
    for (;;) {
      const { numAffectedRows } = await sql`
        delete from worker_sessions where id = any(array(
          select id from worker_sessions where expires_at < ${clock.now()} limit ${DELETED_TOGETHER}))`.execute(
        db.reader,
      )
      if ((numAffectedRows ?? 0n) < BigInt(DELETED_TOGETHER)) return
    }
  },
})
