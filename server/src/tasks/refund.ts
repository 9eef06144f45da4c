import type { Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { postEntries, returnFreeTasks } from '../ledger/journal.ts'
import { escrowRefund } from '../ledger/movements.ts'
import type { Task } from './queries.ts'

/**
 * Ends tasks that nobody worked on: the whole budget goes back where it came from, and a free task can be used
 * again. The caller holds the tasks and has checked the move.
 */
export async function refundAndEnd(
  tx: Tx,
  tasks: Task[],
  { to, reason, now }: { to: 'expired' | 'cancelled'; reason: string; now: Date },
): Promise<Task[]> {
  if (tasks.length === 0) return []
  const refunds = tasks.map((task) =>
    escrowRefund({
      mode: task.mode,
      shard: shardOf(task.id),
      taskId: task.id,
      agentId: task.agent_id,
      lockedCents: task.locked_cents,
      funding: task.funding,
    }),
  )
  await postEntries(tx, refunds, { now })
  const free = tasks.filter(({ funding }) => funding === 'free')
  await returnFreeTasks(
    tx,
    free.map(({ agent_id }) => agent_id),
  )

  return tx
    .updateTable('tasks')
    .set({ status: to, status_reason: reason, escrow_cents: 0, updated_at: now, ended_at: now })
    .where(
      'id',
      'in',
      tasks.map(({ id }) => id),
    )
    .returningAll()
    .execute()
}
