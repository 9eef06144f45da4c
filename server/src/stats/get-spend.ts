/**
 * Show what the agent has spent, by day and type, and how long its balance lasts at that pace.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { TaskType, TYPES } from '../tasks/fields.ts'
import { isSeenBy } from '../kit/seen-by.ts'

const DAY_MS = 86_400_000
/** The pace is based on the last week: older spending says little about next week. */
const PACE_DAYS = 7

const Spent = named(
  'Spend',
  z.object({
    type: TaskType,
    spent_cents: z.int().describe('Your own money that was held in escrow or paid out'),
    tasks: z.int(),
  }),
)

export const getSpend = endpoint({
  method: 'GET',
  path: '/stats/spend',
  name: 'getSpend',
  auth: 'agent',
  scope: 'read',
  summary: 'Show your spending by day and type',
  description:
    'A task counts on the day of its creation (UTC). Days and types without tasks are omitted. ' +
    'For a key that sees only its own tasks, only these count.',
  query: z.object({
    days: z.coerce
      .number({ error: 'must be a number' })
      .int()
      .min(1)
      .max(90)
      .default(30)
      .describe('Number of days, including today'),
  }),
  success: {
    status: 200,
    body: named(
      'SpendReport',
      z.object({
        days: z.array(named('DailySpend', Spent.extend({ day: z.iso.date() }))),
        by_type: z.array(Spent),
        pace_cents_per_day: z
          .int()
          .describe(`Over the last ${PACE_DAYS} days, or since your first task in this period`),
        days_left: z
          .int()
          .nullable()
          .describe('How long your balance lasts at that pace; null if you spend nothing'),
      }),
    ),
  },
  errors: [],

  handler: ({ db, agent, query, now }) => spendOf(db, agent, { days: query.days, now }),
})

async function spendOf(
  db: Reader,
  { id: agentId, visibleKeyId }: AgentCaller,
  { days, now }: { days: number; now: Date },
) {
  const today = now.toISOString().slice(0, 10)
  const since = new Date(Date.parse(today) - (Math.max(days, PACE_DAYS) - 1) * DAY_MS)
  const rows = await db
    .selectFrom('tasks')
    .select((select) => [
      sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`.as('day'),
      'type',
      sql<number>`coalesce(sum(escrow_cents + coalesce((settlement ->> 'gross_cents')::bigint, 0)) filter (
        where funding = 'wallet'), 0)::bigint`.as('spent_cents'),
      select.fn.countAll<number>().as('tasks'),
    ])
    .where('agent_id', '=', agentId)
    .where(isSeenBy(visibleKeyId))
    // Ids start with their creation time, so this bounds the index scan to the requested days.
    .where('id', '>', mintId('task', new Date(since.getTime() - 1000), 0))
    .where('created_at', '>=', since)
    .groupBy(['day', 'type'])
    .orderBy('day')
    .orderBy('type')
    .execute()

  const first = new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const asked = rows.filter(({ day }) => day >= first)
  const paceCents = paceOf(rows, today)
  return {
    days: asked,
    by_type: TYPES.flatMap((type) => {
      const of = asked.filter((row) => row.type === type)
      if (of.length === 0) return []
      return { type, spent_cents: sum(of, 'spent_cents'), tasks: sum(of, 'tasks') }
    }),
    pace_cents_per_day: Math.round(paceCents),
    days_left: paceCents === 0 ? null : Math.floor((await balanceOf(db, agentId)) / paceCents),
  }
}

interface DayRow {
  day: string
  spent_cents: number
  tasks: number
}

const sum = (rows: DayRow[], what: 'spent_cents' | 'tasks') =>
  rows.reduce((total, row) => total + row[what], 0)

/** Average cents per day since the first day of the last week with any spending. */
function paceOf(rows: DayRow[], today: string): number {
  const daysAgo = ({ day }: DayRow) => (Date.parse(today) - Date.parse(day)) / DAY_MS
  const week = rows.filter((row) => daysAgo(row) < PACE_DAYS && row.spent_cents > 0)
  const length = 1 + Math.max(0, ...week.map(daysAgo))
  return sum(week, 'spent_cents') / length
}

async function balanceOf(db: Reader, agentId: string): Promise<number> {
  const { wallet_cents, receivable_cents } = await db
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents'])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return Math.max(0, wallet_cents - receivable_cents)
}
