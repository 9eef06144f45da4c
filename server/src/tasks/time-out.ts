/**
 * Take a task back from a worker whose time has run out: its slot becomes free for other workers.
 *
 *   called by   the clock, when `expires_at` has passed; ten minutes later if an upload has begun
 *   moves       in_progress → pending, unless others hold it or have sent proof
 *   money       none
 *   event       task.released; task.approval_due if it was a revision and the last missing proof
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import { sweep } from '../kit/job.ts'
import { lastReadOnly } from '../kit/switches.ts'
import { giveUp } from './give-up.ts'
import { type Move, moveTasks } from './moves.ts'
import { type Assignment, lockFreeWork } from './queries.ts'
import { UPLOAD_GRACE_MS } from './timers.ts'

export const timeOut = sweep({
  name: 'tasks.time-out',
  isByMode: true,

  due: ({ db, clock }, limit, mode) =>
    db.reader
      .selectFrom('assignments')
      .select('id')
      .where('status', '=', 'accepted')
      .where('expires_at', '<=', clock.now())
      .where((row) =>
        row.or([
          row('upload_begun_at', 'is', null),
          row('expires_at', '<=', new Date(clock.now().getTime() - UPLOAD_GRACE_MS)),
        ]),
      )
      .$if(mode !== undefined, (query) => query.where(isOfMode(mode!)))
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  move: ({ db, clock }, rows) =>
    db.transaction((tx) =>
      timeOutAssignments(tx, { ids: rows.map(({ id }) => id), now: clock.now() }),
    ),
})

const isOfMode = (mode: Mode) =>
  sql<boolean>`exists (select 1 from agents a where a.id = assignments.agent_id and a.mode = ${mode})`

export async function timeOutAssignments(
  tx: Tx,
  { ids, now }: { ids: string[]; now: Date },
): Promise<number> {
  const found = await tx
    .selectFrom('assignments')
    .select('task_id')
    .where('id', 'in', ids)
    .execute()
  const works = await lockFreeWork(tx, [...new Set(found.map(({ task_id }) => task_id))])

  // Each pass times out only one slot per task. The next pass finds the others.
  const readOnlyUntil = await lastReadOnly(tx, now)
  const moves: Move[] = []
  for (const work of works) {
    const due = work.assignments.find((slot) => ids.includes(slot.id) && isOver(slot, now))
    if (due === undefined || work.task.status !== 'in_progress') continue
    // A worker who could not send proof for a part of the time has not abandoned the task.
    const isHeldAgainst = readOnlyUntil === undefined || due.accepted_at > readOnlyUntil
    const how = { as: 'expired' as const, reason: null, isHeldAgainst, now }
    moves.push(await giveUp(tx, work, due, how))
  }
  await moveTasks(tx, moves, { now })
  return moves.length
}

/** Whether a worker's time for a task has run out, including the grace period for uploads. */
function isOver(slot: Assignment, now: Date): boolean {
  const graceMs = slot.upload_begun_at === null ? 0 : UPLOAD_GRACE_MS
  return slot.status === 'accepted' && slot.expires_at.getTime() + graceMs <= now.getTime()
}
