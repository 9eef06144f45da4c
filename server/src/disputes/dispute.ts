/**
 * Dispute a task: its budget is refunded, and the workers lose trust.
 *
 *   called by   the agent that owns the task. Disputing again for the same reason returns the same response
 *   moves       proof_submitted → disputed. Single proofs of a consensus task can be disputed: it stays
 *               proof_submitted while another proof is valid, and their shares are refunded when it is settled
 *   money       escrow → wallet, in this transaction; for a free task escrow → promotional fund, and it stays spent
 *   event       task.disputed; task.dispute_held if an operator decides first
 *
 * Circuit breaker: within 24 hours, only an agent's first 3 disputes affect trust. Once it has made 5 that exceed a
 * fifth of the work it reviewed, a new dispute is held: nothing moves until an operator decides, and the task isn't
 * auto-approved. Without a decision by `decides_by` the worker is paid (held-disputes.ts).
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { idOf, mintId, shardOf } from '../kit/ids.ts'
import {
  appealsOf,
  type Dispute,
  disputesOf,
  DisputeView,
  hasNoEffect,
  viewDispute,
} from '../tasks/dispute-view.ts'
import { invalidState, stateOf, taskNotFound } from '../tasks/errors.ts'
import { afterMove, isDisputeHeld, type Move, moveTasks, type NewDispute } from '../tasks/moves.ts'
import {
  type Assignment,
  hasLeftUnsafe,
  lockWork,
  type OwnTask,
  type Task,
} from '../tasks/queries.ts'
import { TaskId, TaskView, viewTask } from '../tasks/view.ts'
import { disputeMove, refundOf } from './dispute-effect.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const dispute = endpoint({
  method: 'POST',
  path: '/tasks/:id/dispute',
  name: 'disputeTask',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Dispute a task and get a refund',
  description:
    'After several disputes within a day, an operator decides first: the task in the response ' +
    'then has `status_reason` `dispute_held`, no money moves, and if nobody decides by ' +
    '`decides_by`, the worker is paid.',
  params: z.object({ id: TaskId }),
  body: z.object({
    reason: z.string().trim().min(1).max(2000).describe('Shown to the worker'),
    category: z.enum(['not_done', 'wrong_place', 'unreadable', 'spam', 'fake', 'other']).optional(),
    criteria: z
      .array(z.string().max(50))
      .max(20)
      .optional()
      .describe('Ids of the task’s criteria that are not met'),
    assignment_ids: z
      .array(idOf('asg', 'an assignment'))
      .min(1)
      .max(25)
      .optional()
      .describe('Only these proofs of a consensus task; by default all'),
  }),
  success: {
    status: 200,
    body: z.object({ task: TaskView, refunded_cents: z.int(), dispute: DisputeView }),
  },
  errors: [taskNotFound, invalidState],

  async handler({ tx, agent, params, body, config, now }) {
    const { task, dispute } = await disputeTask(tx, {
      taskId: params.id,
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      reason: body.reason,
      category: body.category ?? null,
      criteria: body.criteria ?? [],
      assignmentIds: body.assignment_ids,
      config,
      now,
    })
    const appeals = await appealsOf(tx, task)
    return {
      task: viewTask(task),
      refunded_cents: dispute.refunded_cents,
      dispute: viewDispute(dispute, appeals),
    }
  },
})

interface DisputeTask extends OwnTask {
  reason: string
  category: string | null
  criteria: string[]
  assignmentIds: string[] | undefined
  config: Pick<
    Config,
    | 'DISPUTES_TOUCHING_TRUST'
    | 'DISPUTES_BEFORE_REVIEW'
    | 'DISPUTE_PERCENT_MAX'
    | 'HELD_DISPUTE_HOURS'
  >
  now: Date
}

export async function disputeTask(
  tx: Tx,
  {
    taskId,
    agentId,
    visibleKeyId,
    reason,
    category,
    criteria,
    assignmentIds,
    config,
    now,
  }: DisputeTask,
): Promise<{ task: Task; dispute: Dispute }> {
  const { task, assignments } = await lockWork(tx, { taskId, agentId, visibleKeyId })
  checkCriteria(task, criteria)
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const earlier = await disputesOf(tx, task)
  const open = standing.filter((slot) => !isCleared(slot, earlier))
  const asked =
    assignmentIds ??
    (task.status === 'disputed' ? earlier[0]!.assignment_ids : open.map(({ id }) => id))
  const same = earlier.find(
    (one) =>
      (one.status === 'held' || !hasNoEffect(one)) &&
      one.status !== 'withdrawn' &&
      one.reason === reason &&
      isSame(one.assignment_ids, asked),
  )
  if (same) return { task, dispute: same }
  if (task.status !== 'proof_submitted' || isDisputeHeld(task)) throw invalidState(stateOf(task))

  const disputed = assignmentIds === undefined ? open : pick(open, assignmentIds)
  if (disputed.length === 0) throw invalidState(stateOf(task))

  // Lock the agent, so its concurrent disputes are counted one at a time.
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  const { touchesTrust, isHeld } = await askBreaker(tx, { agentId, config, now })
  const record: NewDispute = {
    id: mintId('dsp', now, shardOf(taskId)),
    assignment_ids: disputed.map(({ id }) => id),
    reason,
    category,
    criteria,
    status: isHeld ? 'held' : 'open',
    touches_trust: touchesTrust && !disputed.some(hasLeftUnsafe),
    refunded_cents: isHeld ? 0 : refundOf(task, { standing, disputed }),
    decides_by: isHeld ? new Date(now.getTime() + config.HELD_DISPUTE_HOURS * HOUR_MS) : null,
  }
  const made: Dispute = {
    ...record,
    ...UNDECIDED,
    task_id: taskId,
    agent_id: agentId,
    created_at: now,
  }
  const move = isHeld
    ? holdMove(task, { record, made, now })
    : await disputeMove(
        tx,
        { task, standing, disputed, dispute: made, write: record },
        { now, reviewDueAt: task.review_due_at },
      )
  const [moved] = await moveTasks(tx, [move], { now })
  return { task: moved!, dispute: made }
}

const UNDECIDED = {
  debited_cents: 0,
  decided_at: null,
  decided_by: null,
  decision_note: null,
  resolved_at: null,
}

/** Changes only the timers: the operator's time starts, and the review time stops. */
function holdMove(
  task: Task,
  { record, made, now }: { record: NewDispute; made: Dispute; now: Date },
): Move {
  const becomes = {
    status_reason: 'dispute_held',
    review_due_at: null,
    decides_by: record.decides_by,
  }
  const after = viewTask(afterMove({ task, becomes }, now))
  const data = { task: after, dispute: viewDispute(made, []) }
  return { task, becomes, dispute: record, events: [{ type: 'task.dispute_held', data }] }
}

