/**
 * Show statistics of the agent's tasks: counts, spending, times, quality, and its most frequent workers.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Shards } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { readByIds } from '../kit/everywhere.ts'
import { named } from '../kit/named.ts'
import { RATE_CASES_MIN, rateOf, typicalOf } from '../kit/rate.ts'
import { type Figure, taskFigures, topPartners } from '../counts/figures.ts'
import { TaskType, TYPES } from '../tasks/fields.ts'
import { isSeenBy } from '../kit/seen-by.ts'
import { STATUSES, TaskStatus } from '../tasks/status.ts'
import { levelOf, trustScore } from '../workers/trust.ts'

/** Times are computed from this many of the newest tasks. */
const TIMED_MAX = 1000
const TOP_MAX = 10

const seconds = z.number().nullable()
const rate = z.number().nullable()

export const getStats = endpoint({
  method: 'GET',
  path: '/stats',
  name: 'getStats',
  auth: 'agent',
  scope: 'read',
  summary: 'Show your statistics',
  success: {
    status: 200,
    body: named(
      'Stats',
      z.object({
        tasks: z.object({
          total: z.int(),
          by_status: z.record(TaskStatus, z.int()),
          by_type: z.record(TaskType, z.int()),
        }),
        spend: z.object({
          total_cents: z.int().describe('Your own money that was held in escrow or paid out'),
          by_type: z.array(z.object({ type: TaskType, total_cents: z.int(), count: z.int() })),
        }),
        timing: z
          .object({
            p50_accept_s: seconds.describe('From creation until the first worker accepted it'),
            p90_accept_s: seconds,
            p50_done_s: seconds.describe('From creation to approval'),
          })
          .describe(
            `For your newest ${TIMED_MAX} tasks; null while there are fewer than ${RATE_CASES_MIN}`,
          ),
        quality: z
          .object({
            dispute_rate: rate.describe('Out of tasks with a verdict'),
            overturn_rate: rate.describe('Out of your disputes'),
            conflict_rate: rate.describe('Out of consensus tasks with all answers'),
            auto_approved_rate: rate.describe('Out of completed tasks'),
            counts: z
              .object({
                verdicts: z.int(),
                disputed: z.int(),
                disputes: z.int(),
                overturned: z.int(),
                answered: z.int().describe('Consensus tasks with all answers'),
                conflicts: z.int(),
                completed: z.int(),
                auto_approved: z.int(),
              })
              .describe('The numbers behind the rates'),
          })
          .describe(`Rates from 0 to 1; null while there are fewer than ${RATE_CASES_MIN} cases`),
        top_workers: z.array(
          named(
            'TopWorker',
            z.object({
              id: z.string(),
              name: z.string(),
              completed: z.int(),
              trust_score: z.int(),
              level: z.int(),
            }),
          ),
        ),
        partner_count: z.int().describe('Workers with a completed task for you'),
      }),
    ),
  },
  errors: [],

  handler: async ({ db, agent, shards, now }) => ({
    ...(await countsOf(db, agent)),
    timing: await timingOf(db, agent),
    ...(await partnersOf({ home: db, shards }, agent, now)),
  }),
})

async function countsOf(db: Reader, agent: AgentCaller) {
  const groups = await taskFigures(db, agent)
  const sum = (of: typeof groups, what: Figure) => of.reduce((total, row) => total + row[what], 0)
  const countBy = <K extends string>(keys: readonly K[], of: (key: K) => typeof groups) =>
    Object.fromEntries(keys.map((key) => [key, sum(of(key), 'tasks')])) as Record<K, number>
  const ofStatus = (status: (typeof STATUSES)[number]) =>
    groups.filter((row) => row.status === status)
  const ofType = (type: (typeof TYPES)[number]) => groups.filter((row) => row.type === type)
  const completed = sum(ofStatus('completed'), 'tasks')
  const disputed = sum(ofStatus('disputed'), 'tasks')
  const counts = {
    verdicts: completed + disputed,
    disputed,
    disputes: sum(groups, 'disputes'),
    overturned: sum(groups, 'overturned'),
    answered: sum(groups, 'answered'),
    conflicts: sum(groups, 'conflicts'),
    completed,
    auto_approved: sum(groups, 'auto_approved'),
  }

  return {
    tasks: {
      total: sum(groups, 'tasks'),
      by_status: countBy(STATUSES, ofStatus),
      by_type: countBy(TYPES, ofType),
    },
    spend: {
      total_cents: sum(groups, 'spent_cents'),
      by_type: TYPES.filter((type) => sum(ofType(type), 'tasks') > 0).map((type) => ({
        type,
        total_cents: sum(ofType(type), 'spent_cents'),
        count: sum(ofType(type), 'tasks'),
      })),
    },
    quality: {
      dispute_rate: rateOf(disputed, counts.verdicts),
      overturn_rate: rateOf(counts.overturned, counts.disputes),
      conflict_rate: rateOf(counts.conflicts, counts.answered),
      auto_approved_rate: rateOf(counts.auto_approved, completed),
      counts,
    },
  }
}

async function timingOf(db: Reader, { id: agentId, visibleKeyId }: AgentCaller) {
  type Times = Record<'p50_accept_s' | 'p90_accept_s' | 'p50_done_s', number | null>
  const { rows } = await sql<Times & { accepted: number; done: number }>`
    select count(accept_s) as accepted, count(done_s) as done,
           percentile_cont(0.5) within group (order by accept_s) as p50_accept_s,
           percentile_cont(0.9) within group (order by accept_s) as p90_accept_s,
           percentile_cont(0.5) within group (order by done_s) as p50_done_s
      from (select extract(epoch from a.accepted_at - t.created_at)::float8 as accept_s,
                   case t.status when 'completed' then extract(epoch from t.ended_at - t.created_at)::float8 end
                     as done_s
              from (select id, status, created_at, ended_at from tasks
                     where agent_id = ${agentId} and ${isSeenBy(visibleKeyId)} order by id desc limit ${TIMED_MAX}) t
              left join lateral (
                select min(accepted_at) as accepted_at from assignments where task_id = t.id) a on true) s`.execute(
    db,
  )
  const { p50_accept_s, p90_accept_s, p50_done_s, accepted, done } = rows[0]!
  return {
    p50_accept_s: typicalOf(p50_accept_s, accepted),
    p90_accept_s: typicalOf(p90_accept_s, accepted),
    p50_done_s: typicalOf(p50_done_s, done),
  }
}

/** Partners are workers with approved assignments of this agent, sorted by their number. They may be in any shard. */
async function partnersOf(
  { home, shards }: { home: Reader; shards: Shards },
  agent: AgentCaller,
  now: Date,
) {
  const partners = await topPartners(home, agent, TOP_MAX)
  const ids = partners.map(({ worker_id }) => worker_id)
  const workers = await readByIds(shards, ids, workersOfShard)
  return {
    top_workers: partners.flatMap(({ worker_id, approved }) =>
      workers
        .filter(({ id }) => id === worker_id)
        .map((worker) => ({
          id: worker.id,
          name: worker.name,
          completed: approved,
          trust_score: trustScore(worker, now),
          level: levelOf(worker, now),
        })),
    ),
    partner_count: partners[0]?.partners ?? 0,
  }
}

const workersOfShard = (shard: Reader, ids: string[]) =>
  shard
    .selectFrom('workers')
    .select([
      'id',
      'name',
      'trust_good',
      'trust_bad',
      'trust_pending',
      'approved_count',
      'identity_done_at',
    ])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
