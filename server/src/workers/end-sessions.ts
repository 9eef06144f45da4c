/**
 * Log out everywhere: invalidates every token of the worker at once.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'

export const endSessions = endpoint({
  method: 'DELETE',
  path: '/worker/sessions',
  name: 'deleteWorkerSessions',
  auth: 'worker',
  summary: 'Log out everywhere',
  description: 'Ends every token at once, including this one.',
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, worker, now }) {
    await endSessionsOf(tx, { workerId: worker.id, now })
    return { message: 'You are logged out everywhere' }
  },
})

async function endSessionsOf(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('workers')
    .set({ session_version: sql`session_version + 1`, updated_at: now })
    .where('id', '=', workerId)
    .execute()
}
