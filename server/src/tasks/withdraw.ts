/**
 * Withdraw the tasks of a restricted agent that nobody has accepted. What workers hold or have proved is honoured.
 *
 *   called by   the event agent.restricted
 *   moves       pending → cancelled
 *   money       escrow → agent, debt first; for a free task → promotional fund, and the free task comes back
 *   event       task.cancelled
 */
import type { Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { Work as WorkPayload } from '../webhooks/record-event.ts'
import { endWithout } from './end-without.ts'
import { moveTasks } from './moves.ts'
import { lockFreeWork } from './queries.ts'

const TOGETHER = 50

export const withdraw = job({
  name: 'tasks.withdraw',
  payload: WorkPayload,
  attemptsMax: 8,
  events: ['agent.restricted'],

  async run({ db, clock, payload }) {
    const agentId = payload.data.id
    for (;;) {
      const tasks = await db.reader
        .selectFrom('tasks')
        .innerJoin('agents', 'agents.id', 'tasks.agent_id')
        .select('tasks.id')
        .where('tasks.agent_id', '=', agentId)
        .where('tasks.status', '=', 'pending')
        .where('agents.status', '=', 'restricted')
        .orderBy('tasks.id')
        .limit(TOGETHER)
        .execute()
      if (tasks.length === 0) return
      const taskIds = tasks.map(({ id }) => id)
      const withdrawn = await db.transaction((tx) =>
        withdrawTasks(tx, { taskIds, now: clock.now() }),
      )
      // Somebody holds all of them, perhaps to accept them: this job is tried again in a moment.
      if (withdrawn === 0) throw new Error(`the tasks of ${agentId} are held by others`)
    }
  },
})

/** Ends those of the tasks that are still pending and that no one else holds at this moment. */
export async function withdrawTasks(
  tx: Tx,
  { taskIds, now }: { taskIds: string[]; now: Date },
): Promise<number> {
  const works = await lockFreeWork(tx, taskIds)
  const moves = works
    .filter(({ task }) => task.status === 'pending')
    .map((work) =>
      endWithout(work, {
        status: 'cancelled',
        reason: 'agent_restricted',
        payFor: { held: 0, submitted: 0 },
        now,
      }),
    )
  await moveTasks(tx, moves, { now })
  return moves.length
}
