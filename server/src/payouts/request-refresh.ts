/**
 * Have the processor asked about the worker's account now, and not in some minutes: the worker comes back from its
 * questions. The answer is what we know so far.
 *
 *   called by   a worker, back from the processor's pages
 *   moves       nothing; what is found moves the account
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
  summary: 'Have the processor asked again how far your payouts are set up',
  description: 'Answers at once, with what is known; ask GET /worker/stripe/status a moment later.',
  success: { status: 200, body: PayoutsView },
  errors: [],

  async handler({ tx, worker, now }) {
    await lookAtAccountSoon(tx, { workerId: worker.id, now })
    return viewPayouts(tx, worker.id)
  },
})
