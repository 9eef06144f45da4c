/**
 * Retry waiting emails, so that a recovered mail server gets them within the hour. The queue's own backoff would delay
 * them for up to six hours.
 *
 *   called by   the clock, every ten minutes
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { MAIL_ATTEMPTS_MAX } from './attempts.ts'

/** The first attempts, which all happen within half an hour. */
const QUICK_ATTEMPTS = 8

export const retryMails = job({
  name: 'email.retry-mails',
  payload: z.unknown(),
  attemptsMax: 1,
  schedule: '*/10 * * * *',
  isGlobal: true,

  async run({ db }) {
    for (const queue of db.shards.queues) await hurryMails(queue)
  },
})

/**
 * Gives up an address that the mail server permanently refuses after the quick attempts: retrying it for three days
 * would hurt our reputation there. Emails are recognized by their maximum number of attempts, which no other job has.
 */
async function hurryMails(db: Db): Promise<void> {
  await sql`
    with waiting as (
      select id, coalesce(last_error ~ 'RCPT TO 5[0-9][0-9]', false) as is_refused, updated_at
        from graphile_worker.jobs
       where max_attempts = ${MAIL_ATTEMPTS_MAX} and locked_at is null
         and attempts >= ${QUICK_ATTEMPTS} and attempts < max_attempts
    )
    select (select count(*) from graphile_worker.permanently_fail_jobs(
              array(select id from waiting where is_refused),
              'the mail server refuses this address for good (RCPT TO 5xx)')),
           (select count(*) from graphile_worker.reschedule_jobs(
              array(select id from waiting where not is_refused and updated_at < now() - interval '1 hour'),
              run_at := now()))`.execute(db.reader)
}
