/**
 * End suspensions that have expired, and decisions with an objection that no operator replied to in time.
 *
 *   called by   the clock, when `due_at` has passed
 *   moves       the worker: suspended or closed → active
 *   money       none
 *   event       worker.reinstated (ours): notifies the worker by email
 */
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { decisionInForce, lockWorker } from './decisions.ts'
import { endDecision } from './reinstate.ts'

export const endDecisions = sweep({
  name: 'workers.end-decisions',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('worker_decisions')
      .select('id')
      .where('due_at', '<=', clock.now())
      .orderBy('due_at')
      .limit(limit)
      .execute(),

  async move({ db, clock }, rows) {
    const ids = rows.map(({ id }) => id)
    return db.transaction((tx) => endDueDecisions(tx, { ids, now: clock.now() }))
  },
})

export async function endDueDecisions(
  tx: Tx,
  { ids, now }: { ids: string[]; now: Date },
): Promise<number> {
  const found = await tx
    .selectFrom('worker_decisions')
    .select('worker_id')
    .where('id', 'in', ids)
    .where('due_at', '<=', now)
    .orderBy('worker_id')
    .execute()
  let ended = 0
  for (const { worker_id } of found) {
    await lockWorker(tx, worker_id)
    const decision = await decisionInForce(tx, worker_id)
    if (decision === undefined || decision.due_at === null || decision.due_at > now) continue
    const hasPassed = decision.ends_at !== null && decision.ends_at <= now
    await endDecision(tx, decision, { ended_for: hasPassed ? 'time_passed' : 'no_reply', now })
    ended += 1
  }
  return ended
}
