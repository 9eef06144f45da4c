/**
 * Close test agents that were not claimed within seven days.
 *
 *   called by   the clock, when expires_at of an agent has passed
 *   moves       an agent → closed, its workers → closed; tasks.withdraw cancels unfinished tasks
 *   money       none
 *   event       agent.closed (ours)
 */
import { closeAgents } from '../agents/close.ts'
import { sweep } from '../kit/job.ts'
import { closeTestWorkers } from '../workers/close-test-workers.ts'

export const endAgents = sweep({
  name: 'rehearsal.end-agents',
  isTest: true,

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('agents')
      .select('id')
      .where('expires_at', '<=', clock.now())
      .where('status', '<>', 'closed')
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  move: ({ db, clock }, rows) =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const agentIds = await closeAgents(tx, { agentIds: rows.map(({ id }) => id), now })
      await closeTestWorkers(tx, { agentIds, now })
      return agentIds.length
    }),
})
