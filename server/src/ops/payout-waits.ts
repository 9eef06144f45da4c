/** The reason why a payout waits, for all commands that show one. */
import type { Selectable } from 'kysely'
import { formatCents } from '../kit/money.ts'
import type { Schema } from '../kit/schema.ts'
import { NEVER } from '../payouts/holds.ts'
import type { Wait } from './look-up.ts'

type Payout = Pick<
  Selectable<Schema['payouts']>,
  | 'id'
  | 'worker_id'
  | 'status'
  | 'hold_reason'
  | 'available_at'
  | 'amount_cents'
  | 'check_at'
  | 'failure_code'
>

const HOLDS: Record<NonNullable<Payout['hold_reason']>, string> = {
  new_funds: 'the agent’s deposit may still be charged back',
  free_task: 'the task was free',
  self_dealing: 'agent and worker seem to be the same person',
  promo_budget: 'today’s budget for free tasks is used up',
  review: 'the protection fund paid, and the agent owes it the money',
}

export const holdWords = ({ hold_reason }: Pick<Payout, 'hold_reason'>) =>
  hold_reason === null ? 'no reason is recorded' : HOLDS[hold_reason]

/** Null for a hold that only a person can end. */
export const heldUntil = ({ available_at }: Pick<Payout, 'available_at'>): Date | null =>
  available_at.getTime() >= NEVER.getTime() ? null : available_at

export function payoutWait(payout: Payout): Wait | undefined {
  const { id, status, amount_cents, check_at, failure_code } = payout
  const sum = `${id}, ${formatCents(amount_cents)}`
  switch (status) {
    case 'held':
      return {
        what: `${sum} is held: ${holdWords(payout)}`,
        until: heldUntil(payout),
        next: `ops payout release ${id} REASON`,
      }
    case 'awaiting_account':
      return {
        what: `${sum} is waiting for a payout account of ${payout.worker_id}`,
        until: null,
        next: null,
      }
    case 'awaiting_funds':
      return { what: `${sum} is waiting for our balance`, until: check_at, next: 'ops money' }
    case 'requested':
    case 'submitting':
      return { what: `${sum} is being sent`, until: check_at, next: null }
    case 'failed':
      return {
        what: `${sum} failed: ${failure_code ?? 'no code'}`,
        until: check_at,
        next: `ops payout retry ${id}`,
      }
    case 'partially_reversed':
    case 'reversed':
      return { what: `${sum} was reversed`, until: null, next: `ops payout retry ${id}` }
    case 'paid':
      return undefined
  }
}
