/**
 * Approve tasks whose agent didn't respond in time, and pay the workers.
 *
 *   called by   the clock, when `auto_approve_after` has passed since the last proof
 *   moves       proof_submitted → completed
 *   money       as in approve.ts; an unresolved conflict is paid, too, without a result
 *   event       task.completed, with approved_by: auto
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { decideApproval } from './approve.ts'
import { moveTasks } from './moves.ts'
import { lockFreeWork } from './queries.ts'

export const autoApprove = sweep({
  name: 'tasks.auto-approve',
  isByMode: true,

  due: ({ db, clock }, limit, mode) =>
    db.reader
      .selectFrom('tasks')
      .select('id')
      .where('status', '=', 'proof_submitted')
      .where('review_due_at', 'is not', null)
      .where('review_due_at', '<=', clock.now())
      .$if(mode !== undefined, (query) => query.where('mode', '=', mode!))
      .orderBy('review_due_at')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      autoApproveTasks(tx, { taskIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

export async function autoApproveTasks(
  tx: Tx,
  {
    taskIds,
    config,
    now,
  }: { taskIds: string[]; config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  const due = works.filter(
    ({ task }) =>
      task.status === 'proof_submitted' && task.review_due_at !== null && task.review_due_at <= now,
  )
  const moves = due.flatMap((work) => decideApproval(work, { by: 'auto', config, now }).move ?? [])
  await moveTasks(tx, moves, { now })
  return moves.length
}
