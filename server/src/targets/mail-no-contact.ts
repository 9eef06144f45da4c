/**
 * Email a person who asked not to be contacted: what was decided, or that the protection has ended.
 *
 *   called by   the event no_contact.answered
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { noContactAnswered } from '../email/person-templates.ts'
import { sendMail } from '../email/send.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import { Work } from '../webhooks/record-event.ts'

export const mailNoContact = job({
  name: 'targets.mail-no-contact',
  payload: Work,
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['no_contact.answered'],

  async run({ db, config, log, payload: { data } }) {
    const row = await db.shards.global.reader
      .selectFrom('do_not_contact')
      .select(['id', 'kind', 'state', 'email', 'note', 'due_at'])
      .where('id', '=', data.id)
      .executeTakeFirst()
    if (!row?.email || row.state === 'requested') return
    if (config.SMTP_URL === undefined) {
      log.warn({ request_id: row.id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const { kind, state, note, due_at: until } = row
    const link = `${publicUrl(config)}/do-not-contact`
    await sendMail(config, row.email, noContactAnswered({ kind, state, note, until, link }))
  },
})
