/**
 * List delivery attempts with the receivers' responses, newest first, and the state of the agent's receivers.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern, timeOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import { ReceiverView, receiversOf } from './receivers.ts'

const OUTCOMES = ['delivered', 'failed', 'given_up', 'disabled'] as const

const Query = z.object({
  event_id: z
    .string()
    .regex(idPattern('evt'), 'is not the id of an event')
    .optional()
    .describe('Only attempts to send this event'),
  outcome: z.enum(OUTCOMES).optional(),
  before: z
    .string()
    .regex(idPattern('dlv'), 'is not the id of a delivery')
    .optional()
    .describe('next_before of the previous page'),
  limit: Limit.describe('1 to 100; larger values are treated as 100'),
})
type Query = z.output<typeof Query>

const DeliveryView = named(
  'Delivery',
  z.object({
    id: z.string(),
    event_id: z.string(),
    type: z.string(),
    task_id: z.string().nullable(),
    url: z.string(),
    attempt: z.int().describe('1 for the first of eight attempts'),
    outcome: z
      .enum(OUTCOMES)
      .describe(
        'delivered: responded with 2xx; failed: retried at next_try_at; given_up: the last ' +
          'attempt failed, see POST /events/:id/redeliver; disabled: it was waiting when its ' +
          'receiver was disabled',
      ),
    status: z.int().nullable().describe('Of the response; null if there was none'),
    error: z.string().nullable().describe('Why there was no response'),
    answer: z.string().nullable().describe('The beginning of the response’s body, as text'),
    duration_ms: z.int(),
    created_at: z.iso.datetime(),
    next_try_at: z.iso.datetime().nullable(),
  }),
)

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/webhooks/deliveries',
  name: 'listDeliveries',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'List webhook delivery attempts',
  description:
    'Every attempt of the last 30 days, newest first, with your receiver’s response. ' +
    '`receivers` shows your webhook_url and the hosts of your callback_urls, at most fifty: ' +
    'whether they work, since when they have failed, and how many events are waiting.',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      deliveries: z.array(DeliveryView),
      next_before: z
        .string()
        .nullable()
        .describe('The `before` of the next page; null on the last page'),
      receivers: z.array(ReceiverView),
    }),
  },
  errors: [],

  handler: async ({ db, agent, query }) => ({
    ...(await listAttempts(db, { agentId: agent.id, query })),
    receivers: await receiversOf(db, agent.id),
  }),
})

async function listAttempts(db: Reader, { agentId, query }: { agentId: string; query: Query }) {
  const { event_id, outcome, before, limit } = query
  let mine = db.selectFrom('delivery_attempts').where('agent_id', '=', agentId)
  if (event_id !== undefined) mine = mine.where('event_id', '=', event_id)
  // The first condition matches a partial index; without it the query would scan all successful deliveries.
  if (outcome !== undefined && outcome !== 'delivered')
    mine = mine.where('outcome', '<>', 'delivered')
  if (outcome !== undefined) mine = mine.where('outcome', '=', outcome)
  if (before !== undefined)
    mine = mine
      .where('id', '<', before)
      // An id contains its time, so partitions of later days are skipped.
      .where('created_at', '<=', new Date(timeOf(before).getTime() + 60_000))

  // Fetch one extra row to know whether there is another page.
  const rows = await mine
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    deliveries: page.map((row) => ({
      id: row.id,
      event_id: row.event_id,
      type: row.type,
      task_id: row.task_id,
      url: row.url,
      attempt: row.number,
      outcome: row.outcome,
      status: row.status,
      error: row.error,
      answer: row.answer,
      duration_ms: row.ms,
      created_at: row.created_at.toISOString(),
      next_try_at: row.next_try_at?.toISOString() ?? null,
    })),
    next_before: rows.length > limit ? page.at(-1)!.id : null,
  }
}
