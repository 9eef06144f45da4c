/**
 * List the worker's notices, newest first.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { limitOr } from '../kit/page.ts'
import { NOTICE_KINDS } from '../workers/notify.ts'
import { NoticeId, unreadOf } from './queries.ts'

const Query = z.object({
  limit: limitOr(20).describe('1 to 100; larger values are treated as 100'),
  cursor: NoticeId.optional().describe('next_cursor of the previous page'),
})
type Query = z.output<typeof Query>

const NoticeView = named(
  'Notice',
  z.object({
    id: z.string(),
    kind: z.enum(NOTICE_KINDS),
    task_id: z.string().nullable(),
    title: z.string().nullable().describe('The title of the task'),
    agent_name: z.string().nullable(),
    amount_cents: z
      .int()
      .nullable()
      .describe('What you received or could earn; for a dispute, the disputed amount'),
    tip_cents: z.int().nullable().describe('paid: the tip that you received on top'),
    distance_km: z.number().nullable(),
    reason: z
      .string()
      .nullable()
      .describe(
        'disputed, dispute_held, revision_requested: the agent’s text; decided: upheld, ' +
          'overturned, split, withdrawn, rejected or lapsed; level_lowered: your new level; ' +
          'payout_failed: the processor’s code; question_answered: the subject of your question',
      ),
    question_id: z.string().nullable().describe('question_answered: your question'),
    until: z.iso.datetime().nullable().describe('Until when the notice is relevant'),
    at: z.iso.datetime(),
    read_at: z.iso.datetime().nullable(),
  }),
)

export const listNotices = endpoint({
  method: 'GET',
  path: '/worker/notices',
  name: 'listNotices',
  auth: 'worker',
  summary: 'List your notices',
  description: 'From the last 90 days, newest first.',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      notices: z.array(NoticeView),
      unread: z.int(),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  handler: async ({ db, worker, query }) => ({
    ...(await readNotices(db, { workerId: worker.id, query })),
    unread: await unreadOf(db, worker.id),
  }),
})

async function readNotices(
  db: Reader,
  { workerId, query: { limit, cursor } }: { workerId: string; query: Query },
) {
  let mine = db.selectFrom('notices').selectAll().where('worker_id', '=', workerId)
  if (cursor !== undefined) mine = mine.where('id', '<', cursor)
  // Fetch one extra row to tell whether there is more.
  const rows = await mine
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    notices: page.map((row) => ({
      id: row.id,
      kind: row.kind,
      task_id: row.task_id,
      title: row.title,
      agent_name: row.agent_name,
      amount_cents: row.amount_cents,
      tip_cents: row.tip_cents,
      distance_km: row.distance_km,
      reason: row.reason,
      question_id: row.question_id,
      until: row.until?.toISOString() ?? null,
      at: row.created_at.toISOString(),
      read_at: row.read_at?.toISOString() ?? null,
    })),
    next_cursor: rows.length > limit ? page.at(-1)!.id : null,
  }
}
