/**
 * Tell all administrators by email that somebody was invited, got another role, or was enabled again.
 *
 *   called by   the event operator.role_given
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { roleGiven } from '../email/operator-templates.ts'
import { sendMail } from '../email/send.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { job } from '../kit/job.ts'
import { ROLES } from '../kit/rights.ts'

export const tellAdmins = job({
  name: 'operators.tell-admins',
  payload: z.object({
    data: z.object({ id: z.string(), role: z.enum(ROLES), by: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['operator.role_given'],

  async run({ db, config, log, payload: { data } }) {
    if (config.SMTP_URL === undefined) {
      log.warn({ operator_id: data.id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const rows = await db.shards.global.reader
      .selectFrom('operators')
      .select(['id', 'email', 'name', 'role', 'status'])
      .where((where) =>
        where.or([
          where('id', 'in', [data.id, data.by]),
          where.and([where('role', '=', 'admin'), where('status', '=', 'active')]),
        ]),
      )
      .orderBy('id')
      .execute()
    const about = rows.find(({ id }) => id === data.id)
    if (about === undefined) return
    const by = rows.find(({ id }) => id === data.by)?.name ?? data.by
    const link = `${deskUrl(config)}/desk/team`
    for (const { id, email, role, status } of rows)
      if (role === 'admin' && status === 'active' && id !== data.id)
        await sendMail(
          config,
          email,
          roleGiven({ name: about.name, email: about.email, role: data.role, by, link }),
        )
  },
})
