/**
 * The inbox of the processor's notifications. Each is retried until it succeeds; it is never dropped, only
 * dead-lettered for an operator.
 */
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'
import type { Notification } from './client-notifications.ts'

export type EventSource = 'account' | 'connect' | 'v2' | 'list'

/** After this many failures a notification waits for an operator. With the delays below that is more than a day. */
export const EVENT_ATTEMPTS_MAX = 12
/** After this time, assume that the job requested immediately was lost. */
const FIRST_LOOK_MS = 60_000
const DELAY_MAX_MS = 6 * 3_600_000

/** The format of the processor's object ids. */
const ID = /^[a-z]{2,}[a-z0-9]*_[A-Za-z0-9_]{1,100}$/

export interface ProcessorEvent {
  event_id: string
  type: string
  object_id: string
  account_id: string | null
  /** Ids of related objects, by field name. */
  payload: unknown
  attempts: number
}

/** Stores a notification and requests a job for it; does nothing for a duplicate. Returns whether it is new. */
export async function storeNotification(
  tx: Tx,
  { source, notification, now }: { source: EventSource; notification: Notification; now: Date },
): Promise<boolean> {
  const stored = await tx
    .insertInto('processor_events')
    .values({
      event_id: notification.id,
      source,
      type: notification.type,
      // `balance.available` and a few others have no object.
      object_id: notification.objectId ?? notification.account ?? '',
      account_id: notification.account ?? null,
      payload: JSON.stringify(idsOf(notification.payload)),
      created_at: notification.createdAt,
      received_at: now,
      check_at: new Date(now.getTime() + FIRST_LOOK_MS),
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst()
  if (stored === undefined) return false
  await requestWork(tx, [{ type: 'processor.notified', id: stored.event_id }], { now })
  return true
}

/** Keeps only ids: the payload also says who paid, with which card and from where, which we must not store. */
function idsOf(payload: unknown): Record<string, string> {
  const { data } = payload as { data?: { object?: object } | null }
  const fields = Object.entries(data?.object ?? {}) as [string, unknown][]
  return Object.fromEntries(
    fields.filter(
      (field): field is [string, string] =>
        typeof field[1] === 'string' && ID.test(field[1]) && !field[0].includes('secret'),
    ),
  )
}

export function findPending(reader: Reader, eventId: string): Promise<ProcessorEvent | undefined> {
  return reader
    .selectFrom('processor_events')
    .select(['event_id', 'type', 'object_id', 'account_id', 'payload', 'attempts'])
    .where('event_id', '=', eventId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
}

/** Due notifications, oldest first. */
export function dueEvents(
  reader: Reader,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string }[]> {
  return reader
    .selectFrom('processor_events')
    .select('event_id as id')
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(limit)
    .execute()
}

/** Requests a job again for those that are still due, and postpones their next retry. */
export async function askAgain(
  tx: Tx,
  { eventIds, now }: { eventIds: string[]; now: Date },
): Promise<number> {
  const due = await tx
    .selectFrom('processor_events')
    .select(['event_id', 'attempts'])
    .where('event_id', 'in', eventIds)
    .where('check_at', '<=', now)
    .where('status', '=', 'pending')
    .orderBy('event_id')
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { event_id, attempts } of due)
    await tx
      .updateTable('processor_events')
      .set({ check_at: nextLook(now, attempts + 1) })
      .where('event_id', '=', event_id)
      .execute()
  await requestWork(
    tx,
    due.map(({ event_id }) => ({ type: 'processor.notified', id: event_id })),
    { now },
  )
  return due.length
}

export async function endEvent(
  tx: Tx,
  { eventId, status, now }: { eventId: string; status: 'handled' | 'ignored'; now: Date },
): Promise<void> {
  await tx
    .updateTable('processor_events')
    .set({ status, error: null, handled_at: now, check_at: null })
    .where('event_id', '=', eventId)
    .where('status', '=', 'pending')
    .execute()
}

/** Records a failure. After too many, the notification is dead until an operator runs `ops events retry`. */
export async function failEvent(
  tx: Tx,
  { event, error, now }: { event: ProcessorEvent; error: string; now: Date },
): Promise<'pending' | 'dead'> {
  const attempts = event.attempts + 1
  const isDead = attempts >= EVENT_ATTEMPTS_MAX
  await tx
    .updateTable('processor_events')
    .set({
      attempts,
      error: error.slice(0, 500),
      status: isDead ? 'dead' : 'pending',
      check_at: isDead ? null : nextLook(now, attempts),
    })
    .where('event_id', '=', event.event_id)
    .where('status', '=', 'pending')
    .where('attempts', '=', event.attempts)
    .execute()
  return isDead ? 'dead' : 'pending'
}

/** Makes dead notifications pending again. */
export async function reviveEvents(tx: Tx, { now }: { now: Date }): Promise<number> {
  const revived = await tx
    .updateTable('processor_events')
    .set({ status: 'pending', attempts: 0, check_at: nextLook(now, 1) })
    .where('status', '=', 'dead')
    .returning('event_id')
    .execute()
  await requestWork(
    tx,
    revived.map(({ event_id }) => ({ type: 'processor.notified', id: event_id })),
    { now },
  )
  return revived.length
}

export async function countDead(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom('processor_events')
    .select(sql<number>`count(*)`.as('count'))
    .where('status', '=', 'dead')
    .executeTakeFirstOrThrow()
  return count
}

/** Exponential backoff: one minute, two, four … six hours. */
function nextLook(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(FIRST_LOOK_MS * 2 ** attempts, DELAY_MAX_MS))
}
