/**
 * Test a receiver by sending it an event without meaning. A disabled address is enabled again when it responds with
 * 2xx.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       webhook.ping, sent once, to one address
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { checkField, WebhookUrl } from './addresses.ts'
import { noWebhookUrl } from './errors.ts'
import { laneOf } from './lane-id.ts'
import { wakeLanes } from './lanes.ts'
import { TAMPERED } from './tampered.ts'

export const ping = endpoint({
  method: 'POST',
  path: '/webhooks/ping',
  name: 'pingWebhook',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'Send a test event to your receiver',
  description:
    'Sends `webhook.ping` to your webhook_url or to `url`, signed like every event, once and ' +
    'without retries. The call does not wait for your receiver: a moment later, its response ' +
    'is at `deliveries_url`. A 2xx enables a URL that was disabled. With `tampered`, the ' +
    'signature is wrong on purpose: a receiver that checks it responds with 4xx; the response ' +
    'does not affect later deliveries.',
  body: z.object({
    tampered: z
      .literal(true)
      .optional()
      .describe('Send a wrong signature to check that your receiver rejects it'),
    url: WebhookUrl.optional().describe(
      'Instead of your webhook_url, for example the callback_url of a task',
    ),
  }),
  success: {
    status: 202,
    body: z.object({
      event_id: z.string(),
      url: z.string(),
      deliveries_url: z.string().describe('The path to GET for the result'),
    }),
  },
  errors: [noWebhookUrl],
  check: ({ body, config }) => checkField(config, 'url', body.url),

  async handler({ tx, agent, body, now }) {
    const { eventId, url } = await pingReceiver(tx, {
      agentId: agent.id,
      url: body.url,
      isTampered: body.tampered === true,
      now,
    })
    const deliveries_url = `/api/v1/webhooks/deliveries?event_id=${eventId}`
    return { event_id: eventId, url, deliveries_url }
  },
})

async function pingReceiver(
  tx: Tx,
  {
    agentId,
    url,
    isTampered,
    now,
  }: { agentId: string; url: string | undefined; isTampered: boolean; now: Date },
): Promise<{ eventId: string; url: string }> {
  const { webhook_url } = await tx
    .selectFrom('agents')
    .select('webhook_url')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  const target = url ?? webhook_url
  if (target === null) throw noWebhookUrl()

  const eventId = await logPing(tx, { agentId, isTampered, now })
  await sendFirst(tx, { eventId, agentId, url: target === webhook_url ? null : target, now })
  return { eventId, url: target }
}

/** Writes directly to the log instead of the outbox, so the event id in the response can be looked up at once. */
async function logPing(
  tx: Tx,
  { agentId, isTampered, now }: { agentId: string; isTampered: boolean; now: Date },
): Promise<string> {
  const { last_number } = await tx
    .insertInto('event_counters')
    .values({ agent_id: agentId, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet({ last_number: sql`event_counters.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  const id = mintId('evt', now, shardOf(agentId))
  await tx
    .insertInto('events')
    .values({
      id,
      type: 'webhook.ping',
      agent_id: agentId,
      data: JSON.stringify(isTampered ? TAMPERED : {}),
      created_at: now,
      number: last_number,
    })
    .execute()
  return id
}

/** Queues the ping ahead of all waiting deliveries: a failing receiver is probed with one, and it must be the ping. */
async function sendFirst(
  tx: Tx,
  {
    eventId,
    agentId,
    url,
    now,
  }: { eventId: string; agentId: string; url: string | null; now: Date },
): Promise<void> {
  const { rows } = await sql<{ lane: string }>`
    select ${laneOf(sql`${agentId}::text`, sql`${url}::text`)} as lane`.execute(tx)
  const { lane } = rows[0]!
  await wakeLanes(tx, [{ id: lane, agentId }], { now, isProbe: true })
  await sql`
    insert into deliveries (event_id, lane, agent_id, url, event_at, attempts_max, next_try_at, created_at)
      select ${eventId}, ${lane}, ${agentId}, ${url}, ${now}, 1,
             least(min(next_try_at), ${now}::timestamptz) - interval '1 millisecond', ${now}
        from deliveries where lane = ${lane}`.execute(tx)
}
