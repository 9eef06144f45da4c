/**
 * Log out one device: its token ends at once, and it gets no more notifications.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import { sessionNotFound } from './errors.ts'
import { endOneSession } from './sessions.ts'

export const endDevice = endpoint({
  method: 'DELETE',
  path: '/worker/sessions/:id',
  name: 'deleteWorkerSessionById',
  auth: 'worker',
  access: { object: 'own' },
  readOnlyMode: 'served',
  summary: 'Log out one device',
  params: z.object({
    id: z.string().regex(idPattern('wss'), 'is not the id of a session'),
  }),
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [sessionNotFound],

  async handler({ tx, worker, params }) {
    const isEnded = await endOneSession(tx, { workerId: worker.id, sessionId: params.id })
    if (!isEnded) throw sessionNotFound()
    return { message: 'The device is logged out' }
  },
})
