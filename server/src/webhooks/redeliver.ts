/**
 * Send an event again now, even if it was delivered, given up, or of a type that the agent isn't subscribed to.
 *
 *   called by   the agent
 *   moves       an event of its log → deliveries
 *   money       none
 *   event       none; the same event is sent, under its id
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { eventNotFound, noWebhookUrl, webhookDisabled } from './errors.ts'
import { findEvent } from './queries.ts'
import { queueAgain } from './queue-again.ts'

export const redeliver = endpoint({
  method: 'POST',
  path: '/events/:id/redeliver',
  name: 'redeliverEvent',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  access: { object: 'own' },
  summary: 'Resend an event',
  description:
    'Sends any event of GET /events to the callback_url of its task or to your webhook_url, ' +
    'with the same id, body and retries as before. An event that is waiting for its next ' +
    'attempt is sent now. GET /webhooks/deliveries shows the result.',
  params: z.object({ id: idOf('evt', 'an event').describe('`evt_` and 26 letters') }),
  success: {
    status: 202,
    body: z.object({
      delivery: z.object({
        event_id: z.string(),
        url: z.string(),
        next_try_at: z.iso.datetime().describe('Later than now if the URL is failing'),
      }),
    }),
  },
  errors: [eventNotFound, noWebhookUrl, webhookDisabled],

  handler: async ({ tx, agent, params, now }) => ({
    delivery: await redeliverEvent(tx, { eventId: params.id, agentId: agent.id, now }),
  }),
})

async function redeliverEvent(
  tx: Tx,
  { eventId, agentId, now }: { eventId: string; agentId: string; now: Date },
) {
  const event = await findEvent(tx, { eventId, agentId })
  if (event === undefined) throw eventNotFound()
  const url = await addressOf(tx, { taskId: event.task_id, agentId })
  if (url === null) throw noWebhookUrl()

  const queued = await queueAgain(tx, [event], { agentId, now })
  if (queued.length === 0) throw webhookDisabled({ url })
  const { next_try_at } = await nextTryOf(tx, eventId)
  return { event_id: eventId, url, next_try_at: next_try_at.toISOString() }
}

async function addressOf(
  tx: Tx,
  { taskId, agentId }: { taskId: string | null; agentId: string },
): Promise<string | null> {
  const { webhook_url, callback_url } = await tx
    .selectFrom('agents')
    .leftJoin('tasks', (join) => join.on('tasks.id', '=', taskId))
    .select(['webhook_url', 'callback_url'])
    .where('agents.id', '=', agentId)
    .executeTakeFirstOrThrow()
  return callback_url ?? webhook_url
}

/** A pause of a failing receiver delays everything that is due for it. */
const nextTryOf = (tx: Tx, eventId: string) =>
  tx
    .selectFrom('deliveries')
    .innerJoin('webhook_lanes', 'webhook_lanes.id', 'deliveries.lane')
    .select(sql<Date>`greatest(next_try_at, paused_until)`.as('next_try_at'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
