/**
 * Cancel screened tasks that no operator decided in time.
 *
 *   called by   the clock, SCREENING_WAIT_MINUTES after the creation and never later than the deadline
 *   moves       pending → cancelled
 *   money       escrow → wallet; for a free task → promotional fund, and the free task is restored
 *   event       task.cancelled
 */
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { lockFreeWork } from '../tasks/queries.ts'
import { endScreening } from './screenings.ts'

export const lapseScreenings = sweep({
  name: 'tasks.lapse-screenings',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('screenings')
      .select('task_id as id')
      .where('decision', 'is', null)
      .where('decides_by', '<=', clock.now())
      .orderBy('decides_by')
      .limit(limit)
      .execute(),

  move: ({ db, clock }, rows) =>
    db.transaction((tx) => lapse(tx, { taskIds: rows.map(({ id }) => id), now: clock.now() })),
})

/** Rows of tasks that have ended in the meantime are closed too, so that they don't stay due. */
async function lapse(tx: Tx, { taskIds, now }: { taskIds: string[]; now: Date }): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  for (const work of works) await endScreening(tx, work, { decision: 'lapsed', now })
  return works.length
}
