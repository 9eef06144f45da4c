/**
 * Approve a task: pay its workers out of escrow, and close it.
 *
 *   called by   the agent that owns the task; other agents get a 404. Also the clock, if the agent doesn't respond in
 *               time (auto-approve.ts), and a held dispute that ends without effect (held-disputes.ts)
 *   moves       proof_submitted → completed; 409 from any other status. Approving twice returns the same response and
 *               pays once
 *   money       Each slot of the task has an equal share of the escrow. A valid proof earns its full share, and a
 *               proof that the task can't be done earns half of it. The earned amount is split into
 *                 escrow → commission   at the task's own rate, rounded down once
 *                 escrow → workers      the rest, in proportion; leftover cents go to the earliest proofs
 *               The unearned amount (an empty slot, a disputed proof, the other half) goes
 *                 escrow → wallet       for a free task → promotional fund
 *               If the agent adds a tip
 *                 wallet → workers      the tip, in equal parts and without commission
 *   event       task.completed
 */
import { z } from 'zod'
import { keyCap } from '../agents/errors.ts'
import type { Config } from '../config.ts'
import type { ConsensusView } from '../consensus/consensus.ts'
import { readOverride } from '../consensus/override.ts'
import { endpoint } from '../kit/endpoint.ts'
import { AnyJson, FREE_FORM_BODY_MAX_BYTES } from '../kit/free-form.ts'
import { splitCents } from '../kit/money.ts'
import { escrowRelease, tip } from '../ledger/movements.ts'
import { sharesOf } from './draft.ts'
import { consensusConflict, insufficientFunds, invalidState, taskNotFound } from './errors.ts'
import { viewAgreement } from './events.ts'
import { afterMove, type HeldDecision, isDisputeHeld, moneyOf, touchTrust } from './moves.ts'
import { findTask, hasLeftUnsafe, UNSAFE_PLACE, type Work } from './queries.ts'
import { paidInAll, percentOf, Settlement, settle } from './settlement.ts'
import { answerVerdict, type Verdict } from './verdicts.ts'
import { TaskId, TaskView, viewTask } from './view.ts'

export const approve = endpoint({
  method: 'POST',
  path: '/tasks/:id/approve',
  name: 'approveTask',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own', cap: 'charged' },
  summary: 'Approve a task and pay its workers',
  params: z.object({ id: TaskId }),
  body: z.object({
    override_result: AnyJson.optional().describe('The result that counts if the workers disagree'),
    tip_cents: z.int().min(1).max(100_000).optional().describe('Extra payment from your wallet'),
  }),
  bodyMaxBytes: FREE_FORM_BODY_MAX_BYTES,
  async beforeBody({ db, params, agent }) {
    await findTask(db, { taskId: params.id, agentId: agent.id, visibleKeyId: agent.visibleKeyId })
  },
  success: { status: 200, body: z.object({ task: TaskView, settlement: Settlement }) },
  errors: [taskNotFound, invalidState, consensusConflict, insufficientFunds, keyCap],

  transaction: 'own',
  handler: ({ params, body, ...request }) =>
    answerVerdict(request, params.id, (work) =>
      decideApproval(work, {
        by: 'agent',
        overrideResult: body.override_result,
        tipCents: body.tip_cents,
        config: request.config,
        now: request.now,
      }),
    ),
})

interface Approval {
  by: 'agent' | 'auto' | 'operator'
  overrideResult?: unknown
  tipCents?: number | undefined
  /** How the task's held dispute ends. By default, approving the task withdraws it. */
  heldDecision?: HeldDecision
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

/** The whole approval policy. It decides on a snapshot; the move applies only if the task hasn't changed since. */
export function decideApproval({ task, assignments }: Work, approval: Approval): Verdict {
  const { by, tipCents = 0, heldDecision, config, now } = approval
  const { result: overrideResult, warnings } = readOverride(task, approval.overrideResult)
  if (task.status === 'completed')
    return { answer: { task: viewTask(task), settlement: task.settlement as Settlement }, warnings }
  if (task.status !== 'proof_submitted') throw invalidState({ status: task.status })
  const consensus = resolveConsensus({ task, assignments }, { ...approval, overrideResult })

  const earners = assignments.filter(({ status }) => status === 'submitted')
  const paid = settle({
    lockedCents: task.locked_cents,
    commissionBasisPoints: task.commission_basis_points,
    slots: sharesOf(task),
    workers: earners.map(({ worker_id, outcome }) => ({
      workerId: worker_id,
      outcome: outcome!,
    })),
    notPossiblePercent: config.NOT_POSSIBLE_PERCENT,
  })
  const settlement = paidInAll(paid, task.settlement as Settlement | null)
  const money = moneyOf(task)
  const tips = splitCents(tipCents, earners.length)
  const keptReason = task.status_reason === UNSAFE_PLACE ? UNSAFE_PLACE : null
  const becomes = {
    status: 'completed' as const,
    status_reason: heldDecision === undefined ? keptReason : `dispute_${heldDecision.status}`,
    approved_by: by,
    review_due_at: null,
    consensus,
    settlement,
  }
  const completed = viewTask(afterMove({ task, becomes }, now))

  return {
    answer: { task: completed, settlement },
    warnings,
    move: {
      task,
      becomes,
      tipCents,
      entries: [
        escrowRelease({
          ...money,
          workerIds: earners.map(({ worker_id }) => worker_id),
          percents: earners.map(({ outcome }) => percentOf(outcome!, config.NOT_POSSIBLE_PERCENT)),
          grossCents: paid.gross_cents,
        }),
        tip({
          ...money,
          tips: earners.map(({ worker_id }, i) => ({ workerId: worker_id, cents: tips[i]! })),
        }),
      ],
      assignments: earners.map((earner, i) => ({
        ...earner,
        status: 'approved',
        net_cents: paid.workers[i]!.net_cents,
        ended_at: now,
      })),
      ...(isDisputeHeld(task) ? { dispute: heldDecision ?? WITHDRAWN } : {}),
      // Otherwise leaving tasks would earn trust.
      trust: earners
        .filter((earner) => !hasLeftUnsafe(earner))
        .map((earner) => touchTrust('approved', earner, now)),
      events: [
        {
          type: 'task.completed',
          data: { task: completed, settlement, approved_by: by, ...viewAgreement(consensus) },
        },
      ],
    },
  }
}

/**
 * Decides the task's result. The agent's own result overrides the workers' answers, and is required if those conflict.
 * Auto-approval leaves a conflict unresolved: everyone is paid, and there is no result.
 */
function resolveConsensus(
  { task }: Work,
  { by, overrideResult, heldDecision }: Approval,
): ConsensusView | null {
  const found = task.consensus as ConsensusView | null
  if (overrideResult !== undefined)
    return { ...(found ?? ONE_ANSWER), result: overrideResult, resolved_by: 'agent' }
  // Ending a held dispute doesn't resolve a conflict, so it needs no result.
  if (by === 'agent' && heldDecision === undefined && found?.conflict)
    throw consensusConflict({ votes: found.votes })
  return found
}

/** Approving a task withdraws its held dispute. */
const WITHDRAWN: HeldDecision = {
  status: 'withdrawn',
  decided_by: 'agent',
  decision_note: null,
  refunded_cents: 0,
}

/** The base for recording the agent's own result on a task with a single worker, which has no consensus. */
const ONE_ANSWER: ConsensusView = {
  needed: 1,
  received: 1,
  complete: true,
  incomplete: false,
  method: 'exact_text',
  result: null,
  confidence: null,
  conflict: false,
  resolved_by: null,
  votes: [],
}
