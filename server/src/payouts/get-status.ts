/**
 * Show the status of the worker's payout account.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { PayoutStatus } from '../workers/profile.ts'
import { needsOnboarding } from './account-status.ts'
import { accountOf } from './queries.ts'

export const PayoutsView = named(
  'PayoutSetup',
  z.object({
    connected: z.boolean(),
    account_id: z.string().nullable(),
    status: PayoutStatus,
    transfers_enabled: z.boolean().describe('Whether you can be paid'),
    onboarding_required: z
      .boolean()
      .describe('Whether you need to fill in something: POST /worker/stripe/connect'),
    requirements_due: z.array(z.string()).describe('What is missing, in the processor’s terms'),
  }),
)

export const getStatus = endpoint({
  method: 'GET',
  path: '/worker/stripe/status',
  name: 'getPayoutStatus',
  auth: 'worker',
  summary: 'Show the status of your payout setup',
  success: { status: 200, body: PayoutsView },
  errors: [],

  handler: ({ db, worker }) => viewPayouts(db, worker.id),
})

export async function viewPayouts(
  db: Reader,
  workerId: string,
): Promise<z.input<typeof PayoutsView>> {
  const account = await accountOf(db, workerId)
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
}
