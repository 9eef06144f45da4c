/**
 * Log out everywhere: invalidates every token of the worker at once.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { endSessionsExcept } from './sessions.ts'

export const endSessions = endpoint({
  method: 'DELETE',
  path: '/worker/sessions',
  name: 'deleteWorkerSessions',
  auth: 'worker',
  readOnlyMode: 'served',
  summary: 'Log out everywhere',
  description: 'Ends every token at once, including this one unless `keep` is `current`.',
  query: z.object({
    keep: z.enum(['current']).optional().describe('Stay logged in on this device'),
  }),
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, worker, query: { keep }, now }) {
    const sessionId = keep === 'current' ? worker.sessionId : undefined
    await endSessionsExcept(tx, { workerId: worker.id, sessionId, now })
    return {
      message:
        sessionId === undefined
          ? 'You are logged out everywhere'
          : 'You are logged out on all other devices',
    }
  },
})
