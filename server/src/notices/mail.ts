/**
 * Email a notice to its worker if none of the worker's devices could be reached.
 *
 *   called by   the event notice.mail
 *   moves       nothing
 *   money       none
 *   event       none
 */
import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Config } from '../config.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import type { Language } from '../email/languages.ts'
import { sendMail } from '../email/send.ts'
import {
  disputeDecided,
  disputeHeld,
  payoutFailed,
  questionAnswered,
  workDisputed,
} from '../email/templates.ts'
import type { Reader } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import type { Schema } from '../kit/schema.ts'
import { Work } from '../webhooks/record-event.ts'
import { decisionInForce, isShutOut } from '../workers/decisions.ts'
import { sendWithLink } from '../workers/mail-link.ts'
import { byId } from '../workers/queries.ts'
import { isMailed } from './tell.ts'

type Notice = Selectable<Schema['notices']>

export const mailNotice = job({
  name: 'notices.mail',
  payload: Work,
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['notice.mail'],

  async run({ db, clock, config, log, payload }) {
    const notice = await db.reader
      .selectFrom('notices')
      .selectAll()
      .where('id', '=', payload.data.id)
      .where('mailed_at', 'is', null)
      .executeTakeFirst()
    if (notice === undefined) return
    if (!isMailed(notice.kind)) return
    // The worker has appealed, or the dispute is decided: there is nothing left to appeal by a deadline.
    if (notice.kind === 'disputed' && notice.until === null) return
    const worker = await byId(db.reader, notice.worker_id)
    if (worker === undefined || worker.verified_at === null) return
    const decision = isShutOut(worker) ? await decisionInForce(db.reader, worker.id) : undefined
    // A test-mode worker is closed along with its agent, without an operator's decision.
    if (worker.status === 'closed' && decision === undefined) return
    if (config.SMTP_URL === undefined) {
      log.warn(
        { worker_id: worker.id, template: notice.kind },
        'an email was not sent: SMTP_URL is not set',
      )
      return
    }
    const answer = await answerOf(db.reader, notice)
    const options = { config, language: worker.app_language, answer }
    if (decision === undefined) await sendMail(config, worker.email, mailFor(notice, options))
    else
      await sendWithLink({ db, config, now: clock.now() }, { decision, to: worker.email }, (link) =>
        mailFor(notice, { ...options, accountLink: link }),
      )
    // Record this after sending: a crash in between sends the email twice, which is better than not at all.
    await db.transaction((tx) =>
      tx
        .updateTable('notices')
        .set({ mailed_at: clock.now() })
        .where('id', '=', notice.id)
        .execute(),
    )
  },
})

/** `accountLink` takes a suspended or closed worker to the page that works without a session. */
function mailFor(
  notice: Notice,
  {
    config,
    language,
    answer,
    accountLink,
  }: { config: Config; language: Language; answer: string; accountLink?: string },
): Mail {
  const { kind, amount_cents, until, reason } = notice
  const about = {
    language,
    cents: amount_cents ?? 0,
    title: notice.title ?? '',
    link: accountLink ?? publicUrl(config) + pageOf(notice),
    isShutOut: accountLink !== undefined,
  }
  switch (kind) {
    case 'disputed':
      return workDisputed({ ...about, until: until! })
    case 'dispute_held':
      return disputeHeld({ ...about, until: until! })
    case 'decided':
      return disputeDecided({
        ...about,
        isUpheld: reason === 'upheld',
        isPaid: amount_cents !== null,
      })
    case 'payout_failed':
      return payoutFailed(about)
    case 'question_answered':
      return questionAnswered({ ...about, answer })
    default:
      assert.fail(`${kind} is not sent by email`)
  }
}

function pageOf({ kind, task_id, question_id }: Notice): string {
  if (kind === 'payout_failed') return '/payout'
  return kind === 'question_answered' ? `/me/questions/${question_id}` : `/active/${task_id}`
}

/** The operator's answer, which the email repeats: a suspended or closed worker can't read it in the app. */
async function answerOf(db: Reader, { kind, cause }: Notice): Promise<string> {
  if (kind !== 'question_answered') return ''
  const { text } = await db
    .selectFrom('question_messages')
    .select('text')
    .where('id', '=', cause)
    .executeTakeFirstOrThrow()
  return text
}
