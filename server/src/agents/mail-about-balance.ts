/**
 * Email the people behind an agent when its wallet has run low.
 *
 *   called by   the event agent.low_balance, with the id of an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { walletLow } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import { sendMail } from '../email/send.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'

export const mailAboutBalance = job({
  name: 'agents.mail-about-balance',
  payload: z.object({ data: z.object({ id: z.string() }) }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['agent.low_balance'],

  async run({ db, config, log, payload }) {
    const agent = await db.reader
      .selectFrom('agents as agent')
      .innerJoin('ledger_agents as wallet', 'wallet.agent_id', 'agent.id')
      .select(['agent.id', 'email', 'agent.mode', 'low_balance_cents'])
      .select(['wallet_cents', 'receivable_cents'])
      .where('agent.id', '=', payload.data.id)
      .where('status', '<>', 'closed')
      .executeTakeFirst()
    if (!agent?.email || agent.low_balance_cents === null) return
    const balanceCents = agent.wallet_cents - agent.receivable_cents
    // The wallet was topped up after the event.
    if (balanceCents >= agent.low_balance_cents) return
    if (config.SMTP_URL === undefined) {
      log.warn({ agent_id: agent.id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const mail = walletLow({
      agentId: agent.id,
      mode: agent.mode,
      balanceCents,
      limitCents: agent.low_balance_cents,
      link: `${publicUrl(config)}/console/wallet`,
    })
    await sendMail(config, agent.email, mail)
  },
})
