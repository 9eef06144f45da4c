/**
 * Refresh the names and verdicts of agents that the feed shows, after a verdict or a rename.
 *
 *   called by   the clock, every minute
 *   moves       nothing
 *   money       none
 *   event       none; the relay has marked the agents after task.completed, task.disputed, task.dispute_resolved and
 *               agent.renamed
 */
import { z } from 'zod'
import { runIn } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { findStale, refreshSome } from './open-agents.ts'

/** Few, because a relay that marks one of them waits for all. */
const REFRESHED_AT_ONCE = 100

export const refreshAgents = job({
  name: 'feed.refresh-agents',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '* * * * *',
  isGlobal: true,

  async run({ db: { shards } }) {
    let count: number
    do {
      count = 0
      const stale = await findStale(shards.feed, REFRESHED_AT_ONCE)
      for (const [db, agentIds] of Map.groupBy(stale, shards.at))
        count += await db.transaction((tx) =>
          runIn(db.shards.feed, { db, tx }, (feed) => refreshSome({ tx, feed }, agentIds)),
        )
    } while (count === REFRESHED_AT_ONCE)
  },
})
