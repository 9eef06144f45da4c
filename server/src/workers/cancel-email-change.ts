/**
 * Cancel a change of the email that has not been confirmed. Its links no longer work.
 *
 *   called by   a worker
 *   moves       an email change: pending → ended
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { lockWorker } from './decisions.ts'
import { endChanges, pendingChange } from './email-changes.ts'

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/worker/email',
  name: 'cancelEmailChange',
  auth: 'worker',
  summary: 'Cancel the change of your email',
  description: 'Has no effect if no change is pending.',
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, worker: { id: workerId }, now }) {
    await lockWorker(tx, workerId)
    const change = await pendingChange(tx, { workerId, now })
    if (change !== undefined)
      await endChanges(tx, { workerId, ids: [change.id], endedFor: 'cancelled', now })
    return { message: 'Your email stays the same' }
  },
})
