/**
 * Send the events of a time range again; by default only those that were never delivered.
 *
 *   called by   the agent, after an outage of its receiver
 *   moves       events of its log → deliveries
 *   money       none
 *   event       none; the same events are sent, under their ids
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import { lostSince } from '../kit/lost-time.ts'
import { cursorExpired, webhookDisabled } from './errors.ts'
import { type Cursor, eventAt, type Position, positionAfter, START } from './queries.ts'
import { queueAgain } from './queue-again.ts'
import { TOLD_TYPES, USUAL_TYPES } from './record-event.ts'

const LOOKED_AT_MAX = 10_000

const Time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' })
  .max(40)
  .transform((text) => new Date(text))

const Body = z
  .object({
    from: Time.optional().describe('Events since then'),
    after: z
      .string()
      .regex(idPattern('evt'), 'must be the id of an event')
      .optional()
      .describe('Events after this one, as in GET /events; next_after of the previous response'),
    to: Time.optional().describe('Events before then; by default all'),
    types: z
      .array(z.enum(TOLD_TYPES))
      .min(1)
      .max(TOLD_TYPES.length)
      .optional()
      .describe('Only events of these types; by default those that you receive'),
    only: z
      .enum(['missed', 'all'])
      .default('missed')
      .describe('missed: events not yet delivered with a 2xx; all: also delivered ones'),
  })
  .refine(({ from, after }) => from !== undefined || after !== undefined, {
    path: ['from'],
    message: 'is required, or after',
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'must be after from',
  })
type Body = z.output<typeof Body>

export const replay = endpoint({
  method: 'POST',
  path: '/events/replay',
  name: 'replayEvents',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  summary: 'Resend the events of a period',
  description:
    'Each event is sent to the callback_url of its task or to your webhook_url, with the same ' +
    `id and body as before. One call processes ${LOOKED_AT_MAX} events; while \`has_more\` is ` +
    'true, repeat it with `after` set to `next_after`.',
  body: Body,
  success: {
    status: 202,
    body: z.object({
      replayed: z.int().describe('Number of events on their way'),
      skipped: z
        .int()
        .describe(
          'Number of events that can’t be sent: no webhook_url, or a callback_url that is disabled',
        ),
      has_more: z
        .boolean()
        .describe('There are more events: repeat the call with after: next_after'),
      next_after: z.string().nullable(),
    }),
  },
  errors: [webhookDisabled, cursorExpired],

  handler({ tx, agent, body, shards, runAt, now }) {
    const findLost = (at: Date) => runAt(shards.global, (global) => lostSince(global, at))
    return replayEvents(tx, { ...body, agentId: agent.id, findLost, now })
  },
})

async function replayEvents(
  tx: Tx,
  {
    agentId,
    from,
    after,
    to,
    types,
    only,
    findLost,
    now,
  }: Body & Pick<Cursor, 'agentId' | 'findLost' | 'now'>,
) {
  const sentTypes = await findSentTypes(tx, agentId)
  const position =
    after === undefined ? START : await positionAfter(tx, { after, agentId, findLost, now })
  const looked = await look(tx, { agentId, position, from, to })
  const chosen = looked.filter(({ type }) => (types ?? sentTypes).includes(type))
  const wanted = only === 'all' ? chosen : await withoutArrived(tx, chosen)

  const queued = await queueAgain(tx, wanted, { agentId, now })
  return {
    replayed: queued.length,
    skipped: wanted.length - queued.length,
    has_more: looked.length === LOOKED_AT_MAX,
    next_after: looked.at(-1)?.id ?? position.id,
  }
}

/** The event types that the agent is subscribed to. */
async function findSentTypes(tx: Tx, agentId: string): Promise<readonly string[]> {
  const agent = await tx
    .selectFrom('agents')
    .leftJoin('webhook_lanes', 'webhook_lanes.id', 'agents.id')
    .select(['webhook_url', 'events', 'disabled_at'])
    .where('agents.id', '=', agentId)
    .executeTakeFirstOrThrow()
  if (agent.webhook_url !== null && agent.disabled_at !== null)
    throw webhookDisabled({ url: agent.webhook_url })
  return agent.events.length === 0 ? USUAL_TYPES : agent.events
}

interface LoggedEvent {
  id: string
  type: string
  task_id: string | null
  created_at: Date
  event_at: string
}

/** Ordered by number, so the next call can continue where this one ended. */
async function look(
  tx: Tx,
  {
    agentId,
    position,
    from,
    to,
  }: { agentId: string; position: Position; from: Date | undefined; to: Date | undefined },
): Promise<LoggedEvent[]> {
  let span = tx
    .selectFrom('events')
    .select(['id', 'type', 'task_id', 'created_at', eventAt])
    .where('agent_id', '=', agentId)
    .where('number', '>', position.number)
    .orderBy('number')
    .limit(LOOKED_AT_MAX)
  if (from !== undefined) span = span.where('created_at', '>=', from)
  if (to !== undefined) span = span.where('created_at', '<', to)
  return span.execute()
}

async function withoutArrived(tx: Tx, events: LoggedEvent[]): Promise<LoggedEvent[]> {
  if (events.length === 0) return []
  const oldest = Math.min(...events.map(({ created_at }) => created_at.getTime()))
  const { rows } = await sql<{ event_id: string }>`
    select distinct event_id from delivery_attempts
     where event_id = any(${events.map(({ id }) => id)}::text[]) and outcome = 'delivered'
       -- Nothing arrives before it has happened, so that older days need not be read.
       and created_at >= ${new Date(oldest - 60_000)}`.execute(tx)
  const arrived = new Set(rows.map(({ event_id }) => event_id))
  return events.filter(({ id }) => !arrived.has(id))
}
