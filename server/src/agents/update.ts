/**
 * Change the agent: its name, webhook URL, subscribed events and low-balance threshold. Omitted fields stay unchanged.
 *
 *   called by   the agent, for the mode of its key
 *   moves       a receiver that was disabled → enabled, when webhook_url is set
 *   money       none
 *   event       agent.renamed (ours) with a new name
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { checkField, WebhookUrl } from '../webhooks/addresses.ts'
import { reviveLane } from '../webhooks/lanes.ts'
import { ReceiverView, webhookOf } from '../webhooks/receivers.ts'
import { requestWork, USUAL_TYPES } from '../webhooks/record-event.ts'
import { EventNames } from './fields.ts'

const Changes = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  webhook_url: WebhookUrl.nullable()
    .optional()
    .describe(
      'The URL that receives the events of all tasks, including those still queued; null: none',
    ),
  events: EventNames.optional().describe('The events that we send; [] for the first four'),
  low_balance_cents: z
    .int()
    .min(1)
    .max(100_000_000)
    .nullable()
    .optional()
    .describe(
      'We email you when the balance falls below this, once until it has been above it again; ' +
        'null: never',
    ),
})

export const update = endpoint({
  method: 'PATCH',
  path: '/agents/me',
  name: 'updateAgent',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'Update your agent, or show it',
  description:
    'Changes the live or the test mode, whichever your key belongs to. Setting `webhook_url`, ' +
    'even to its current value, enables it again if it was disabled. An empty object changes ' +
    'nothing and returns the agent.',
  body: Changes,
  success: {
    status: 200,
    body: z.object({
      agent: named(
        'AgentSettings',
        z.object({
          id: z.string(),
          name: z.string(),
          email: z
            .string()
            .nullable()
            .describe('Null for a test agent that has not been registered'),
          mode: z.enum(['live', 'test']),
          webhook_url: z.string().nullable(),
          events: z.array(z.string()).describe('The events that we send'),
          low_balance_cents: z.int().nullable(),
          webhook: ReceiverView.nullable().describe('The state of webhook_url; null without one'),
        }),
      ),
    }),
  },
  errors: [],
  check: ({ body, config }) => checkField(config, 'webhook_url', body.webhook_url),

  handler: async ({ tx, agent, body, now }) => ({
    agent: await updateAgent(tx, { agentId: agent.id, changes: body, now }),
  }),
})

async function updateAgent(
  tx: Tx,
  { agentId, changes, now }: { agentId: string; changes: z.output<typeof Changes>; now: Date },
) {
  const { name, webhook_url, events, low_balance_cents } = changes
  const agent = await tx
    .updateTable('agents')
    .set(({ ref }) => ({
      name: name ?? ref('name'),
      webhook_url: webhook_url === undefined ? ref('webhook_url') : webhook_url,
      events: events === undefined ? ref('events') : [...new Set(events)],
      ...(low_balance_cents === undefined ? {} : { low_balance_cents, low_balance_look_at: now }),
    }))
    .where('id', '=', agentId)
    .returning(['id', 'name', 'email', 'mode', 'webhook_url', 'events', 'low_balance_cents'])
    .executeTakeFirstOrThrow()
  // The feed has its own copy of the name.
  if (name !== undefined && agent.mode === 'live')
    await requestWork(tx, [{ type: 'agent.renamed', id: agentId }], { now })
  if (webhook_url) await reviveLane(tx, { id: agentId, agentId, now })
  return {
    ...agent,
    events: agent.events.length === 0 ? [...USUAL_TYPES] : agent.events,
    webhook: await webhookOf(tx, agentId),
  }
}
