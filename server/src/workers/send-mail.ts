/**
 * Send a requested mail to a worker. The link is created here, so that it exists only in the mail.
 *
 *   called by   the event mail.requested
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail as send } from '../email/send.ts'
import { alreadyRegistered, passwordReset, verification } from '../email/templates.ts'
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { sha256 } from '../kit/secrets.ts'
import { isClosedForGood } from './decisions.ts'
import { linkTo, mintLink, type Purpose } from './links.ts'
import { byId } from './queries.ts'

const HOUR_MS = 3_600_000
/** Expired links are kept for a while, so that a late visitor gets a specific error. */
const KEPT_MS = 30 * 24 * HOUR_MS

export const sendMail = job({
  name: 'workers.send-mail',
  payload: z.object({
    data: z.object({ worker_id: z.string().nullable(), template: z.enum(['verify', 'reset']) }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['mail.requested'],

  async run({ db, clock, config, log, payload }) {
    const { worker_id: workerId, template } = payload.data
    if (workerId === null) return
    if (config.SMTP_URL === undefined) {
      log.warn({ worker_id: workerId, template }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const now = clock.now()
    const letter = await db.transaction((tx) =>
      writeLetter(tx, { workerId, template, config, now }),
    )
    if (letter === undefined) return

    try {
      await send(config, letter.to, letter.mail)
    } catch (error) {
      // The retry creates its own link. This one was never sent, so it must not count toward the mail limit.
      await db.transaction((tx) =>
        tx.deleteFrom('worker_tokens').where('token_hash', '=', letter.tokenHash).execute(),
      )
      throw error
    }
  },
})

interface WriteLetter {
  workerId: string
  template: Purpose
  config: Config
  now: Date
}

/** Returns undefined when there is no recipient or the mail limit is reached. */
export async function writeLetter(
  tx: Tx,
  { workerId, template, config, now }: WriteLetter,
): Promise<{ to: string; mail: Mail; tokenHash: string } | undefined> {
  const worker = await byId(tx, workerId)
  // Test-mode workers have no mailbox.
  if (worker === undefined || worker.mode === 'test') return undefined
  if (await isClosedForGood(tx, worker)) return undefined
  if ((await mailsOfLastHour(tx, { workerId, template, now })) >= config.LIMIT_MAILS_PER_HOUR)
    return undefined
  await tx
    .deleteFrom('worker_tokens')
    .where('worker_id', '=', workerId)
    .where('expires_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute()

  const livesMs =
    template === 'verify' ? config.VERIFY_LINK_HOURS * HOUR_MS : config.RESET_LINK_MINUTES * 60_000
  const language = worker.app_language
  const isNeedless = template === 'verify' && worker.verified_at !== null
  // For a verified worker the link is expired and unused: it exists only to count toward the mail limit.
  const token = await mintLink(tx, {
    workerId,
    purpose: template,
    livesMs: isNeedless ? 0 : livesMs,
    now,
  })
  return { to: worker.email, mail: mailFor(), tokenHash: sha256(token) }

  function mailFor(): Mail {
    if (isNeedless) return alreadyRegistered({ language, link: linkTo(config, 'reset') })
    const link = linkTo(config, template, token)
    return template === 'verify'
      ? verification({ language, link, hours: config.VERIFY_LINK_HOURS })
      : passwordReset({ language, link, minutes: config.RESET_LINK_MINUTES })
  }
}

async function mailsOfLastHour(
  tx: Tx,
  { workerId, template, now }: { workerId: string; template: Purpose; now: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom('worker_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('worker_id', '=', workerId)
    .where('purpose', '=', template)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  return count
}
