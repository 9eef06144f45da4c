/**
 * The ways to end a held dispute. An operator upholds or rejects it (decide-held-dispute.ts), the agent withdraws it
 * (withdraw-dispute.ts) or approves the task (tasks/approve.ts), or nobody decides in time (lapse-held-disputes.ts).
 *
 * Only one of them can win: each locks the task, and move_tasks updates the dispute only while it is held.
 */
import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
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

/** The task and the dispute after the decision. */
export interface DecidedDispute {
  task: Task
  dispute: Dispute
}

/** The end of a held dispute, as a move and the dispute after it. */
export interface PlannedEnd {
  move: Move
  dispute: Dispute
  disputed: Assignment[]
}

interface Setting {
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

/** Makes a held dispute take effect like an ordinary one. The transaction must have locked the task. */
export async function upholdHeldDispute(
  tx: Tx,
  work: HeldWork,
  by: Setting & { operator: string; note: string },
): Promise<DecidedDispute> {
  const { move, dispute } = await planUpholding(tx, work, by)
  return { task: await apply(tx, move, by), dispute }
}

/** Plans upholding a held dispute without applying it, for the preview. */
export async function planUpholding(
  reader: Reader,
  { task, assignments, dispute }: HeldWork,
  { operator, note, now }: Setting & { operator: string; note: string },
): Promise<PlannedEnd> {
  const { standing, disputed } = partsOf({ task, assignments, dispute })
  const decision: HeldDecision = {
    status: 'open',
    decided_by: `operator ${operator}`,
    decision_note: note,
    refunded_cents: refundOf(task, { standing, disputed }),
  }
  const after: Dispute = { ...dispute, ...decision, decided_at: now }
  const move = await disputeMove(
    reader,
    { task, standing, disputed, dispute: after, write: decision },
    { now, reviewDueAt: originalReview(task) },
  )
  return { move, dispute: after, disputed }
}

/**
 * Ends a held dispute without effect. If all proofs were disputed, the task is completed and its workers are paid as
 * for an approval. If only single proofs were, the task awaits its verdict again with its original review time.
 */
export async function endHeldDispute(
  tx: Tx,
  work: HeldWork,
  by: EndSetting,
): Promise<DecidedDispute> {
  const { move, dispute } = await planEnding(tx, work, by)
  return { task: await apply(tx, move, by), dispute }
}

type EndSetting = Setting & {
  status: Exclude<HeldDecision['status'], 'open'>
  /** The value for `decided_by`. */
  by: string
  note?: string | null
}

/** Plans ending a held dispute without applying it, for the preview. */
export async function planEnding(
  reader: Reader,
  { task, assignments, dispute }: HeldWork,
  { status, by, note = null, config, now }: EndSetting,
): Promise<PlannedEnd> {
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
      : await backToVerdict(reader, task, { standing, decision })
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
  return { move: told, dispute: after, disputed }
}

/** The assertion holds because nothing else can decide on the disputed assignments while the dispute is held. */
function partsOf({ assignments, dispute }: HeldWork) {
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const disputed = standing.filter(({ id }) => dispute.assignment_ids.includes(id))
  assert.equal(disputed.length, dispute.assignment_ids.length, `${dispute.id} is missing a slot`)
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
  assert(move, `${work.task.id} has ended while its dispute is held`)
  return move
}

async function backToVerdict(
  reader: Reader,
  task: Task,
  { standing, decision }: { standing: Assignment[]; decision: HeldDecision },
): Promise<Move> {
  const judged = await judgeAnew(reader, task, standing)
  return { task, becomes: { ...judged, review_due_at: originalReview(task) }, dispute: decision }
}

/** The review deadline that was in effect before the dispute was held. */
const originalReview = (task: Task) => reviewDueAt(task, task.proof_at!)

/** Applies the move. If the review deadline has passed in the meantime, the rest of the task is settled immediately. */
async function apply(tx: Tx, move: Move, { config, now }: Setting): Promise<Task> {
  const [moved] = await moveTasks(tx, [move], { now })
  const { id: taskId, agent_id: agentId, review_due_at } = moved!
  if (review_due_at === null || review_due_at > now) return moved!
  await autoApproveTasks(tx, { taskIds: [taskId], config, now })
  return findTask(tx, { taskId, agentId })
}
