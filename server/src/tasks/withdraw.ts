/**
 * Withdraw the unaccepted tasks of a restricted agent. Tasks that workers hold or have proved are honored. For a closed
 * test agent, withdraw all unfinished tasks, because nobody is left to review them.
 *
 *   called by   the events agent.restricted and agent.closed
 *   moves       pending → cancelled; for a closed agent also in_progress → cancelled
 *   money       escrow → agent, debt first; for a free task → promotional fund, and the free task is restored
 *   event       task.cancelled
 */
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { Work as WorkPayload } from '../webhooks/record-event.ts'
import { endWithoutVerdict } from './end-without-verdict.ts'
import { moveTasks } from './moves.ts'
import { lockFreeWork } from './queries.ts'

const TOGETHER = 50

export const withdraw = job({
  name: 'tasks.withdraw',
  payload: WorkPayload,
  attemptsMax: 8,
  events: ['agent.restricted', 'agent.closed'],

  async run({ db, clock, payload }) {
    const agentId = payload.data.id
    for (;;) {
      const tasks = await db.reader
        .selectFrom('tasks')
        .innerJoin('agents', 'agents.id', 'tasks.agent_id')
        .select(['tasks.id', 'agents.status as agentStatus'])
        .where('tasks.agent_id', '=', agentId)
        .where(({ or, and, eb }) =>
          or([
            and([eb('agents.status', '=', 'restricted'), eb('tasks.status', '=', 'pending')]),
            and([
              eb('agents.status', '=', 'closed'),
              eb('tasks.status', 'in', ['pending', 'in_progress']),
            ]),
          ]),
        )
        .orderBy('tasks.id')
        .limit(TOGETHER)
        .execute()
      if (tasks.length === 0) return
      const taskIds = tasks.map(({ id }) => id)
      const isClosed = tasks[0]!.agentStatus === 'closed'
      const withdrawn = await db.transaction((tx) =>
        withdrawTasks(tx, { taskIds, isClosed, now: clock.now() }),
      )
      // All tasks are locked by other transactions, perhaps by accepts. The queue retries this job shortly.
      if (withdrawn === 0) throw new Error(`the tasks of ${agentId} are locked by others`)
    }
  },
})

/** Ends the tasks that still qualify. Skips tasks that are locked by another transaction. */
export async function withdrawTasks(
  tx: Tx,
  { taskIds, isClosed = false, now }: { taskIds: string[]; isClosed?: boolean; now: Date },
): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  const moves = works
    .filter(
      ({ task: { status } }) => status === 'pending' || (isClosed && status === 'in_progress'),
    )
    .map((work) =>
      endWithoutVerdict(work, {
        status: 'cancelled',
        reason: isClosed ? 'agent_closed' : 'agent_restricted',
        payFor: { held: 0, submitted: 0 },
        now,
      }),
    )
  await moveTasks(tx, moves, { now })
  return moves.length
}
