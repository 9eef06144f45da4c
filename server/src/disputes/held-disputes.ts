/**
 * The ways out of a held dispute. An operator upholds or rejects it (decide-held-dispute.ts), the agent withdraws it
 * (withdraw-dispute.ts) or approves the task (tasks/approve.ts), or nobody decides in time (lapse-held-disputes.ts).
 *
 * They are one race with one winner: each holds the task, and move_tasks updates the dispute only while it is held.
 */
import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { decideApproval } from '../tasks/approve.ts'
import { viewAssignment } from '../tasks/assignment-view.ts'
import { autoApproveTasks } from '../tasks/auto-approve.ts'
import { type Dispute, viewDispute } from '../tasks/dispute-view.ts'
import { afterMove, type HeldDecision, type Move, moveTasks } from '../tasks/moves.ts'
import { type Assignment, findTask, type Task, type Work } from '../tasks/queries.ts'
import { reviewDueAt } from '../tasks/timers.ts'
import { viewTask } from '../tasks/view.ts'
import { judgeAnew } from '../tasks/votes.ts'
import { disputeMove, refundOf } from './dispute-effect.ts'

export interface HeldWork extends Work {
  dispute: Dispute
}

/** After the decision. */
export interface DecidedDispute {
  task: Task
  dispute: Dispute
}

interface Setting {
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

/** It takes effect as an ordinary dispute does. In a transaction that holds the task. */
export async function upholdHeldDispute(
  tx: Tx,
  { task, assignments, dispute }: HeldWork,
  { operator, note, config, now }: Setting & { operator: string; note: string },
): Promise<DecidedDispute> {
  const { standing, disputed } = partsOf({ task, assignments, dispute })
  const decision: HeldDecision = {
    status: 'open',
    decided_by: `operator ${operator}`,
    decision_note: note,
    refunded_cents: refundOf(task, { standing, disputed }),
  }
  const after: Dispute = { ...dispute, ...decision, decided_at: now }
  const move = await disputeMove(
    tx,
    { task, standing, disputed, dispute: after, write: decision },
    { now, reviewDueAt: originalReview(task) },
  )
  return { task: await apply(tx, move, { config, now }), dispute: after }
}

/**
 * It never takes effect. A task whose proofs were all disputed is completed, and its workers are paid as by an
 * approval. Of single proofs, the task goes back to its verdict with the review time that it had.
 */
export async function endHeldDispute(
  tx: Tx,
  { task, assignments, dispute }: HeldWork,
  {
    status,
    by,
    note = null,
    config,
    now,
  }: Setting & {
    status: Exclude<HeldDecision['status'], 'open'>
    /** As `decided_by`. */
    by: string
    note?: string | null
  },
): Promise<DecidedDispute> {
  const { standing, disputed } = partsOf({ task, assignments, dispute })
  const decision: HeldDecision = {
    status,
    decided_by: by,
    decision_note: note,
    refunded_cents: 0,
  }
  const after: Dispute = { ...dispute, ...decision, decided_at: now, resolved_at: now }
  const move =
    disputed.length === standing.length
      ? approvalOf({ task, assignments }, { decision, config, now })
      : await backToVerdict(tx, task, { standing, decision })
  const slots = disputed.map((slot) => move.assignments?.find(({ id }) => id === slot.id) ?? slot)
  const told: Move = {
    ...move,
    events: [
      ...(move.events ?? []),
      {
        type: 'task.dispute_resolved',
        data: {
          task: viewTask(afterMove(move, now)),
          dispute: viewDispute(after, []),
          ruling: status,
          assignments: slots.map(viewAssignment),
        },
      },
    ],
  }
  return { task: await apply(tx, told, { config, now }), dispute: after }
}

/** While a dispute is held nobody else can judge its slots. */
function partsOf({ assignments, dispute }: HeldWork) {
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const disputed = standing.filter(({ id }) => dispute.assignment_ids.includes(id))
  assert.equal(disputed.length, dispute.assignment_ids.length, `${dispute.id} has lost a slot`)
  return { standing, disputed }
}

function approvalOf(
  work: Work,
  { decision, config, now }: Setting & { decision: HeldDecision },
): Move {
  const by = { withdrawn: 'agent', lapsed: 'auto', rejected: 'operator', open: 'operator' } as const
  const { move } = decideApproval(work, {
    by: by[decision.status],
    heldDecision: decision,
    config,
    now,
  })
  assert(move, `${work.task.id} has ended, and its dispute is held`)
  return move
}

async function backToVerdict(
  tx: Tx,
  task: Task,
  { standing, decision }: { standing: Assignment[]; decision: HeldDecision },
): Promise<Move> {
  const judged = await judgeAnew(tx, task, standing)
  return { task, becomes: { ...judged, review_due_at: originalReview(task) }, dispute: decision }
}

/** The review time that ran when the dispute was held. */
const originalReview = (task: Task) => reviewDueAt(task, task.proof_at!)

/** Where that time has passed meanwhile, the rest of the task is settled at once. */
async function apply(tx: Tx, move: Move, { config, now }: Setting): Promise<Task> {
  const [moved] = await moveTasks(tx, [move], { now })
  const { id: taskId, agent_id: agentId, review_due_at } = moved!
  if (review_due_at === null || review_due_at > now) return moved!
  await autoApproveTasks(tx, { taskIds: [taskId], config, now })
  return findTask(tx, { taskId, agentId })
}
