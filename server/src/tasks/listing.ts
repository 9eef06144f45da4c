/** Removes a task from the feed, hides it from workers, and shows it again. */
import type { Tx } from '../kit/db.ts'
import { moveTasks } from './moves.ts'
import type { Task } from './queries.ts'

/** Removes the task's row from the feed, in the transaction that makes the task impossible to accept. */
export async function leaveFeed(tx: Tx, { id }: Pick<Task, 'id'>): Promise<void> {
  await tx.deleteFrom('open_tasks').where('task_id', '=', id).execute()
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
export async function showTaskAgain(tx: Tx, { id }: Task, now: Date): Promise<Task> {
  const task = await tx
    .updateTable('tasks')
    .set({ reported_at: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const [shown] = await moveTasks(
    tx,
    [{ task, becomes: {}, events: [{ type: 'task.reopened', data: {} }] }],
    { now },
  )
  return shown!
}
