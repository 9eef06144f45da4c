/**
 * Expire tasks whose deadline has passed without a proof: their whole budget comes back.
 *
 *   called by   the clock, when `deadline` has passed
 *   moves       pending → expired, in_progress → expired
 *   money       escrow → wallet; for a free task escrow → promotional fund, and the free task comes back
 *   event       task.expired
 */
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import { refundAndEnd } from './refund.ts'
import { viewTask } from './view.ts'

export const expire = sweep({
  name: 'tasks.expire',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('tasks')
      .select('id')
      .where('status', 'in', ['pending', 'in_progress'])
      .where('deadline', '<=', clock.now())
      .orderBy('deadline')
      .limit(limit)
      .execute(),

  move: ({ db, clock }, rows) =>
    db.transaction((tx) =>
      expireTasks(tx, { taskIds: rows.map(({ id }) => id), now: clock.now() }),
    ),
})

/** Expires those of the tasks that are still due and that no one else holds at this moment. */
export async function expireTasks(
  tx: Tx,
  { taskIds, now }: { taskIds: string[]; now: Date },
): Promise<number> {
  const due = await tx
    .selectFrom('tasks')
    .selectAll()
    .where('id', 'in', taskIds)
    .where('status', 'in', ['pending', 'in_progress'])
    .where('deadline', '<=', now)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()

  const expired = await refundAndEnd(tx, due, { to: 'expired', reason: 'deadline_passed', now })
  await recordEvents(
    tx,
    expired.map((task) => ({
      type: 'task.expired',
      agentId: task.agent_id,
      taskId: task.id,
      data: { task: viewTask(task) },
      now,
    })),
  )
  return expired.length
}
