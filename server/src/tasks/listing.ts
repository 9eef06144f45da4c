/** Removes a task from the feed, hides it from workers, and shows it again. */
import { call } from '../kit/call.ts'
import type { Tx } from '../kit/db.ts'
import { hasFreeSlot, moveTasks } from './moves.ts'
import type { Task } from './queries.ts'
import { SCREENING } from './view.ts'

/**
 * Shows in the feed that a slot was taken, in the same transaction. With the last slot the task leaves the feed, so no
 * page that is read after the response shows it (docs/decisions/0037-the-feed-is-a-store-of-its-own.md).
 */
export async function showSlotTaken(tx: Tx, task: Task): Promise<void> {
  const { id, status, slots_taken } = task
  if (!hasFreeSlot(task)) await leaveFeed(tx, { id })
  else
    await call(tx, 'feed_take_slot', {
      p_task: id,
      p_status: status,
      p_slots_taken: slots_taken,
    })
}

/** Removes the task from the feed, in the transaction after which nobody can accept it. */
async function leaveFeed(tx: Tx, { id }: Pick<Task, 'id'>): Promise<void> {
  await call(tx, 'feed_leave', { p_ids: [id] })
}

/** Hides a task: the feed no longer shows it, and nobody can accept it. */
export async function hideTask(tx: Tx, { id, agent_id }: Task, now: Date): Promise<Task> {
  await leaveFeed(tx, { id })
  return tx
    .updateTable('tasks')
    .set({ reported_at: now })
    .where('id', '=', id)
    .where('agent_id', '=', agent_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Shows a hidden task again. Its event brings it back into the feed, if it can still be accepted. */
export async function showTaskAgain(tx: Tx, { id, status_reason }: Task, now: Date): Promise<Task> {
  const task = await tx
    .updateTable('tasks')
    .set({ reported_at: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const becomes = status_reason === SCREENING ? { status_reason: null } : {}
  const [shown] = await moveTasks(
    tx,
    [{ task, becomes, events: [{ type: 'task.reopened', data: {} }] }],
    { now },
  )
  return shown!
}
