import { cancelCompensation, escrowRefund } from '../ledger/movements.ts'
import { sharesOf } from './draft.ts'
import { afterMove, moneyOf, type Move, touchTrust } from './moves.ts'
import type { Assignment, Work } from './queries.ts'
import { cancelCompensationCents, paidInAll, type Settlement } from './settlement.ts'
import { viewTask } from './view.ts'

interface End {
  status: 'cancelled' | 'expired'
  reason: string
  /** Percentage of the share that is paid to workers who hold the task, and to workers with an unreviewed proof. */
  payFor: { held: number; submitted: number }
  /** An operator's reason, which the agent is told. */
  note?: string | undefined
  now: Date
}

/**
 * Ends a task without a verdict: some of its workers are compensated, and the rest of the budget returns to its source.
 * A free task that nobody had accepted is restored to the agent's allowance.
 */
export function endWithoutVerdict(
  { task, assignments }: Work,
  { status, reason, payFor, note, now }: End,
): Move {
  const open = assignments.filter((slot) => isHeld(slot) || slot.status === 'submitted')
  const shareCents = Math.floor(task.locked_cents / sharesOf(task))
  const paid = open.map((slot) => {
    const percent = hasProof(slot) ? payFor.submitted : payFor.held
    return percent === 100
      ? { slot, cents: slot.pay_cents, commissionCents: shareCents - slot.pay_cents }
      : { slot, cents: compensation(shareCents, percent), commissionCents: 0 }
  })
  // Without this commission, an agent could avoid it by canceling just before the last proof.
  const commissionCents = paid.reduce((sum, one) => sum + one.commissionCents, 0)
  const given = paid.reduce((sum, { cents }) => sum + cents, commissionCents)
  const money = moneyOf(task)
  const holders = paid.map(({ slot, cents }) => ({ workerId: slot.worker_id, cents }))
  const settlement = paidInAll(
    {
      gross_cents: given,
      commission_cents: commissionCents,
      refunded_cents: task.locked_cents - given,
      workers: holders.map(({ workerId, cents }) => ({ worker_id: workerId, net_cents: cents })),
    },
    task.settlement as Settlement | null,
  )
  const becomes = { status, status_reason: reason, review_due_at: null, settlement }
  const ended = viewTask(afterMove({ task, becomes }, now))
  return {
    task,
    becomes,
    entries: [
      given === 0
        ? escrowRefund(money)
        : cancelCompensation({ ...money, holders, commissionCents }),
    ],
    returnsFreeTask: task.funding === 'free' && given === 0,
    assignments: paid.map(({ slot, cents }) => ({
      ...slot,
      // A worker who still held the task at its deadline without a proof has run out of time.
      status:
        status === 'expired' && !hasProof(slot) ? ('expired' as const) : ('cancelled' as const),
      net_cents: status === 'expired' && !hasProof(slot) ? null : cents,
      ended_at: now,
    })),
    trust:
      status === 'expired'
        ? open.filter((slot) => !hasProof(slot)).map((slot) => touchTrust('abandoned', slot, now))
        : [],
    events: [
      status === 'cancelled'
        ? { type: 'task.cancelled', data: { task: ended, settlement, note } }
        : { type: 'task.expired', data: { task: ended, settlement } },
    ],
  }
}

const isHeld = ({ status }: Assignment) => status === 'accepted'
/** Includes assignments under revision, because their first proof was submitted. */
export const hasProof = ({ submitted_at }: Assignment) => submitted_at !== null

const compensation = (shareCents: number, percent: number) =>
  percent === 0 ? 0 : cancelCompensationCents(shareCents, percent)
