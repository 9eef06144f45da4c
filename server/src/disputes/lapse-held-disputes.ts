/**
 * End held disputes that nobody decided in time: they have no effect, and the workers are paid.
 *
 *   called by   the clock, HELD_DISPUTE_HOURS after a dispute was held
 *   moves       proof_submitted → completed; if only single proofs were disputed, the task awaits its verdict again
 *   money       as in tasks/approve.ts
 *   event       task.completed, with approved_by: auto; task.dispute_resolved
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import type { Dispute } from '../tasks/dispute-view.ts'
import { lockFreeWork } from '../tasks/queries.ts'
import { endHeldDispute } from './held-disputes.ts'

export const lapseHeldDisputes = sweep({
  name: 'tasks.lapse-held-disputes',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('disputes')
      .select('id')
      .where('status', '=', 'held')
      .where('decides_by', '<=', clock.now())
      .orderBy('decides_by')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      lapseDisputes(tx, { disputeIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

export async function lapseDisputes(
  tx: Tx,
  {
    disputeIds,
    config,
    now,
  }: { disputeIds: string[]; config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<number> {
  const found = await dueDisputes(tx, { disputeIds, now })
  if (found.length === 0) return 0
  const works = await lockFreeWork(
    tx,
    found.map(({ task_id }) => task_id),
  )
  // Read again under the lock: someone may have decided in the meantime.
  const due = await dueDisputes(tx, { disputeIds, now })
  let lapsed = 0
  for (const work of works) {
    const dispute = due.find(({ task_id }) => task_id === work.task.id)
    if (dispute === undefined) continue
    await endHeldDispute(tx, { ...work, dispute }, { status: 'lapsed', by: 'clock', config, now })
    lapsed += 1
  }
  return lapsed
}

const dueDisputes = (
  tx: Tx,
  { disputeIds, now }: { disputeIds: string[]; now: Date },
): Promise<Dispute[]> =>
  tx
    .selectFrom('disputes')
    .selectAll()
    .where('id', 'in', disputeIds)
    .where('status', '=', 'held')
    .where('decides_by', '<=', now)
    .orderBy('id')
    .execute()
