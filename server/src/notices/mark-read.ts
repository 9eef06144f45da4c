/**
 * Mark the worker's notices as read, up to a given one.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { NoticeId, unreadOf } from './queries.ts'

export const markRead = endpoint({
  method: 'POST',
  path: '/worker/notices/read',
  name: 'markNoticesRead',
  auth: 'worker',
  summary: 'Mark notices as read',
  body: z.object({
    up_to: NoticeId.describe('The newest notice that was seen: it and all earlier ones are marked'),
  }),
  success: { status: 200, body: z.object({ unread: z.int() }) },
  errors: [],

  async handler({ tx, worker, body, now }) {
    await markNoticesRead(tx, { workerId: worker.id, upTo: body.up_to, now })
    return { unread: await unreadOf(tx, worker.id) }
  },
})

async function markNoticesRead(
  tx: Tx,
  { workerId, upTo, now }: { workerId: string; upTo: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ read_at: now })
    .where('worker_id', '=', workerId)
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
    .execute()
}
