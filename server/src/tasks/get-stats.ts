/**
 * Show what the agent's tasks came to: counts, spend, times, quality, the workers it knows.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { TYPES } from './fields.ts'
import { STATUSES } from './status.ts'

const rate = z.number().nullable().describe('0 to 1; null while there is nothing to count')

export const getStats = endpoint({
  method: 'GET',
  path: '/stats',
  auth: 'agent',
  summary: 'Show your statistics',
  success: {
    status: 200,
    body: z.object({
      tasks: z.object({
        total: z.int(),
        by_status: z.record(z.enum(STATUSES), z.int()),
        by_type: z.record(z.enum(TYPES), z.int()),
      }),
      spend: z.object({
        total_cents: z.int().describe('Held in escrow or paid out, of your own money'),
        by_type: z.array(z.object({ type: z.enum(TYPES), total_cents: z.int(), count: z.int() })),
      }),
      timing: z.object({
        p50_accept_s: z.number().nullable(),
        p90_accept_s: z.number().nullable(),
        p50_done_s: z.number().nullable(),
      }),
      quality: z.object({
        dispute_rate: rate,
        overturn_rate: rate,
        conflict_rate: rate,
        auto_approved_rate: rate,
      }),
      top_workers: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          completed: z.int(),
          trust_score: z.int(),
          level: z.int(),
        }),
      ),
      partner_count: z.int().describe('Workers with a completed task for you'),
    }),
  },
  errors: [],

  handler: ({ db, agent }) => statsOf(db, agent.id),
})

async function statsOf(db: Reader, agentId: string) {
  const groups = await db
    .selectFrom('tasks')
    .select((select) => [
      'status',
      'type',
      select.fn.countAll<number>().as('count'),
      sql<number>`(coalesce(sum(locked_cents) filter (
        where funding = 'wallet' and status not in ('expired', 'cancelled', 'disputed')), 0))::bigint`.as(
        'cents',
      ),
    ])
    .where('agent_id', '=', agentId)
    .groupBy(['status', 'type'])
    .execute()

  const sum = (of: typeof groups, what: 'count' | 'cents') =>
    of.reduce((total, row) => total + row[what], 0)
  const countBy = <K extends string>(keys: readonly K[], of: (key: K) => typeof groups) =>
    Object.fromEntries(keys.map((key) => [key, sum(of(key), 'count')])) as Record<K, number>
  const ofStatus = (status: (typeof STATUSES)[number]) =>
    groups.filter((row) => row.status === status)
  const ofType = (type: (typeof TYPES)[number]) => groups.filter((row) => row.type === type)
  const judged = sum([...ofStatus('completed'), ...ofStatus('disputed')], 'count')

  return {
    tasks: {
      total: sum(groups, 'count'),
      by_status: countBy(STATUSES, ofStatus),
      by_type: countBy(TYPES, ofType),
    },
    spend: {
      total_cents: sum(groups, 'cents'),
      by_type: TYPES.filter((type) => ofType(type).length > 0).map((type) => ({
        type,
        total_cents: sum(ofType(type), 'cents'),
        count: sum(ofType(type), 'count'),
      })),
    },
    timing: { p50_accept_s: null, p90_accept_s: null, p50_done_s: null },
    quality: {
      dispute_rate: judged === 0 ? null : sum(ofStatus('disputed'), 'count') / judged,
      overturn_rate: null,
      conflict_rate: null,
      auto_approved_rate: null,
    },
    top_workers: [],
    partner_count: 0,
  }
}
