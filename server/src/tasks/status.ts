import { z } from 'zod'
import { named } from '../kit/named.ts'

export const STATUSES = [
  'pending',
  'in_progress',
  'proof_submitted',
  'completed',
  'disputed',
  'expired',
  'cancelled',
] as const
export const TaskStatus = named('TaskStatus', z.enum(STATUSES))
export type TaskStatus = (typeof STATUSES)[number]

/** All allowed status transitions, with the operations that trigger them. */
const MOVES: Record<TaskStatus, Partial<Record<TaskStatus, string>>> = {
  pending: {
    in_progress: 'accept',
    cancelled: 'cancel, withdraw, decide-report',
    expired: 'expire',
  },
  in_progress: {
    pending: 'release',
    proof_submitted: 'submit-proof, or expire with enough proofs',
    cancelled: 'cancel, decide-report',
    expired: 'expire',
  },
  proof_submitted: {
    in_progress: 'request-revision',
    completed:
      'approve, auto-approve; with a held dispute decide-held-dispute, withdraw-dispute, lapse-held-disputes',
    disputed: 'dispute; with a held dispute decide-held-dispute',
  },
  disputed: { completed: 'withdraw-dispute, concede-appeals, rule-on-appeal' },
  completed: {},
  expired: {},
  cancelled: {},
}

export const canMove = (from: TaskStatus, to: TaskStatus) => MOVES[from][to] !== undefined

/** Whether the task has ended. Only an appeal, or the withdrawal of a dispute, can still change it. */
export const hasEnded = (status: TaskStatus) =>
  status === 'completed' || status === 'expired' || status === 'cancelled' || status === 'disputed'
