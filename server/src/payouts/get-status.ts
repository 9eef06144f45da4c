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
import { needsOnboarding, nextBankPayout } from './account-status.ts'
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
    bank_last4: z
      .string()
      .nullable()
      .describe('The last digits of your bank account; null while it is unknown'),
    next_payout_on: z.iso
      .date()
      .nullable()
      .describe('The day of the next weekly payout to your bank; null until payouts are set up'),
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

  handler: ({ db, worker, now }) => viewPayouts(db, worker.id, now),
})

export async function viewPayouts(
  db: Reader,
  workerId: string,
  now: Date,
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
    bank_last4: account?.bank_last4 ?? null,
    // Until our schedule is set, the processor's default applies, which we don't know.
    next_payout_on:
      status === 'active' && account!.schedule_set_at !== null ? nextBankPayout(now) : null,
  }
}
