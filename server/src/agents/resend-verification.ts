/**
 * Resend the link that verifies the agent's email address.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       agent.mail_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requestAgentMail } from '../webhooks/record-event.ts'
import { noEmail } from './errors.ts'

export const resendVerification = endpoint({
  method: 'POST',
  path: '/agents/verify/resend',
  name: 'resendAgentVerification',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'Resend the link that confirms your agent’s email',
  description:
    'We send only a few emails an hour to one address, and none if the address is already confirmed.',
  success: {
    status: 202,
    body: z.object({
      email: z.string(),
      email_verified_at: z.iso
        .datetime()
        .nullable()
        .describe('Set if the address is already confirmed: then no email is sent'),
    }),
  },
  errors: [noEmail],

  handler: ({ tx, agent, now }) => resendLink(tx, { agentId: agent.id, now }),
})

async function resendLink(tx: Tx, { agentId, now }: { agentId: string; now: Date }) {
  const { id, mode, twin_id, email, email_verified_at } = await tx
    .selectFrom('agents')
    .select(['id', 'mode', 'twin_id', 'email', 'email_verified_at'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  if (email === null) throw noEmail()
  if (email_verified_at === null)
    await requestAgentMail(tx, { agentId: mode === 'live' ? id : twin_id, template: 'verify', now })
  return { email, email_verified_at: email_verified_at?.toISOString() ?? null }
}
