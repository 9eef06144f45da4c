/**
 * Send the requested mail to the people behind an agent. The link is created here, so that it exists only in the mail.
 *
 *   called by   the event agent.mail_requested
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { agentVerification, keyRecovery, keysReplaced } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail as send } from '../email/send.ts'
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { sha256 } from '../kit/secrets.ts'
import type { AgentMail } from '../webhooks/record-event.ts'
import { linkTo, mintLink, type Purpose } from './mail-links.ts'

const HOUR_MS = 3_600_000
/** Expired links are kept for a while, for investigations. */
const KEPT_MS = 30 * 24 * HOUR_MS

export const sendMail = job({
  name: 'agents.send-mail',
  payload: z.object({
    data: z.object({
      agent_id: z.string().nullable(),
      template: z.enum(['verify', 'recover', 'recovered']),
    }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['agent.mail_requested'],

  async run({ db, clock, config, log, payload }) {
    const { agent_id: agentId, template } = payload.data
    if (agentId === null) return
    if (config.SMTP_URL === undefined) {
      log.warn({ agent_id: agentId, template }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const now = clock.now()
    const letter = await db.transaction((tx) => writeLetter(tx, { agentId, template, config, now }))
    if (letter === undefined) return

    try {
      await send(config, letter.to, letter.mail)
    } catch (error) {
      // The retry creates its own link. This one was never sent, so it must not count toward the mail limit.
      if (letter.tokenHash !== undefined) await deleteLink(letter.tokenHash)
      throw error
    }

    async function deleteLink(tokenHash: string) {
      await db.transaction((tx) =>
        tx.deleteFrom('agent_tokens').where('token_hash', '=', tokenHash).execute(),
      )
    }
  },
})

interface WriteLetter {
  agentId: string
  template: AgentMail
  config: Config
  now: Date
}

/** Returns undefined when there is no recipient or the mail limit is reached. */
async function writeLetter(
  tx: Tx,
  { agentId, template, config, now }: WriteLetter,
): Promise<{ to: string; mail: Mail; tokenHash?: string } | undefined> {
  const agent = await tx
    .selectFrom('agents')
    .select(['email', 'email_verified_at'])
    .where('id', '=', agentId)
    .where('mode', '=', 'live')
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  if (!agent?.email) return undefined
  const { email } = agent
  const recoverLink = linkTo(config, 'recover')
  if (template === 'recovered') {
    const at = await lastRecovery(tx, agentId)
    return at && { to: email, mail: keysReplaced({ at, agentId, recoverLink }) }
  }
  if (template === 'verify' && agent.email_verified_at !== null) return undefined
  if ((await mailsOfLastHour(tx, { agentId, template, now })) >= config.LIMIT_MAILS_PER_HOUR)
    return undefined
  await tx
    .deleteFrom('agent_tokens')
    .where('agent_id', '=', agentId)
    .where('expires_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute()

  const hours = config.VERIFY_LINK_HOURS
  const minutes = config.RECOVER_LINK_MINUTES
  const livesMs = template === 'verify' ? hours * HOUR_MS : minutes * 60_000
  const token = await mintLink(tx, { agentId, email, purpose: template, livesMs, now })
  const link = linkTo(config, template, token)
  const mail =
    template === 'verify'
      ? agentVerification({ link, recoverLink, agentId, hours })
      : keyRecovery({ link, agentId, minutes })
  return { to: email, mail, tokenHash: sha256(token) }
}

async function mailsOfLastHour(
  tx: Tx,
  { agentId, template, now }: { agentId: string; template: Purpose; now: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom('agent_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('purpose', '=', template)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  return count
}

async function lastRecovery(tx: Tx, agentId: string): Promise<Date | undefined> {
  const used = await tx
    .selectFrom('agent_tokens')
    .select('used_at')
    .where('agent_id', '=', agentId)
    .where('purpose', '=', 'recover')
    .where('used_at', 'is not', null)
    .orderBy('used_at', 'desc')
    .executeTakeFirst()
  return used?.used_at ?? undefined
}
