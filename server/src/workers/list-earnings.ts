/**
 * List the worker's payments, one line for each: the details behind the totals.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import { titleOf } from '../kit/words.ts'
import { DaysQuery, daysAsked, type EarningKind, earningLines } from './earning-lines.ts'
import { callingWorker } from './queries.ts'

const SHOWN_KINDS = {
  escrow_release: 'approved',
  cancel_compensation: 'compensation',
  tip: 'tip',
  goodwill: 'goodwill',
} as const satisfies Record<EarningKind, string>

const Item = named(
  'EarningsItem',
  z.object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z
      .enum(SHOWN_KINDS)
      .describe(
        '`compensation`: for a task that ended without a verdict; `goodwill`: for a withdrawn ' +
          'dispute or a successful appeal',
      ),
    task_id: z.string(),
    title: z.string(),
    type: z.string(),
    agent_name: z.string(),
    gross_cents: z.int().describe('Net and commission'),
    commission_cents: z.int(),
    net_cents: z.int(),
  }),
)

const Query = z.object({
  ...DaysQuery,
  task_id: idOf('task', 'a task').optional().describe('Only earnings from this task'),
  limit: Limit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a cursor of this list')
    .optional(),
})

export const listEarnings = endpoint({
  method: 'GET',
  path: '/worker/earnings/items',
  name: 'listEarnings',
  auth: 'worker',
  summary: 'List your earnings by task',
  query: Query,
  success: {
    status: 200,
    body: z.object({ items: z.array(Item), next_cursor: z.string().nullable() }),
  },
  errors: [],

  handler: ({ db, worker, query, now }) => itemsOf(db, { workerId: worker.id, query, now }),
})

async function itemsOf(
  db: Reader,
  { workerId, query, now }: { workerId: string; query: z.output<typeof Query>; now: Date },
) {
  const { created_at: since } = await callingWorker(db, workerId)
  const lines = await earningLines(db, {
    workerId,
    span: daysAsked(query, { now, since }),
    taskId: query.task_id,
    before: query.cursor === undefined ? undefined : Number(query.cursor),
    limit: query.limit + 1,
  })
  const page = lines.slice(0, query.limit)
  const tasks = await tasksOf(db, {
    workerId,
    taskIds: page.map(({ task_id }) => task_id),
  })
  return {
    items: page.map(({ id, at, kind, task_id, type, net_cents, commission_cents }) => ({
      id,
      at: at.toISOString(),
      kind: SHOWN_KINDS[kind],
      task_id,
      type,
      ...tasks.get(task_id)!,
      gross_cents: net_cents + commission_cents,
      commission_cents,
      net_cents,
    })),
    next_cursor: lines.length > query.limit ? String(page.at(-1)!.statement_no) : null,
  }
}

/** Titles and agent names of tasks; only tasks that the worker took part in. */
async function tasksOf(db: Reader, { workerId, taskIds }: { workerId: string; taskIds: string[] }) {
  if (taskIds.length === 0) return new Map<string, { title: string; agent_name: string }>()
  const rows = await db
    .selectFrom('worker_tasks as t')
    .innerJoin('worker_agents as g', 'g.id', 't.agent_id')
    .select(['t.id', 't.title', 't.description', 'g.name as agent_name'])
    .where('t.id', 'in', (own) =>
      own
        .selectFrom('worker_assignments')
        .select('task_id')
        .where('worker_id', '=', workerId)
        .where('task_id', 'in', taskIds),
    )
    .execute()
  return new Map(
    rows.map(({ id, title, description, agent_name }) => [
      id,
      { title: title ?? titleOf(description), agent_name },
    ]),
  )
}
