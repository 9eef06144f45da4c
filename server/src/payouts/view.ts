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
      .describe('`pending` is on its way'),
    available_at: z.iso
      .datetime()
      .nullable()
      .describe('From when on it can be paid out; null where a person decides'),
    reason: z.string().optional().describe('Why it is not paid, for people to read'),
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
    'The money was paid in a short time ago; it is paid out once the bank can’t take it back',
  free_task: 'What a free task pays is kept back for some days',
  self_dealing: 'A person looks at this free task first: agent and worker seem to be the same',
  promo_budget: 'What free tasks may pay in a day is used up; it goes on tomorrow',
  review: 'A person looks at this payout first',
}

function reasonOf({ status, hold_reason, failure_code }: Payout): string | undefined {
  switch (status) {
    case 'held':
      return hold_reason === null ? 'Payouts are stopped for the moment' : HELD[hold_reason]
    case 'awaiting_account':
      return 'The worker’s payout account is not ready; it is paid as soon as it is'
    case 'awaiting_funds':
      return 'Payments to us are still on their way; it is paid when they have arrived'
    case 'failed':
      return failure_code === 'account_changed'
        ? 'The worker’s payout account was replaced while it was on its way; it is tried again automatically'
        : 'The payment processor has refused it; it is tried again automatically, and at once if you ask for the payout'
    case 'reversed':
      return 'It was paid and taken back; support can say why'
    default:
      return undefined
  }
}
