/**
 * Show who completed the most tasks. Shows no money, and leaves out workers who have opted out.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint, type WorkerCaller } from '../kit/endpoint.ts'
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

  handler: ({ db, worker, query, now }) => leaderboard(db, { worker, period: query.period, now }),
})

type Ranked = Pick<
  Worker,
  | 'id'
  | 'name'
  | 'trust_good'
  | 'trust_bad'
  | 'trust_pending'
  | 'approved_count'
  | 'identity_done_at'
> & { rank: number; completed: number }

async function leaderboard(
  db: Reader,
  { worker, period, now }: { worker: WorkerCaller; period: 'week' | 'month' | 'all'; now: Date },
) {
  const completed =
    period === 'all'
      ? sql`select id as worker_id, approved_count as completed from workers where approved_count > 0`
      : sql`
        select worker_id, count(*)::integer as completed from assignments
         where status = 'approved' and ended_at >= ${spanOf(period, { tz: 'UTC', now, since: now }).start}
         group by worker_id`
  // Rounds the score as trust.ts does, so that workers with the same displayed score share a rank.
  const scale = scaleOf(now)
  const { rows } = await sql<Ranked>`
    with counted as (
      select w.id, w.name, w.trust_good, w.trust_bad, w.trust_pending, w.approved_count,
             w.identity_done_at, c.completed,
             floor(0.5 + 100 * (7 + w.trust_good / ${scale}) /
               (10 + w.trust_good / ${scale} + w.trust_bad / ${scale})) as score
        from (${completed}) c
        join workers w on w.id = c.worker_id
       where w.status = 'active' and w.mode = ${worker.mode}
         and w.agent_id is not distinct from ${worker.agentId}
         and (w.preferences ->> 'leaderboard') is distinct from 'false'
    ), ranked as (
      select *, (rank() over (order by completed desc, score desc))::integer as rank,
             row_number() over (order by completed desc, score desc, id) as place
        from counted
    )
    select * from ranked
     where place <= ${ENTRIES_MAX} or id = ${worker.id}
     order by place`.execute(db)

  const view = <Rank>(of: Omit<Ranked, 'rank' | 'completed'>, rank: Rank, completed: number) => ({
    rank,
    worker: { id: of.id, name: of.name, level: levelOf(of, now) },
    completed,
    trust_score: trustScore(of, now),
  })
  const entries = rows.map((row) => view(row, row.rank, row.completed))
  const mine = entries.find((entry) => entry.worker.id === worker.id)
  return {
    period,
    entries: entries.slice(0, ENTRIES_MAX),
    me: mine ?? (await unranked()),
  }

  async function unranked() {
    const me = await callingWorker(db, worker.id)
    const isOut = (me.preferences as { leaderboard?: boolean }).leaderboard === false
    return isOut ? null : view(me, null, 0)
  }
}
