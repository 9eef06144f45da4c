/**
 * Refresh the worker's account from the processor now, rather than in a few minutes, because the worker is back from
 * onboarding. The response shows what we know so far.
 *
 *   called by   a worker, back from the processor's pages
 *   moves       nothing; the refresh may move the account
 *   money       none
 *   event       account.look (ours)
 */
import { endpoint } from '../kit/endpoint.ts'
import { PayoutsView, viewPayouts } from './get-status.ts'
import { lookAtAccountSoon } from './refresh-account.ts'

export const requestRefresh = endpoint({
  method: 'POST',
  path: '/worker/stripe/refresh',
  name: 'refreshPayoutStatus',
  auth: 'worker',
  summary: 'Refresh the status of your payout setup',
  description:
    'Responds at once with the known status; call GET /worker/stripe/status a moment later.',
  success: { status: 200, body: PayoutsView },
  errors: [],

  async handler({ tx, worker, now }) {
    await lookAtAccountSoon(tx, { workerId: worker.id, now })
    return viewPayouts(tx, worker.id, now)
  },
})
