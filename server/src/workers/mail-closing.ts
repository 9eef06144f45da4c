/**
 * Email a worker that their account is being closed, that its balance waits for a bank account, or that it is closed.
 * The last mail ends our use of the address.
 *
 *   called by   the events worker.closing, worker.closing_waits and worker.closed
 *   moves       nothing; erases the address of a closed account
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail } from '../email/send.ts'
import { accountClosed, accountClosing, closingWaits } from '../email/templates.ts'
import type { Reader } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import { forgetEmail } from './close-accounts.ts'
import { closesAnywayAt, erasedEmail } from './closings.ts'
import { byId, type Worker } from './queries.ts'

const Type = z.enum(['worker.closing', 'worker.closing_waits', 'worker.closed'])

export const mailClosing = job({
  name: 'workers.mail-closing',
  payload: z.object({ type: Type, data: z.object({ id: z.string() }) }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: Type.options,

  async run({ db, clock, config, log, payload: { type, data } }) {
    const worker = await byId(db.reader, data.id)
    if (worker === undefined) return
    const mail = await mailFor(db.reader, worker, { type, config })
    if (mail === undefined) return
    if (config.SMTP_URL === undefined)
      log.warn(
        { worker_id: worker.id, template: type },
        'an email was not sent: SMTP_URL is not set',
      )
    else await sendMail(config, worker.email, mail)
    if (type === 'worker.closed') await forgetEmail(db, { workerId: worker.id, now: clock.now() })
  },
})

/** Undefined if the mail is out of date: the worker kept the account, or the address is erased. */
async function mailFor(
  db: Reader,
  { id, app_language: language, email, closing_at, closes_at, closed_at }: Worker,
  { type, config }: { type: z.output<typeof Type>; config: Config },
): Promise<Mail | undefined> {
  const base = publicUrl(config)
  const { payable_cents: cents } = await db
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', id)
    .executeTakeFirstOrThrow()
  if (type === 'worker.closed')
    return closed_at === null || email === erasedEmail(id)
      ? undefined
      : accountClosed({ language, cents, id, link: `${base}/legal/privacy` })
  if (closing_at === null || closes_at === null) return undefined
  if (type === 'worker.closing')
    return accountClosing({ language, until: closes_at, link: `${base}/me/close` })
  const until = closesAnywayAt(closing_at, config)
  return closingWaits({ language, cents, until, link: `${base}/payout` })
}
