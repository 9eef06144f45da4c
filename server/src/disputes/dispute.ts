/**
 * Dispute a task: its money comes back, and the workers' trust is hit.
 *
 *   called by   the agent that owns the task. Disputing again for the same reason answers the same
 *   moves       proof_submitted → disputed. Of a consensus task single proofs can be disputed: it stays
 *               proof_submitted while another proof stands, and their shares come back when it is settled
 *   money       escrow → wallet, in this transaction; for a free task escrow → promotional fund, and it stays spent
 *   event       task.disputed
 *
 * The breaker: in 24 hours only an agent's first 3 disputes touch trust; from 5 on, if they are more than a fifth of
 * the work it reviewed, a dispute waits for an operator: nothing moves, and silence no longer approves.
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { escrowRefund } from '../ledger/movements.ts'
import { viewDispute } from './dispute-view.ts'
import { invalidState, taskNotFound } from './errors.ts'
import { afterMove, moneyOf, type Move, moveTasks, type NewDispute, touchTrust } from './moves.ts'
import { type Assignment, lockWork, type OwnTask, type Task } from './queries.ts'
import { TaskId, TaskView, viewTask } from './view.ts'
import { judgeAnew } from './votes.ts'

const DAY_MS = 86_400_000

export const dispute = endpoint({
  method: 'POST',
  path: '/tasks/:id/dispute',
  auth: 'agent',
  scope: 'review',
  summary: 'Dispute a task and get its money back',
  params: z.object({ id: TaskId }),
  body: z.object({
    reason: z.string().trim().min(1).max(2000).describe('Shown to the worker'),
    category: z.enum(['not_done', 'wrong_place', 'unreadable', 'spam', 'fake', 'other']).optional(),
    criteria: z
      .array(z.string().max(50))
      .max(20)
      .optional()
      .describe('Which of the task’s criteria are not met, by their ids'),
    assignment_ids: z
      .array(z.string())
      .min(1)
      .max(25)
      .optional()
      .describe('Only these proofs of a consensus task; by default all'),
  }),
  success: { status: 200, body: z.object({ task: TaskView, refunded_cents: z.int() }) },
  errors: [taskNotFound, invalidState],

  async handler({ tx, agent, params, body, config, now }) {
    const { task, refunded_cents } = await disputeTask(tx, {
      taskId: params.id,
      agentId: agent.id,
      sees: agent.sees,
      reason: body.reason,
      category: body.category ?? null,
      criteria: body.criteria ?? [],
      assignmentIds: body.assignment_ids,
      config,
      now,
    })
    return { task: viewTask(task), refunded_cents }
  },
})

interface DisputeTask extends OwnTask {
  reason: string
  category: string | null
  criteria: string[]
  assignmentIds: string[] | undefined
  config: Pick<Config, 'DISPUTES_TOUCHING_TRUST' | 'DISPUTES_BEFORE_REVIEW' | 'DISPUTE_PERCENT_MAX'>
  now: Date
}

export async function disputeTask(
  tx: Tx,
  { taskId, agentId, sees, reason, category, criteria, assignmentIds, config, now }: DisputeTask,
): Promise<{ task: Task; refunded_cents: number }> {
  const { task, assignments } = await lockWork(tx, { taskId, agentId, sees })
  checkCriteria(task, criteria)
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const earlier = await disputesOf(tx, taskId)
  const asked =
    assignmentIds ??
    (task.status === 'disputed' ? earlier[0]!.assignment_ids : standing.map(({ id }) => id))
  const same = earlier.find(
    (one) =>
      one.status !== 'withdrawn' && one.reason === reason && isSame(one.assignment_ids, asked),
  )
  if (same) return { task, refunded_cents: same.refunded_cents }
  if (task.status !== 'proof_submitted' || earlier[0]?.status === 'held')
    throw invalidState({ status: task.status })

  const disputed = assignmentIds === undefined ? standing : pick(standing, assignmentIds)
  const isWhole = disputed.length === standing.length

  // Two disputes of one agent at once are counted one after the other.
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  const { touchesTrust, isHeld } = await askBreaker(tx, { agentId, config, now })
  const refunded_cents = isHeld || !isWhole || task.funding === 'free' ? 0 : task.locked_cents
  const record: NewDispute = {
    id: mintId('dsp', now, shardOf(taskId)),
    assignment_ids: disputed.map(({ id }) => id),
    reason,
    category,
    criteria,
    status: isHeld ? 'held' : 'open',
    touches_trust: touchesTrust && !isHeld,
    refunded_cents,
  }
  if (isHeld) {
    const becomes = { status_reason: 'dispute_held', review_due_at: null }
    const [held] = await moveTasks(tx, [{ task, becomes, dispute: record }], { now })
    return { task: held!, refunded_cents }
  }

  const becomes: Move['becomes'] = isWhole
    ? { status: 'disputed', status_reason: 'disputed_by_agent', review_due_at: null }
    : await judgeAnew(
        tx,
        task,
        standing.filter((slot) => !disputed.includes(slot)),
      )
  const after = viewTask(afterMove({ task, becomes }, now))
  const shown = viewDispute({ ...record, debited_cents: 0, created_at: now, resolved_at: null }, [])
  const [moved] = await moveTasks(
    tx,
    [
      {
        task,
        becomes,
        entries: isWhole ? [escrowRefund(moneyOf(task))] : [],
        assignments: disputed.map((slot) => ({
          ...slot,
          status: 'disputed',
          reason,
          ended_at: now,
        })),
        trust: touchesTrust ? disputed.map((slot) => touchTrust('disputed', slot, now)) : [],
        dispute: record,
        events: [{ type: 'task.disputed', data: { task: after, dispute: shown } }],
      },
    ],
    { now },
  )
  return { task: moved!, refunded_cents }
}

/** How many disputes an agent has had within a day, against the work it reviewed. */
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

/** The newest first. */
function disputesOf(tx: Tx, taskId: string) {
  return tx
    .selectFrom('disputes')
    .select(['reason', 'assignment_ids', 'status', 'refunded_cents'])
    .where('task_id', '=', taskId)
    .orderBy('id', 'desc')
    .execute()
}

const isSame = (disputed: string[], asked: string[]) =>
  new Set(asked).size === disputed.length && asked.every((id) => disputed.includes(id))

function checkCriteria(task: Task, ids: string[]): void {
  const known = (task.criteria as { id: string }[] | null) ?? []
  for (const [i, id] of ids.entries())
    if (!known.some((criterion) => criterion.id === id))
      throw invalidField(`criteria.${i}`, 'is not the id of one of the task’s criteria')
}

function pick(standing: Assignment[], ids: string[]): Assignment[] {
  for (const [i, id] of ids.entries())
    if (!standing.some((slot) => slot.id === id))
      throw invalidField(`assignment_ids.${i}`, 'is not an assignment whose proof can be disputed')
  return standing.filter(({ id }) => ids.includes(id))
}