/** Whether a held dispute of this assignment ended without effect. Its proof can't be disputed again. */
const isCleared = ({ id }: Assignment, disputes: Dispute[]) =>
  disputes.some(
    (one) => one.status !== 'held' && hasNoEffect(one) && one.assignment_ids.includes(id),
  )

/** Compares the agent's disputes in the last day with the work it reviewed. */
async function askBreaker(
  tx: Tx,
  { agentId, config, now }: Pick<DisputeTask, 'agentId' | 'config' | 'now'>,
) {
  const since = new Date(now.getTime() - DAY_MS)
  const { disputes } = await tx
    .selectFrom('disputes')
    .select((select) => select.fn.countAll<number>().as('disputes'))
    .where('agent_id', '=', agentId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  const touchesTrust = disputes < config.DISPUTES_TOUCHING_TRUST
  if (disputes < config.DISPUTES_BEFORE_REVIEW) return { touchesTrust, isHeld: false }

  const { reviewed } = await tx
    .selectFrom('tasks')
    .select((select) => select.fn.countAll<number>().as('reviewed'))
    .where('agent_id', '=', agentId)
    .where('status', 'in', ['completed', 'disputed'])
    .where('ended_at', '>', since)
    .executeTakeFirstOrThrow()
  return { touchesTrust, isHeld: disputes * 100 > reviewed * config.DISPUTE_PERCENT_MAX }
}

const isSame = (disputed: string[], asked: string[]) =>
  new Set(asked).size === disputed.length && asked.every((id) => disputed.includes(id))

function checkCriteria(task: Task, ids: string[]): void {
  const known = (task.criteria as { id: string }[] | null) ?? []
  for (const [i, id] of ids.entries())
    if (!known.some((criterion) => criterion.id === id))
      throw invalidField(`criteria.${i}`, 'must be the id of one of the task’s criteria')
}

function pick(standing: Assignment[], ids: string[]): Assignment[] {
  for (const [i, id] of ids.entries())
    if (!standing.some((slot) => slot.id === id))
      throw invalidField(`assignment_ids.${i}`, 'must be an assignment whose proof can be disputed')
  return standing.filter(({ id }) => ids.includes(id))
}
