/**
 * Write a notice to its worker's mailbox, where no device of the worker's could be told.
 *
 *   called by   the event notice.mail
 *   moves       nothing
 *   money       none
 *   event       none
 */
import type { Selectable } from 'kysely'
import type { Config } from '../config.ts'
import { sendMail } from '../email/send.ts'
import { disputeDecided, type Mail, payoutFailed, workDisputed } from '../email/templates.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import type { Schema } from '../kit/schema.ts'
import { Work } from '../webhooks/record-event.ts'
import { byId } from '../workers/queries.ts'

type Notice = Selectable<Schema['notices']>

export const mailNotice = job({
  name: 'notices.mail',
  payload: Work,
  attemptsMax: 8,
  events: ['notice.mail'],

  async run({ db, clock, config, log, payload }) {
    const notice = await db.reader
      .selectFrom('notices')
      .selectAll()
      .where('id', '=', payload.data.id)
      .where('mailed_at', 'is', null)
      .executeTakeFirst()
    if (notice === undefined) return
    const mail = mailFor(notice, config)
    if (mail === undefined) return
    const worker = await byId(db.reader, notice.worker_id)
    if (worker === undefined || worker.status === 'closed' || worker.verified_at === null) return
    if (config.SMTP_URL === undefined) {
      log.warn(
        { worker_id: worker.id, template: notice.kind },
        'a mail was not sent: SMTP_URL is not set',
      )
      return
    }
    await sendMail(config, worker.email, mail)
    // After it was sent: a crash in between sends it twice, which is better than not at all.
    await db.transaction((tx) =>
      tx
        .updateTable('notices')
        .set({ mailed_at: clock.now() })
        .where('id', '=', notice.id)
        .execute(),
    )
  },
})

function mailFor(notice: Notice, config: Config): Mail | undefined {
  const { kind, task_id, amount_cents, until, reason } = notice
  const title = notice.title ?? ''
  const cents = amount_cents ?? 0
  const task = `${publicUrl(config)}/active/${task_id}`
  if (kind === 'disputed') return workDisputed({ cents, title, until: until!, link: task })
  if (kind === 'decided')
    return disputeDecided({ cents, title, isUpheld: reason === 'upheld', link: task })
  if (kind === 'payout_failed')
    return payoutFailed({ cents, title, link: `${publicUrl(config)}/payout` })
  return undefined
}
