/**
 * List events of the last 30 days, oldest first. `wait` makes it a long poll, for agents that can't receive webhooks or
 * missed some. `before` lists newest first, for people.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { idPattern, timeOf } from '../kit/ids.ts'
import { lostSince } from '../kit/lost-time.ts'
import { Limit } from '../kit/page.ts'
import { invalidField } from '../kit/errors.ts'
import { cursorExpired } from './errors.ts'
import { type EventRow, EventView, viewEvent } from './event-view.ts'
import { type Position, positionAfter, START } from './queries.ts'
import { lastNumberOf, untilEvent } from './watch-events.ts'

const LAG_MS_MAX = 7 * 86_400_000
/** With a filter, at most this many events are scanned per request, and the cursor moves past all of them. */
const LOOKED_AT_MAX = 5000

const Query = z.object({
  after: z
    .string()
    .regex(/^(latest|evt_[0-9a-hjkmnp-tv-z]{26})$/, 'must be the id of an event, or latest')
    .optional()
    .describe(
      'The `next_after` of the previous response, or the id of any event of yours: returns ' +
        'later events. Without it, starts with the oldest available event. `latest`: only future ' +
        'events',
    ),
  before: z
    .string()
    .regex(/^(latest|evt_[0-9a-hjkmnp-tv-z]{26})$/, 'must be the id of an event, or latest')
    .optional()
    .describe(
      'Newest first: events before this one, the `next_before` of the previous response, or ' +
        '`latest`. Can’t be combined with `after` and `wait`',
    ),
  limit: Limit.describe('1 to 100; larger values are treated as 100'),
  wait: z.coerce
    .number({ error: 'must be a number' })
    .min(0)
    .max(55)
    .default(0)
    .describe('Seconds to wait for an event before responding, at most 55'),
  type: EventView.shape.type.optional().describe('Only events of this type'),
  task_id: z
    .string()
    .regex(idPattern('task'), 'is not the id of a task')
    .optional()
    .describe('Only events of this task'),
})
type Query = z.output<typeof Query>

export const listEvents = endpoint({
  method: 'GET',
  path: '/events',
  name: 'listEvents',
  auth: 'agent',
  scope: 'read',
  right: 'proofs',
  summary: 'List the events of your tasks',
  description:
    'Every event of the last 30 days, oldest first, whether or not you chose to receive it. If ' +
    'you follow `next_after`, you see each event once, in the order in which they became ' +
    'available. To listen without webhooks, call this repeatedly with `after` and `wait`. With ' +
    '`type`, a page may be empty although there are more events: continue.',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      events: z.array(EventView),
      has_more: z.boolean().describe('There are more events now: call again with next_after'),
      next_after: z
        .string()
        .nullable()
        .describe('The `after` of your next call; null while you have no events: then omit it'),
      next_before: z
        .string()
        .nullable()
        .optional()
        .describe('With `before`: the `before` of the next call; null if there is nothing older'),
    }),
  },
  errors: [cursorExpired],

  transaction: 'own',
  async handler({ db, agent, query, now, disconnectSignal }) {
    if (query.before !== undefined) return showBefore(db, { agent, query, now })
    const start = await startOf(db, { after: query.after, agentId: agent.id, now })
    const { page, position, hasMore } = await untilFound(db, {
      agent,
      start,
      query,
      signal: disconnectSignal(),
    })
    const events = await readEvents(db.reader, { agentId: agent.id, page })
    return {
      status: 200,
      body: render(events, { hasMore, next_after: position.id }),
      isReplay: false,
    }
  },
})

/** Renders events with the same bytes as in deliveries. */
function render(
  events: EventRow[],
  {
    hasMore,
    ...next
  }: { hasMore: boolean; next_after: string | null; next_before?: string | null },
): string {
  return JSON.stringify({ events: events.map(viewEvent), has_more: hasMore, ...next })
}

async function showBefore(
  db: Db,
  { agent, query, now }: { agent: AgentCaller; query: Query; now: Date },
) {
  const agentId = agent.id
  const before = query.before!
  if (query.after !== undefined) throw invalidField('before', 'can’t be combined with after')
  const start = before === 'latest' ? END : await positionAt(db, { before, agentId, now })
  const { page, position, hasMore } = await look(db.reader, {
    agent,
    position: start,
    query,
    isBack: true,
  })
  const events = await readEvents(db.reader, { agentId, page })
  const body = render(events.toReversed(), {
    hasMore,
    next_after: null,
    next_before: hasMore ? position.id : null,
  })
  return { status: 200, body, isReplay: false }
}

const END: Position = { number: Number.MAX_SAFE_INTEGER, id: null }

const positionAt = (db: Db, { before, ...who }: { before: string; agentId: string; now: Date }) =>
  positionAfter(db.reader, { after: before, ...who, findLost: findLostOf(db) }, 'before')

