/**
 * Email the people behind an agent when it is restricted, or no longer restricted.
 *
 *   called by   the events agent.restricted and agent.freed, with the id of an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { agentFreed, agentRestricted } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { sendMail } from '../email/send.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'

export const mailAboutRestriction = job({
  name: 'agents.mail-about-restriction',
  payload: z.object({
    type: z.enum(['agent.restricted', 'agent.freed']),
    data: z.object({ id: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['agent.restricted', 'agent.freed'],

  async run({ db, config, log, payload }) {
    const agent = await db.reader
      .selectFrom('agents')
      .select(['id', 'email', 'mode', 'status', 'restricted_for'])
      .where('id', '=', payload.data.id)
      .executeTakeFirst()
    if (!agent?.email) return
    const isRestricted = payload.type === 'agent.restricted'
    // The status has changed again since the event, and that change sends its own mail.
    if (agent.status !== (isRestricted ? 'restricted' : 'active')) return
    if (config.SMTP_URL === undefined) {
      log.warn({ agent_id: agent.id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const about = { agentId: agent.id, link: `${publicUrl(config)}/console` }
    const mail = isRestricted
      ? agentRestricted({ ...about, isChargeback: agent.restricted_for === 'chargeback' })
      : agentFreed(about)
    await sendMail(config, agent.email, mail)
  },
})
