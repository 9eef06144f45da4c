/**
 * List all queues with how much waits in each.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { type Queue, QUEUES } from '../ops/queues.ts'
import { countQueues, type QueueCounts } from '../ops/read-queues.ts'
import { QueueSummary } from './views.ts'

export const listQueues = deskOperation({
  method: 'GET',
  path: '/queues',
  name: 'listQueues',
  right: 'view',
  summary: 'All queues, with count, age and the next deadline',
  success: {
    status: 200,
    body: z.object({ at: z.iso.datetime(), queues: z.array(QueueSummary) }),
  },
  errors: [],

  async handler({ background: { db }, now }) {
    const counts = await countQueues(db.shards, { now })
    return {
      at: now.toISOString(),
      queues: QUEUES.map((queue) => summaryOf(queue, counts.get(queue.name)!)),
    }
  },
})

export function summaryOf(
  { name, title, group, right, clock }: Queue,
  { oldest_at, next_due_at, ...counts }: QueueCounts,
): z.input<typeof QueueSummary> {
  return {
    name,
    title,
    group,
    right,
    clock,
    ...counts,
    oldest_at: oldest_at?.toISOString() ?? null,
    next_due_at: next_due_at?.toISOString() ?? null,
  }
}
