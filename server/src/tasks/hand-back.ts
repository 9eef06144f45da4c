/**
 * Release the slots of a suspended or closed worker to other workers, without a trust penalty.
 *
 *   called by   the clock, starting with the decision, until none of the worker's requests can still be in flight
 *   moves       in_progress → pending, unless others hold it or have sent proof
 *   money       none
 *   event       task.released; task.approval_due if it was a revision and the last missing proof
 */
import type { Reader, Tx } from '../kit/db.ts'
import { type Background, sweep } from '../kit/job.ts'
import { findHandBack, putOffHandBack } from '../workers/hand-backs.ts'
import { giveUp } from './give-up.ts'
import { type Move, moveTasks } from './moves.ts'
import { lockFreeWork } from './queries.ts'

const TOGETHER = 50

export const handBack = sweep({
  name: 'tasks.hand-back',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('worker_decisions')
      .select('id')
      .where('hand_back_at', '<=', clock.now())
      .orderBy('hand_back_at')
      .limit(limit)
      .execute(),

  // The tasks are on other shards than the decision, so each gets its own transaction.
  async move(background, rows) {
    let moved = 0
    for (const { id } of rows) if (await handBackFor(background, id)) moved += 1
    return moved
  },
})

async function handBackFor({ db, clock }: Background, decisionId: string): Promise<boolean> {
  const now = clock.now()
  const found = await findHandBack(db.reader, decisionId)
  if (found === undefined) return false
  const workerId = found.worker_id
  const held = await heldBy(db.reader, workerId)
  for (const { task_id } of held)
    await db.shards
      .at(task_id)
      .transaction((tx) => handBackSlots(tx, { taskIds: [task_id], workerId, now }))
  const isEmpty = (await heldBy(db.reader, workerId)).length === 0
  return db.transaction((tx) => putOffHandBack(tx, found, { isEmpty, now }))
}

const heldBy = (db: Reader, workerId: string) =>
  db
    .selectFrom('worker_assignments')
    .select('task_id')
    .where('worker_id', '=', workerId)
    .where('status', '=', 'accepted')
    .orderBy('id')
    .limit(TOGETHER)
    .execute()

/** Releases the worker's slots. Skips tasks that are locked by another transaction. */
export async function handBackSlots(
  tx: Tx,
  { taskIds, workerId, now }: { taskIds: string[]; workerId: string; now: Date },
): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  const moves: Move[] = []
  for (const work of works) {
    const slot = work.assignments.find(
      ({ worker_id, status }) => worker_id === workerId && status === 'accepted',
    )
    if (slot === undefined || work.task.status !== 'in_progress') continue
    const how = { as: 'released' as const, reason: null, isHeldAgainst: false, now }
    moves.push(await giveUp(tx, work, slot, how))
  }
  await moveTasks(tx, moves, { now })
  return moves.length
}
