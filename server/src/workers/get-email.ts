/**
 * Show the worker's email, and the change that waits for its link.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { EmailChangeView, pendingChange, viewChange } from './email-changes.ts'
import { callingWorker } from './queries.ts'

export const getEmail = endpoint({
  method: 'GET',
  path: '/worker/email',
  name: 'getWorkerEmail',
  auth: 'worker',
  summary: 'Show your email, and a change that you have not confirmed yet',
  success: {
    status: 200,
    body: z.object({ email: z.string(), change: EmailChangeView.nullable() }),
  },
  errors: [],

  async handler({ db, worker: { id: workerId }, now }) {
    const { email } = await callingWorker(db, workerId)
    const change = await pendingChange(db, { workerId, now })
    return { email, change: change ? viewChange(change) : null }
  },
})
