/**
 * End changes of an email that were not confirmed in time, and those that can no longer be undone. The old address then
 * becomes free.
 *
 *   called by   the clock, when the link or the time for undoing has expired
 *   moves       an email change: pending or confirmed → ended
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { sweep } from '../kit/job.ts'
import type { Tx } from '../kit/db.ts'
import { lockWorker } from './decisions.ts'
import { endChanges, releaseAddresses } from './email-changes.ts'

const dueAt = sql<Date>`coalesce(undo_until, expires_at)`

export const endEmailChanges = sweep({
  name: 'workers.end-email-changes',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('worker_email_changes')
      .select('id')
      .where('ended_at', 'is', null)
      .where(dueAt, '<=', clock.now())
      .orderBy(dueAt)
      .limit(limit)
      .execute(),

  // Workers are on different shards, so each change gets its own transaction.
  async move({ db, clock }, rows) {
    const now = clock.now()
    let ended = 0
    for (const { id } of rows) {
      const workerId = await db.transaction((tx) => endDueChange(tx, { id, now }))
      if (workerId === undefined) continue
      await releaseAddresses(db.shards, workerId)
      ended += 1
    }
    return ended
  },
})

/** Returns the worker; undefined if the change has ended already. */
async function endDueChange(
  tx: Tx,
  { id, now }: { id: string; now: Date },
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('worker_email_changes')
    .select('worker_id')
    .where('id', '=', id)
    .executeTakeFirst()
  const workerId = found?.worker_id ?? ''
  await lockWorker(tx, workerId)
  const change = await tx
    .selectFrom('worker_email_changes')
    .select('confirmed_at')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where(dueAt, '<=', now)
    .executeTakeFirst()
  if (change === undefined) return undefined
  const endedFor = change.confirmed_at === null ? 'expired' : 'final'
  await endChanges(tx, { workerId, ids: [id], endedFor, now })
  return workerId
}
