/**
 * Show who is logged in with this browser. The app requests it first.
 *
 *   called by   anyone
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { standingWorker } from './sessions.ts'
import { AccountView, viewAccount } from './view.ts'

export const showSession = endpoint({
  method: 'GET',
  path: '/worker/session',
  name: 'getWorkerSession',
  auth: 'token or none',
  summary: 'Show who is logged in',
  description: '`worker` is null if nobody is logged in.',
  success: {
    status: 200,
    body: z.object({
      worker: AccountView.nullable(),
      expires_at: z.string().nullable(),
      is_waiting: z.boolean().describe('The session gives no access until the email is confirmed'),
    }),
  },
  errors: [],

  async handler({ db, token, now }) {
    const worker = token && (await standingWorker(db, token))
    return {
      worker: worker ? viewAccount(worker, now) : null,
      expires_at: worker ? token.expiresAt.toISOString() : null,
      is_waiting: worker?.status === 'unverified',
    }
  },
})
