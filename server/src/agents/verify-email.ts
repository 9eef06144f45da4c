/**
 * Verify an agent's email address with the mailed link. Keys work without it.
 *
 *   called by   anyone who has the link; the console page that it opens
 *   moves       the agent's email: unverified → verified
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { findLink, LinkToken } from './mail-links.ts'

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/agents/verify',
  name: 'verifyAgentEmail',
  auth: 'none',
  access: { by: 'mailed link' },
  summary: 'Confirm your agent’s email with the token from an emailed link',
  description: 'Can be repeated. Keys work without it.',
  body: z.object({ token: LinkToken }),
  success: {
    status: 200,
    body: z.object({
      agent: z.object({
        id: z.string(),
        name: z.string(),
        email_verified_at: z.iso.datetime(),
      }),
    }),
  },
  errors: [invalidMailLink],

  handler: async ({ tx, body, now }) => ({
    agent: await confirmEmail(tx, { token: body.token, now }),
  }),
})

async function confirmEmail(tx: Tx, { token, now }: { token: string; now: Date }) {
  const link = await findLink(tx, { token, purpose: 'verify' })
  // A link that was used in time may be used again, even after it expires: a second click is not an error.
  if (link === undefined || (link.used_at === null && link.expires_at <= now))
    throw invalidMailLink()
  await tx
    .updateTable('agent_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', link.token_hash)
    .where('used_at', 'is', null)
    .execute()
  const at = await setVerified(tx, { agentIds: [link.agent_id, link.twin_id], now })
  return { id: link.agent_id, name: link.name, email_verified_at: at.toISOString() }
}

/** Marks the email of both twins as verified. Returns when it was first verified. */
export async function setVerified(
  tx: Tx,
  { agentIds, now }: { agentIds: string[]; now: Date },
): Promise<Date> {
  const rows = await tx
    .updateTable('agents')
    .set((eb) => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)) }))
    .where('id', 'in', agentIds)
    .returning('email_verified_at')
    .execute()
  return rows[0]?.email_verified_at ?? now
}
