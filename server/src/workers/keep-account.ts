/**
 * Keep an account that is being closed. Has no effect on any other.
 *
 *   called by   a worker
 *   moves       the worker: closing → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { cancelClosing, ClosingView, viewClosing } from './closings.ts'

export const keepAccount = endpoint({
  method: 'DELETE',
  path: '/worker/close',
  name: 'keepWorkerAccount',
  auth: 'worker',
  summary: 'Keep your account',
  description: 'Cancels your request to close it. You can accept tasks again at once.',
  success: { status: 200, body: z.object({ closing: ClosingView }) },
  errors: [],

  async handler({ tx, worker: { id }, config, now }) {
    const kept = (await cancelClosing(tx, { workerId: id, now })) ?? {
      id,
      closing_at: null,
      closes_at: null,
    }
    return { closing: await viewClosing(tx, kept, { config, now }) }
  },
})
