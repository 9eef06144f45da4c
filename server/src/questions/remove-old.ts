/**
 * Delete questions that were closed two years ago, with their messages. `sweep-photos.ts` removes their photos.
 *
 *   called by   the clock, every night
 *   moves       a closed question → deleted
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../kit/job.ts'

/** The comment on the table `questions` says the same, and a test compares them. */
const KEPT_DAYS = 730
const DELETED_TOGETHER = 500

export const removeOld = job({
  name: 'questions.remove-old',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '37 3 * * *',

  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
    for (;;) {
      const { rows } = await sql`
        with gone as (
          delete from questions where id = any(array(
            select id from questions where closed_at < ${before} order by closed_at limit ${DELETED_TOGETHER}))
          returning id),
        photos as (
          update question_photos p
             set question_id = null, message_number = null, number = null, expires_at = ${clock.now()}
            from gone where p.question_id = gone.id),
        messages as (
          delete from question_messages m using gone where m.question_id = gone.id)
        select id from gone`.execute(db.reader)
      if (rows.length < DELETED_TOGETHER) return
    }
  },
})
