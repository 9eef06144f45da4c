/**
 * Delete all data of expired test agents: tasks, proofs, events, deliveries, workers, their lines in the test book, and
 * the agents themselves. Their files are already deleted (files/remove-ended.ts). Each step is a small transaction that
 * blocks nobody for long; after a crash the next pass continues with the rest.
 *
 *   called by   the clock, TEST_KEEP_HOURS after expires_at of an agent has passed
 *   moves       a closed test agent → (none)
 *   money       its whole test book is deleted; the function refuses to delete live data
 *   event       none
 */
import { sql } from 'kysely'
import { call } from '../kit/call.ts'
import { type Background, sweep } from '../kit/job.ts'
import { releaseTestEmails } from '../workers/make-test-worker.ts'

const ROWS_TOGETHER = 500
/** Per agent and pass, so that many agents make progress in parallel. */
const BATCHES_TOGETHER = 40
const HOUR_MS = 3_600_000

export const eraseAgents = sweep({
  name: 'rehearsal.erase-agents',
  isTest: true,

  due: ({ db, clock, config }, limit) =>
    db.reader
      .selectFrom('agents')
      .select('id')
      .where('mode', '=', 'test')
      .where('status', '=', 'closed')
      .where('expires_at', '<=', new Date(clock.now().getTime() - config.TEST_KEEP_HOURS * HOUR_MS))
      .where(
        sql<boolean>`not exists (
          select 1 from workers w join files f on f.worker_id = w.id where w.agent_id = agents.id)`,
      )
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  async move(background, rows) {
    let erased = 0
    for (const { id } of rows) if (await eraseAgent(background, id)) erased += 1
    return erased
  },
})

/** Returns true when nothing of the agent is left. */
async function eraseAgent(background: Background, agentId: string): Promise<boolean> {
  const { db, metrics } = background
  await releaseTestEmails(db, agentId)
  for (let batch = 0; batch < BATCHES_TOGETHER; batch += 1) {
    const rows = await call(db.reader, 'rehearsal_erase_agent', {
      p_agent: agentId,
      p_limit: ROWS_TOGETHER,
    })
    for (const { relation, deleted } of rows) metrics.erasedRows.inc({ table: relation }, deleted)
    if (rows.some(({ relation }) => relation === 'agents')) return true
  }
  return false
}
