/** Decides whether a worker who leaves an unsafe place is paid at once, exactly, also if several requests race. */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import type { Assignment, Task } from '../tasks/queries.ts'
import { isConsensus } from '../tasks/votes.ts'

const DAY_MS = 86_400_000

/** The period in which UNSAFE_PAID_AT_ONCE_MAX applies. */
const PERIOD_MS = 30 * DAY_MS

/**
 * Whether the task lets a worker be paid without the agent: only at a place, for the one worker of a paid task. A free
 * task waits for its agent, because the platform pays for it.
 */
const canBePaidAtOnce = (task: Task) =>
  task.funding === 'wallet' &&
  !isConsensus(task) &&
  (task.location !== null || task.type === 'field_mission')

/**
 * Records the exit, once per assignment, and returns whether it is paid at once. The transaction is on the worker's
 * shard, not on the task's: the worker's row serializes this worker's exits, so the limit holds for all tasks together.
 */
export async function recordExit(
  tx: Tx,
  { task, assignment }: { task: Task; assignment: Assignment },
  { config, now }: { config: Pick<Config, 'UNSAFE_PAID_AT_ONCE_MAX'>; now: Date },
): Promise<boolean> {
  const workerId = assignment.worker_id
  const { approved_count } = await tx
    .selectFrom('workers')
    .select('approved_count')
    .where('id', '=', workerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const earlier = await tx
    .selectFrom('unsafe_exits')
    .select(['assignment_id', 'is_paid_at_once'])
    .where('worker_id', '=', workerId)
    .where('created_at', '>', new Date(now.getTime() - PERIOD_MS))
    .execute()
  const same = earlier.find(({ assignment_id }) => assignment_id === assignment.id)
  if (same) return same.is_paid_at_once

  const paidBefore = earlier.filter(({ is_paid_at_once }) => is_paid_at_once).length
  // Without approved work, a new account could accept tasks only to leave them.
  const is_paid_at_once =
    canBePaidAtOnce(task) && approved_count > 0 && paidBefore < config.UNSAFE_PAID_AT_ONCE_MAX
  await tx
    .insertInto('unsafe_exits')
    .values({
      assignment_id: assignment.id,
      worker_id: workerId,
      is_paid_at_once,
      created_at: now,
    })
    .execute()
  return is_paid_at_once
}