const findLostOf =
  ({ shards }: Db) =>
  (at: Date) =>
    lostSince(shards.global.reader, at)

async function startOf(
  db: Db,
  { after, agentId, now }: { after: string | undefined; agentId: string; now: Date },
): Promise<Position> {
  if (after === undefined) return START
  if (after !== 'latest')
    return positionAfter(db.reader, { after, agentId, findLost: findLostOf(db), now })
  const latest = await db.reader
    .selectFrom('events')
    .select(['id', sql<number>`number`.as('number')])
    .where('agent_id', '=', agentId)
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest ?? START
}

interface Found {
  page: { number: number; created_at: Date }[]
  /** Every event up to here was scanned. */
  position: Position
  hasMore: boolean
}

/** Finds events after `start`; if there are none, waits for new ones as long as the query allows. */
async function untilFound(
  db: Db,
  {
    agent,
    start,
    query,
    signal,
  }: { agent: AgentCaller; start: Position; query: Query; signal: AbortSignal },
): Promise<Found> {
  const agentId = agent.id
  const end = performance.now() + query.wait * 1000
  let position = start
  for (;;) {
    // Read before looking, so an event that arrives in between ends the wait at once.
    const lastNumber = await lastNumberOf(db, agentId)
    const found = await look(db.reader, { agent, position, query })
    const waitMs = end - performance.now()
    if (found.page.length > 0 || found.hasMore || waitMs <= 0 || signal.aborted) return found
    position = found.position
    await untilEvent(db, { agentId, lastNumber, waitMs, signal })
  }
}

/**
 * Pages by the agent's event numbers, because a new number is never lower than one already visible. Ids don't guarantee
 * that: an event can be recorded before another one and become visible after it.
 */
async function look(
  db: Reader,
  {
    agent: { id: agentId, visibleKeyId },
    position,
    query: { type, task_id, limit },
    isBack = false,
  }: { agent: AgentCaller; position: Position; query: Query; isBack?: boolean },
): Promise<Found> {
  // Fetch one extra row to know whether there is another page.
  const lookedAtMax = type === undefined && visibleKeyId === null ? limit + 1 : LOOKED_AT_MAX
  let events = db
    .selectFrom('events')
    .select(['id', sql<number>`number`.as('number'), 'type', 'task_id', 'created_at'])
    .where('agent_id', '=', agentId)
    .where('number', isBack ? '<' : '>', position.number)
    .orderBy('number', isBack ? 'desc' : 'asc')
    .limit(lookedAtMax)
  if (task_id !== undefined) events = events.where('task_id', '=', task_id)
  // Lets the query skip partitions of earlier days. No event waits longer than LAG_MS_MAX for its number.
  if (!isBack && position.id !== null)
    events = events.where('created_at', '>=', new Date(timeOf(position.id).getTime() - LAG_MS_MAX))
  const looked = await events.execute()

  const ofType = type === undefined ? looked : looked.filter((event) => event.type === type)
  const wanted =
    visibleKeyId === null ? ofType : await seenBy(db, { visibleKeyId, agentId }, ofType)
  const page = wanted.slice(0, limit)
  const isCut = wanted.length > limit
  const { id, number } = (isCut ? page.at(-1) : looked.at(-1)) ?? position
  return { page, position: { id, number }, hasMore: isCut || looked.length === lookedAtMax }
}

/** Keeps the events of tasks that the caller's API key can see. */
async function seenBy<Event extends { task_id: string | null }>(
  db: Reader,
  { visibleKeyId, agentId }: { visibleKeyId: string; agentId: string },
  events: Event[],
): Promise<Event[]> {
  const seen = await db
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', sql<string>`any(${events.flatMap(({ task_id }) => task_id ?? [])})`)
    .where('agent_id', '=', agentId)
    .where(sql<boolean>`key_path @> array[${visibleKeyId}]`)
    .execute()
  const ids = new Set(seen.map(({ id }) => id))
  return events.filter(({ task_id }) => task_id !== null && ids.has(task_id))
}

async function readEvents(
  db: Reader,
  { agentId, page }: { agentId: string; page: Found['page'] },
): Promise<EventRow[]> {
  if (page.length === 0) return []
  const times = page.map(({ created_at }) => created_at.getTime())
  return (
    db
      .selectFrom('events')
      .select(['id', 'type', 'created_at', 'sequence', 'data'])
      .where('agent_id', '=', agentId)
      .where(
        'number',
        'in',
        page.map(({ number }) => number),
      )
      // Lets the query skip partitions of other days. The `+ 1` is needed because a Date drops the microseconds.
      .where('created_at', '>=', new Date(Math.min(...times)))
      .where('created_at', '<', new Date(Math.max(...times) + 1))
      .orderBy('number')
      .execute()
  )
}
