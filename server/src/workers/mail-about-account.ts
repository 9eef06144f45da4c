/**
 * Email a worker about a change of their account.
 *
 *   called by   the event worker.password_changed
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { sendMail } from '../email/send.ts'
import { passwordChanged } from '../email/templates.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import { byId } from './queries.ts'

export const mailAboutAccount = job({
  name: 'workers.mail-about-account',
  payload: z.object({
    type: z.enum(['worker.password_changed']),
    data: z.object({ id: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['worker.password_changed'],

  async run({ db, config, log, payload: { type, data } }) {
    const worker = await byId(db.reader, data.id)
    if (worker === undefined || worker.mode === 'test') return
    if (config.SMTP_URL === undefined) {
      log.warn(
        { worker_id: worker.id, template: type },
        'an email was not sent: SMTP_URL is not set',
      )
      return
    }
    const link = `${publicUrl(config)}/forgot`
    await sendMail(config, worker.email, passwordChanged({ language: worker.app_language, link }))
  },
})
