/**
 * Email an operator a link to create a passkey. The link is made here, so that it exists only in the email.
 *
 *   called by   the event operator.link_requested
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { invitation, newPasskey } from '../email/operator-templates.ts'
import { sendMail } from '../email/send.ts'
import { job } from '../kit/job.ts'
import { LINK_HOURS, linkTo, mintLink } from './links.ts'

export const mailLink = job({
  name: 'operators.mail-link',
  payload: z.object({
    data: z.object({
      id: z.string(),
      purpose: z.enum(['invitation', 'passkey']),
      by: z.string(),
    }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['operator.link_requested'],

  async run({ db, clock, config, log, payload: { data } }) {
    const { id, purpose, by } = data
    if (config.SMTP_URL === undefined) {
      log.warn({ operator_id: id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const global = db.shards.global
    const operator = await global.reader
      .selectFrom('operators')
      .leftJoin('operators as other', (join) => join.on('other.id', '=', by))
      .select(['operators.email', 'operators.role', 'other.name as inviter'])
      .where('operators.id', '=', id)
      .where('operators.status', '=', purpose === 'invitation' ? 'invited' : 'active')
      .executeTakeFirst()
    // Meanwhile disabled, or already joined.
    if (operator === undefined) return
    const { email, role, inviter } = operator
    const now = clock.now()
    const token = await global.transaction((tx) =>
      mintLink(tx, { operatorId: id, purpose, by: { id: by }, now }),
    )
    const link = linkTo(config, purpose, token)
    const mail =
      purpose === 'invitation'
        ? invitation({ link, inviter: inviter ?? by, role, hours: LINK_HOURS })
        : newPasskey({ link, hours: LINK_HOURS })
    await sendMail(config, email, mail)
  },
})
