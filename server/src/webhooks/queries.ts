import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { idPattern, timeOf } from '../kit/ids.ts'
import { cursorExpired } from './errors.ts'

const MINUTE_MS = 60_000
const KEPT_MS = 30 * 86_400_000
const EVENT_ID = idPattern('evt')

/** A reader's position in an agent's log: after this event, or before the first one if `id` is null. */
export interface Position {
  number: number
  id: string | null
}

export const START: Position = { number: 0, id: null }

/** As text, because deliveries refer to an event by its microseconds and a Date keeps only milliseconds. */
export const eventAt = sql<string>`created_at::text`.as('event_at')

/** Accepts any text; returns undefined if it isn't an event id. */
export async function findEvent(
  db: Reader,
  { eventId, agentId }: { eventId: string; agentId: string },
) {
  if (!EVENT_ID.test(eventId)) return undefined
  // An id contains the time of its event, so only that day's partition of the log is read.
  const at = timeOf(eventId).getTime()
  return db
    .selectFrom('events')
    .select(['id', 'number', 'task_id', eventAt])
    .where('id', '=', eventId)
    .where('agent_id', '=', agentId)
    .where('created_at', '>=', sql<Date>`to_timestamp(${(at - MINUTE_MS) / 1000})`)
    .where('created_at', '<=', sql<Date>`to_timestamp(${(at + MINUTE_MS) / 1000})`)
    .executeTakeFirst()
}

export interface Cursor {
  after: string
  agentId: string
  /** Calls `lostSince` in the global schema, which knows the restores. */
  findLost(at: Date): Promise<Date | undefined>
  now: Date
}

/** The position after an event that the caller has already seen. */
export async function positionAfter(
  db: Reader,
  { after, agentId, findLost, now }: Cursor,
  field = 'after',
): Promise<Position> {
  const event = await findEvent(db, { eventId: after, agentId })
  if (event !== undefined && event.number !== null) return { number: event.number, id: event.id }
  if (timeOf(after).getTime() < now.getTime() - KEPT_MS) throw cursorExpired()
  const since = await findLost(timeOf(after))
  if (since !== undefined) return lastBefore(db, { agentId, since })
  throw invalidField(field, 'must be the id of one of your events')
}

/** For a cursor that a restore has lost: the reader sees some events again, and misses none. */
async function lastBefore(
  db: Reader,
  { agentId, since }: { agentId: string; since: Date },
): Promise<Position> {
  const last = await db
    .selectFrom('events')
    .select(['id', sql<number>`number`.as('number')])
    .where('agent_id', '=', agentId)
    .where('number', 'is not', null)
    .where('created_at', '<', since)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? START
}
