/**
 * Show whether the account is being closed, and what is still open.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ClosingView, viewClosing } from './closings.ts'
import { callingWorker } from './queries.ts'

export const getClosing = endpoint({
  method: 'GET',
  path: '/worker/close',
  name: 'getAccountClosing',
  auth: 'worker',
  summary: 'Show whether your account is being closed, and what is still open',
  success: { status: 200, body: z.object({ closing: ClosingView }) },
  errors: [],

  async handler({ db, worker: { id }, config, now }) {
    return { closing: await viewClosing(db, await callingWorker(db, id), { config, now }) }
  },
})
