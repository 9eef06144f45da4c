/** The move by which a dispute takes effect: immediately (dispute.ts), or when upheld (held-disputes.ts). */
import type { Reader } from '../kit/db.ts'
import { escrowRefund } from '../ledger/movements.ts'
import { type Dispute, viewDispute } from '../tasks/dispute-view.ts'
import {
  afterMove,
  type HeldDecision,
  moneyOf,
  type Move,
  type NewDispute,
  touchTrust,
} from '../tasks/moves.ts'
import type { Assignment, Task } from '../tasks/queries.ts'
import { viewTask } from '../tasks/view.ts'
import { judgeAnew } from '../tasks/votes.ts'

interface Effect {
  task: Task
  /** All proofs that can still be reviewed, and the disputed ones among them. */
  standing: Assignment[]
  disputed: Assignment[]
  /** The dispute in its new state. */
  dispute: Omit<Dispute, 'task_id' | 'agent_id' | 'decided_by'>
  /** The dispute's row: a new one, or a decision on a held one. */
  write: NewDispute | HeldDecision
}

/** The immediate refund to the wallet. Shares of single proofs are refunded only when the task is settled. */
export const refundOf = (
  task: Task,
  { standing, disputed }: Pick<Effect, 'standing' | 'disputed'>,
): number =>
  disputed.length === standing.length && task.funding === 'wallet' ? task.locked_cents : 0

export async function disputeMove(
  reader: Reader,
  { task, standing, disputed, dispute, write }: Effect,
  { now, reviewDueAt }: { now: Date; reviewDueAt: Date | null },
): Promise<Move> {
  const isWhole = disputed.length === standing.length
  const rest = standing.filter((slot) => !disputed.includes(slot))
  const becomes: Move['becomes'] = isWhole
    ? { status: 'disputed', status_reason: 'disputed_by_agent', review_due_at: null }
    : { ...(await judgeAnew(reader, task, rest)), review_due_at: reviewDueAt }
  const after = viewTask(afterMove({ task, becomes }, now))
  return {
    task,
    becomes,
    entries: isWhole ? [escrowRefund(moneyOf(task))] : [],
    assignments: disputed.map((slot) => ({
      ...slot,
      status: 'disputed',
      reason: dispute.reason,
      ended_at: now,
    })),
    trust: dispute.touches_trust ? disputed.map((slot) => touchTrust('disputed', slot, now)) : [],
    dispute: write,
    events: [{ type: 'task.disputed', data: { task: after, dispute: viewDispute(dispute, []) } }],
  }
}
