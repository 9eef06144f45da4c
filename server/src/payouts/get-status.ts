/**
 * Show how far the worker's payout account is.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { PayoutStatus } from '../workers/profile.ts'
import { needsOnboarding } from './account-status.ts'
import { accountOf } from './queries.ts'

export const getStatus = endpoint({
  method: 'GET',
  path: '/worker/stripe/status',
  auth: 'worker',
  summary: 'Show how far your payouts are set up',
  success: {
    status: 200,
    body: z.object({
      connected: z.boolean(),
      account_id: z.string().nullable(),
      status: PayoutStatus,
      transfers_enabled: z.boolean().describe('Whether you can be paid'),
      onboarding_required: z
        .boolean()
        .describe('Whether you have something to fill in: POST /worker/stripe/connect'),
      requirements_due: z.array(z.string()).describe('What, in the processor’s words'),
    }),
  },
  errors: [],

  async handler({ db, worker }) {
    const account = await accountOf(db, worker.id)
    const accountId = account?.account_id ?? null
    const status: PayoutStatus = accountId === null ? 'not_connected' : account!.status
    const requirementsDue = account?.requirements_due ?? []
    return {
      connected: accountId !== null,
      account_id: accountId,
      status,
      transfers_enabled: status === 'active',
      onboarding_required: needsOnboarding(status, requirementsDue),
      requirements_due: requirementsDue,
    }
  },
})
