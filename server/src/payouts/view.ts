import { z } from 'zod'
import { named } from '../kit/named.ts'
import { NEVER } from './holds.ts'
import type { Payout } from './queries.ts'

export const PayoutView = named(
  'Payout',
  z.object({
    id: z.string(),
    worker_id: z.string(),
    amount_cents: z.int(),
    status: z
      .enum(['paid', 'pending', 'awaiting_account', 'awaiting_funds', 'held', 'failed'])
      .describe('`pending`: on its way'),
    available_at: z.iso
      .datetime()
      .nullable()
      .describe('When it can be paid out; null if a person decides'),
    reason: z.string().optional().describe('Why it has not been paid, for people to read'),
  }),
)
export type PayoutView = z.output<typeof PayoutView>

/** A payout that has arrived, as shown in the event payout.paid. */
export const PaidPayout = named(
  'PaidPayout',
  PayoutView.extend({ task_id: z.string(), paid_at: z.iso.datetime() }),
)

export function viewPayout(payout: Payout): PayoutView {
  const reason = reasonOf(payout)
  return {
    id: payout.id,
    worker_id: payout.worker_id,
    amount_cents: payout.amount_cents,
    status: SHOWN[payout.status],
    available_at: payout.available_at >= NEVER ? null : payout.available_at.toISOString(),
    ...(reason === undefined ? {} : { reason }),
  }
}

const SHOWN: Record<Payout['status'], PayoutView['status']> = {
  held: 'held',
  awaiting_account: 'awaiting_account',
  requested: 'pending',
  submitting: 'pending',
  awaiting_funds: 'awaiting_funds',
  paid: 'paid',
  partially_reversed: 'paid',
  failed: 'failed',
  reversed: 'failed',
}

const HELD: Record<NonNullable<Payout['hold_reason']>, string> = {
  new_funds:
    'The money was deposited recently; it is paid out once the bank can no longer reverse the payment',
  free_task: 'Earnings from free tasks are held for a few days',
  self_dealing:
    'We are reviewing this free task: the agent and the worker seem to be the same person',
  promo_budget: 'Today’s limit for payouts of free tasks is used up; payouts continue tomorrow',
  review: 'We are reviewing this payout',
}

function reasonOf({ status, hold_reason, failure_code }: Payout): string | undefined {
  switch (status) {
    case 'held':
      return hold_reason === null ? 'Payouts are paused' : HELD[hold_reason]
    case 'awaiting_account':
      return 'The worker’s payout account is not ready; the worker is paid as soon as it is'
    case 'awaiting_funds':
      return 'Payments to us are still on their way; the worker is paid when they arrive'
    case 'failed':
      return failure_code === 'account_changed'
        ? 'The worker’s payout account was replaced while the payout was on its way; we will try ' +
            'again automatically'
        : 'The payment processor rejected the payout; we will try again automatically, or at ' +
            'once if you request the payout'
    case 'reversed':
      return 'The payout was reversed; contact support to find out why'
    default:
      return undefined
  }
}
