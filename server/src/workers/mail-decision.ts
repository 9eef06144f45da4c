/**
 * Email a worker that their account was suspended, closed or reinstated, or that their objection was rejected.
 *
 *   called by   the events worker.shut_out, worker.reinstated and worker.objection_upheld
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import type { Language } from '../email/languages.ts'
import { sendMail } from '../email/send.ts'
import { accountReinstated, accountShutOut, objectionUpheld } from '../email/templates.ts'
import type { Reader } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { titleOf } from '../kit/words.ts'
import { publicUrl } from '../kit/public-url.ts'
import type { Decision } from './decisions.ts'
import { sendWithLink } from './mail-link.ts'
import { byId } from './queries.ts'

export const mailDecision = job({
  name: 'workers.mail-decision',
  payload: z.object({
    type: z.enum(['worker.shut_out', 'worker.reinstated', 'worker.objection_upheld']),
    data: z.object({ id: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['worker.shut_out', 'worker.reinstated', 'worker.objection_upheld'],

  async run({ db, clock, config, log, payload: { type, data } }) {
    const decision = await db.reader
      .selectFrom('worker_decisions')
      .selectAll()
      .where('id', '=', data.id)
      .executeTakeFirst()
    const worker = decision && (await byId(db.reader, decision.worker_id))
    if (decision === undefined || worker === undefined) return
    if (config.SMTP_URL === undefined) {
      log.warn(
        { worker_id: worker.id, template: type },
        'an email was not sent: SMTP_URL is not set',
      )
      return
    }
    const language = worker.app_language
    if (type === 'worker.shut_out') {
      const write = await noticeOf(db.reader, decision, { config, language })
      await sendWithLink({ db, config, now: clock.now() }, { decision, to: worker.email }, write)
      return
    }
    const mail =
      type === 'worker.reinstated'
        ? writeEnd(decision, { config, language })
        : writeReply(decision, language)
    if (mail !== undefined) await sendMail(config, worker.email, mail)
  },
})

async function noticeOf(
  db: Reader,
  decision: Decision,
  { config, language }: { config: Config; language: Language },
): Promise<(link: string) => Mail> {
  const { kind, reason, ends_at: until } = decision
  const tasks = (await tasksOf(db, decision)).map(({ title }) => title)
  const replyDays = config.OBJECTION_REPLY_DAYS
  return (link) => accountShutOut({ language, kind, reason, tasks, until, replyDays, link })
}

/** The tasks that a decision is based on, in the order that the operator gave. */
export async function tasksOf(
  db: Reader,
  { task_ids }: Pick<Decision, 'task_ids'>,
): Promise<{ id: string; title: string }[]> {
  if (task_ids.length === 0) return []
  const tasks = await db
    .selectFrom('worker_tasks')
    .select(['id', 'title', 'description'])
    .where('id', 'in', task_ids)
    .execute()
  return task_ids.flatMap((id) =>
    tasks
      .filter((task) => task.id === id)
      .map(({ title, description }) => ({ id, title: title ?? titleOf(description) })),
  )
}

function writeEnd(
  { ended_for, reply_note, end_note }: Decision,
  { config, language }: { config: Config; language: Language },
): Mail | undefined {
  if (ended_for === null || ended_for === 'closed_instead') return undefined
  return accountReinstated({
    language,
    why: ended_for,
    note: reply_note ?? end_note,
    link: `${publicUrl(config)}/login`,
  })
}

function writeReply(
  { kind, reply_note: note, ends_at: until }: Decision,
  language: Language,
): Mail | undefined {
  return note === null ? undefined : objectionUpheld({ language, kind, note, until })
}
