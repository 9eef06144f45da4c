/**
 * Show one page of a queue, nearest deadline or oldest first.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { Limit } from '../kit/page.ts'
import { QUEUES } from '../ops/queues.ts'
import { countQueues, type Position, readQueue } from '../ops/read-queues.ts'
import { assignmentsOf, subjectsOf } from './cases.ts'
import { queueNotFound } from './errors.ts'
import { summaryOf } from './list-queues.ts'
import { QueueRow, QueueSummary } from './views.ts'

export const getQueue = deskOperation({
  method: 'GET',
  path: '/queues/:name',
  name: 'getQueue',
  right: 'view',
  summary: 'The rows of a queue, nearest deadline or oldest first',
  params: z.object({ name: z.string().max(50) }),
  query: z.object({
    cursor: z
      .string()
      .max(300)
      .transform((text, context) => {
        const position = readCursor(text)
        if (position !== undefined) return position
        context.addIssue({ code: 'custom', message: 'is not a next_cursor of this queue' })
        return z.NEVER
      })
      .optional(),
    limit: Limit,
    mine: z.enum(['true', 'false']).optional().describe('Only cases that the operator has taken'),
  }),
  success: {
    status: 200,
    body: z.object({
      queue: QueueSummary,
      rows: z.array(QueueRow),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [queueNotFound],

  async handler({ background: { db }, params, query, operator, now }) {
    const queue = QUEUES.find(({ name }) => name === params.name)
    if (queue === undefined) throw queueNotFound()
    const { shards } = db
    const counts = await countQueues(shards, { now, queues: [queue] })
    const ids = query.mine === 'true' ? await subjectsOf(shards, operator.id) : undefined
    const page = await readQueue(shards, queue, { limit: query.limit, after: query.cursor, ids })
    const assigned = await assignmentsOf(
      shards,
      page.rows.map(({ id }) => id),
    )
    return {
      queue: summaryOf(queue, counts.get(queue.name)!),
      rows: page.rows.map(({ since, due_at, ...row }) => ({
        ...row,
        since: since?.toISOString() ?? null,
        due_at: due_at?.toISOString() ?? null,
        assigned: assigned.get(row.id)?.operator ?? null,
      })),
      next_cursor: page.next && writeCursor(page.next),
    }
  },
})

const writeCursor = ({ position, id }: Position) =>
  Buffer.from(`${position} ${id}`).toString('base64url')

function readCursor(text: string): Position | undefined {
  const [, position, id] =
    /^(-?\d{1,16}) (.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return id === undefined ? undefined : { position: Number(position), id }
}
