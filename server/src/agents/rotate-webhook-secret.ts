/**
 * Rotate the agent's webhook secret. For some hours events are signed with the old secret, too, so that a receiver can
 * switch without rejecting an event.
 *
 *   called by   the agent, for the mode of its key
 *   moves       the secret → the old secret; the old secret → gone
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { keepSecret, mintWebhookSecret } from '../kit/secrets.ts'

const OVERLAP_HOURS_MAX = 24

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/webhooks/rotate-secret',
  name: 'rotateWebhookSecret',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'Get a new webhook secret',
  description:
    'The secret is shown only once. Until `previous_valid_until`, every delivery has two ' +
    'signatures, made with the new and the old secret: configure the new one in your receiver ' +
    'by then. If you rotate again, the oldest secret ends at once. Live and test mode have ' +
    'separate secrets.',
  body: z.object({
    overlap_hours: z
      .number()
      .min(0)
      .max(OVERLAP_HOURS_MAX)
      .optional()
      .describe(
        'How long the old secret remains valid; 0 ends it at once, for example after a leak',
      ),
  }),
  success: {
    status: 201,
    body: z.object({
      webhook_secret: z.string(),
      previous_valid_until: z.iso.datetime().nullable(),
    }),
  },
  errors: [],
  isSecret: true,

  async handler({ tx, agent, body, now, config }) {
    const hours = body.overlap_hours ?? config.WEBHOOK_SECRET_OVERLAP_HOURS
    const oldUntil = hours === 0 ? null : new Date(now.getTime() + hours * 3_600_000)
    const webhook_secret = await rotateSecret(tx, {
      agentId: agent.id,
      oldUntil,
      keys: config.WEBHOOK_SECRET_KEYS,
    })
    return { webhook_secret, previous_valid_until: oldUntil?.toISOString() ?? null }
  },
})

async function rotateSecret(
  tx: Tx,
  { agentId, oldUntil, keys }: { agentId: string; oldUntil: Date | null; keys: readonly string[] },
): Promise<string> {
  const secret = mintWebhookSecret()
  await tx
    .updateTable('agents')
    .set(({ ref }) => ({
      webhook_secret: keepSecret(secret, { keys, owner: agentId }),
      webhook_secret_old: oldUntil === null ? null : ref('webhook_secret'),
      webhook_secret_old_until: oldUntil,
    }))
    .where('id', '=', agentId)
    .execute()
  return secret
}
