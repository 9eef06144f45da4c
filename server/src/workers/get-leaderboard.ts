/**
 * Show who completed the most tasks. Shows no money, and leaves out workers who have opted out.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { mergeSorted, orderBy, readReachable } from '../kit/everywhere.ts'
import { named } from '../kit/named.ts'
import { spanOf } from './periods.ts'
import { callingWorker, type Worker } from './queries.ts'
import { levelOf, scaleOf, trustScore } from './trust.ts'

const ENTRIES_MAX = 100

const Entry = named(
  'LeaderboardEntry',
  z.object({
    rank: z.int().describe('Workers with equal results share a rank'),
    worker: z.object({ id: z.string(), name: z.string(), level: z.int() }),
    completed: z.int(),
    trust_score: z.int(),
  }),
)

const Query = z.object({
  period: z
    .enum(['week', 'month', 'all'])
    .default('week')
    .describe('This week since Monday, this month, or all time; in UTC'),
})

export const getLeaderboard = endpoint({
  method: 'GET',
  path: '/worker/leaderboard',
  name: 'getLeaderboard',
  auth: 'worker',
  summary: 'Show the leaderboard',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      period: Query.shape.period.unwrap(),
      entries: z.array(Entry).describe(`The first ${ENTRIES_MAX}`),
      me: named('OwnLeaderboardEntry', Entry.extend({ rank: Entry.shape.rank.nullable() }))
        .nullable()
        .describe('Your own entry; without a rank before your first task, null if you opted out'),
    }),
  },
  errors: [],

  handler: ({ db, worker, query, shards, now }) =>
    leaderboard({ home: db, shards: shards.readers }, { worker, period: query.period, now }),
})

/** A worker with a rank among those of the same shard. */
export interface Leader
  extends Pick<
    Worker,
    | 'id'
    | 'name'
    | 'trust_good'
    | 'trust_bad'
    | 'trust_pending'
    | 'approved_count'
    | 'identity_done_at'
  > {
  completed: number
  score: number
  rank: number
}

interface Asked {
  worker: WorkerCaller
  period: 'week' | 'month' | 'all'
  now: Date
}

export async function leaderboard(
  { home, shards }: { home: Reader; shards: readonly Reader[] },
  asked: Asked,
) {
  const { worker, period, now } = asked
  const parts = await readReachable(shards, (shard) => leadersOfShard(shard, asked))
  const view = <Rank>(
    of: Omit<Leader, 'rank' | 'completed' | 'score'>,
    rank: Rank,
    completed: number,
  ) => ({
    rank,
    worker: { id: of.id, name: of.name, level: levelOf(of, now) },
    completed,
    trust_score: trustScore(of, now),
  })
  const entries = rankLeaders(parts.map(({ first }) => first)).map((leader) =>
    view(leader, leader.rank, leader.completed),
  )
  return {
    period,
    entries,
    me:
      entries.find((entry) => entry.worker.id === worker.id) ??
      (await beyond()) ??
      (await unranked()),
  }

  /** The worker's own entry after the last one shown: its rank counts everyone ahead, in all shards. */
  async function beyond() {
    const own = parts.findIndex(({ mine }) => mine !== undefined)
    const mine = parts[own]?.mine
    if (mine === undefined) return undefined
    const others = shards.filter((_, i) => i !== own)
    const ahead = await readReachable(others, (shard) => countAhead(shard, asked, mine))
    return view(
      mine,
      ahead.reduce((sum, count) => sum + count, mine.rank),
      mine.completed,
    )
  }

  async function unranked() {
    const me = await callingWorker(home, worker.id)
    const isOut = (me.preferences as { leaderboard?: boolean }).leaderboard === false
    return isOut ? null : view(me, null, 0)
  }
}

/** The first workers of a shard, and the calling worker if they are in this shard and have completed tasks. */
async function leadersOfShard(
  shard: Reader,
  asked: Asked,
): Promise<{ first: Leader[]; mine: Leader | undefined }> {
  const { rows } = await sql<Leader & { place: number }>`
    with counted as (${countedWorkers(asked)}), ranked as (
      select *, (rank() over (order by completed desc, score desc))::integer as rank,
             row_number() over (order by completed desc, score desc, id) as place
        from counted
    )
    select * from ranked
     where place <= ${ENTRIES_MAX} or id = ${asked.worker.id}
     order by place`.execute(shard)
  return {
    first: rows.filter(({ place }) => place <= ENTRIES_MAX),
    mine: rows.find(({ id }) => id === asked.worker.id),
  }
}

/** How many workers of a shard have a better result than this one. */
async function countAhead(
  shard: Reader,
  asked: Asked,
  { completed, score }: Leader,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${countedWorkers(asked)}) c
     where (completed, score) > (${completed}::integer, ${score}::integer)`.execute(shard)
  return rows[0]!.count
}

function countedWorkers({ worker, period, now }: Asked): RawBuilder<unknown> {
  const completed =
    period === 'all'
      ? sql`select id as worker_id, approved_count as completed from workers where approved_count > 0`
      : sql`
        select worker_id, count(*)::integer as completed from worker_assignments
         where status = 'approved' and ended_at >= ${spanOf(period, { tz: 'UTC', now, since: now }).start}
         group by worker_id`
  // Rounds the score as trust.ts does, so that workers with the same displayed score share a rank.
  const scale = scaleOf(now)
  return sql`
    select w.id, w.name, w.trust_good, w.trust_bad, w.trust_pending, w.approved_count,
           w.identity_done_at, c.completed,
           floor(0.5 + 100 * (7 + w.trust_good / ${scale}) /
             (10 + w.trust_good / ${scale} + w.trust_bad / ${scale}))::integer as score
      from (${completed}) c
      join workers w on w.id = c.worker_id
     where w.status = 'active' and w.mode = ${worker.mode}
       and w.agent_id is not distinct from ${worker.agentId}
       and (w.preferences ->> 'leaderboard') is distinct from 'false'`
}

const BEST_FIRST = orderBy<Leader>(
  ({ completed }) => -completed,
  ({ score }) => -score,
  ({ id }) => id,
)

/** The first workers of all shards, ranked among each other. Whoever is ahead of them is in the list as well. */
export function rankLeaders(parts: readonly Leader[][], limit = ENTRIES_MAX): Leader[] {
  const first = mergeSorted(BEST_FIRST, parts, limit)
  let rank = 1
  return first.map((leader, i) => {
    const before = first[i - 1]
    const isEqual = before?.completed === leader.completed && before.score === leader.score
    if (!isEqual) rank = i + 1
    return { ...leader, rank }
  })
}
