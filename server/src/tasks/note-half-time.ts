/**
 * Remind a worker, once, that half of their time for a task has passed.
 *
 *   called by   the clock, halfway between `accepted_at` and `expires_at`; not for revisions, since the start of their
 *               second timer isn't stored
 *   moves       nothing
 *   money       none
 *   event       assignment.half (internal)
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import type { WorkRequest } from '../webhooks/record-event.ts'

/** Must match the expression of the index assignments_half. */
const HALF = sql<Date>`
  (accepted_at at time zone 'UTC') + ((expires_at at time zone 'UTC') - (accepted_at at time zone 'UTC')) / 2`

export const noteHalfTime = askWhenDue({
  name: 'tasks.note-half-time',

  due: (db, { now, limit }) =>
    db
      .selectFrom('assignments')
      .select('id')
      .where('status', '=', 'accepted')
      .where('revisions', '=', 0)
      .where('half_told_at', 'is', null)
      .where(HALF, '<=', sql<Date>`${now}::timestamptz at time zone 'UTC'`)
      .orderBy(HALF)
      .limit(limit)
      .execute(),

  putOff: noteHalves,
})

/** Records the reminder for assignments that are still held and weren't reminded yet. */
export async function noteHalves(
  tx: Tx,
  { ids, now }: { ids: string[]; now: Date },
): Promise<WorkRequest[]> {
  // Skips locked rows. The next pass finds them again if they are still held.
  const free = await tx
    .selectFrom('assignments')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', 'accepted')
    .where('half_told_at', 'is', null)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  if (free.length === 0) return []
  await tx
    .updateTable('assignments')
    .set({ half_told_at: now })
    .where('id', '=', sql<string>`any(${free.map(({ id }) => id)})`)
    .execute()
  return free.map(({ id }) => ({ type: 'assignment.half', id }))
}
