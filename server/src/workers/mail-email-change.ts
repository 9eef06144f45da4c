/**
 * Mail the links of an email change: to the new address one that confirms it, to the old one a link that undoes it. The
 * links are created here, so that they exist only in the mails.
 *
 *   called by   the events worker.email_changing and worker.email_changed
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail } from '../email/send.ts'
import { alreadyRegistered, emailChanged, emailChanging, emailConfirm } from '../email/templates.ts'
import type { Db } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { type EmailChange, type EmailLinkPurpose, mintEmailLink } from './email-changes.ts'
import { linkTo } from './links.ts'
import { byId, workerIdOf } from './queries.ts'

export const mailEmailChange = job({
  name: 'workers.mail-email-change',
  payload: z.object({
    type: z.enum(['worker.email_changing', 'worker.email_changed']),
    data: z.object({ id: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['worker.email_changing', 'worker.email_changed'],

  async run({ db, clock, config, log, payload: { type, data } }) {
    const change = await db.reader
      .selectFrom('worker_email_changes')
      .selectAll()
      .where('id', '=', data.id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    const worker = change && (await byId(db.reader, change.worker_id))
    if (change === undefined || worker === undefined || worker.mode === 'test') return
    if (config.SMTP_URL === undefined) {
      log.warn(
        { worker_id: worker.id, template: type },
        'an email was not sent: SMTP_URL is not set',
      )
      return
    }
    const sender = { db, config, change, now: clock.now() }
    const language = worker.app_language
    const { new_email, old_email, undo_until: until } = change
    if (type === 'worker.email_changed' && until !== null)
      return sendLink(sender, { to: old_email, purpose: 'undo' }, (link) =>
        emailChanged({ language, email: new_email, until, link }),
      )
    const owner = await workerIdOf(db.shards.global.reader, new_email)
    // The owner of a taken address learns of it, but the worker who asked does not.
    if (owner !== undefined && owner !== worker.id)
      await sendMail(
        config,
        new_email,
        alreadyRegistered({ language, link: linkTo(config, 'reset') }),
      )
    else
      await sendLink(sender, { to: new_email, purpose: 'confirm' }, (link) =>
        emailConfirm({ language, hours: config.VERIFY_LINK_HOURS, link }),
      )
    await sendLink(sender, { to: old_email, purpose: 'undo' }, (link) =>
      emailChanging({ language, email: new_email, link }),
    )
  },
})

const PAGES = { confirm: 'email-confirm', undo: 'email-undo' } as const

async function sendLink(
  { db, config, change, now }: { db: Db; config: Config; change: EmailChange; now: Date },
  { to, purpose }: { to: string; purpose: EmailLinkPurpose },
  write: (link: string) => Mail,
): Promise<void> {
  const { token, tokenHash } = await db.transaction((tx) =>
    mintEmailLink(tx, { changeId: change.id, purpose, now }),
  )
  try {
    await sendMail(config, to, write(linkTo(config, PAGES[purpose], token)))
  } catch (error) {
    // The retry creates its own link.
    await db.transaction((tx) =>
      tx.deleteFrom('worker_email_links').where('token_hash', '=', tokenHash).execute(),
    )
    throw error
  }
}
