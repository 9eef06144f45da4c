import type { AgentCaller, Warn } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { COMMISSION_BASIS_POINTS, commissionCents } from '../kit/money.ts'
import { durationMs, readTime, resolveDeadline } from './deadline.ts'
import { Place, type TaskInput } from './fields.ts'
import { isScripted, readSim } from './personas.ts'

const HOUR_S = 3600

/** A task ready to be created, with all defaults and times resolved. Only the funding is still undecided. */
export type Draft = ReturnType<typeof draftTask>

export function draftTask(
  input: TaskInput,
  {
    agent,
    now,
    warn,
    commissionBasisPoints = COMMISSION_BASIS_POINTS,
  }: {
    agent: Pick<AgentCaller, 'id' | 'mode'>
    now: Date
    warn: Warn
    commissionBasisPoints?: number
  },
) {
  const urgency = input.urgency ?? 'standard'
  const consensus_count = input.consensus_count ?? 1
  const budget_basis = input.budget_basis ?? 'total'
  const growth = growthOf(input, consensus_count)
  // Reserve a share for every worker who may be asked, so the promised pay doesn't shrink when more are added.
  const slots = sharesOf({ ...growth, consensus_count })
  const locked_cents = input.budget_cents * (budget_basis === 'per_worker' ? slots : 1)
  const worker_pay_cents = workerPayCents({
    ...growth,
    consensus_count,
    locked_cents,
    commission_basis_points: commissionBasisPoints,
  })
  if (worker_pay_cents < 1)
    throw invalidField('budget_cents', `must leave at least one cent for each of ${slots} workers`)

  const scheduledAt =
    input.scheduled_at === undefined
      ? undefined
      : readTime('scheduled_at', input.scheduled_at, { now, warn })
  if (input.scheduled_at !== undefined && scheduledAt === undefined)
    throw invalidField('scheduled_at', 'must be an ISO 8601 time')
  const window_minutes = scheduledAt === undefined ? null : (input.window_minutes ?? 60)
  const windowEnd =
    scheduledAt === undefined
      ? undefined
      : new Date(scheduledAt.getTime() + window_minutes! * 60_000)
  if (windowEnd !== undefined && windowEnd <= now)
    throw invalidField('scheduled_at', 'must be in the future')
  const deadline = resolveDeadline(input.deadline, { urgency, windowEnd, now, warn })
  if (scheduledAt !== undefined && deadline <= scheduledAt)
    throw invalidField('deadline', 'must be after scheduled_at')

  const context = input.context ?? {}
  const location = input.location ?? placeIn(context)
  const answer_schema = input.answer_schema ?? null
  const rehearsal = agent.mode === 'test' ? readSim(context.sim, { answer_schema, location }) : null
  return {
    agent_id: agent.id,
    mode: agent.mode,
    type: input.type ?? 'custom',
    title: input.title ?? null,
    description: input.description,
    budget_cents: input.budget_cents,
    budget_basis,
    locked_cents,
    commission_basis_points: commissionBasisPoints,
    worker_pay_cents,
    urgency,
    proof_required: input.proof_required ?? 'text',
    consensus_count,
    ...growth,
    deadline,
    scheduled_at: scheduledAt ?? null,
    window_minutes,
    auto_approve_after: autoApproveSeconds(input.auto_approve_after, locked_cents),
    min_worker_level: input.min_worker_level ?? 1,
    skills: [...new Set(input.skills ?? [])],
    languages: [...new Set(input.languages ?? [])],
    location,
    context,
    metadata: input.metadata ?? null,
    answer_schema,
    criteria: input.criteria ?? null,
    callback_url: input.callback_url ?? null,
    rehearsal,
    rehearse_at:
      rehearsal === null || !isScripted(rehearsal)
        ? null
        : new Date(now.getTime() + rehearsal.accept_after_s * 1000),
    created_at: now,
  }
}

/** `min_confidence` and `consensus_max` must be given together. */
function growthOf({ consensus_max, min_confidence }: TaskInput, count: number) {
  if (consensus_max === undefined && min_confidence === undefined)
    return { consensus_max: null, min_confidence: null }
  if (min_confidence === undefined)
    throw invalidField('min_confidence', 'is required with consensus_max')
  if (consensus_max === undefined || consensus_max < count)
    throw invalidField('consensus_max', `must be at least consensus_count (${count})`)
  return { consensus_max, min_confidence }
}

/** The number of equal shares in the budget: one for every worker who may be asked. */
export const sharesOf = (task: { consensus_count: number; consensus_max: number | null }) =>
  task.consensus_max ?? task.consensus_count

/** The minimum pay of each worker after commission. Leftover cents go to the first workers on top. */
export function workerPayCents(task: {
  locked_cents: number
  commission_basis_points: number
  consensus_count: number
  consensus_max: number | null
}): number {
  const commission = commissionCents(task.locked_cents, task.commission_basis_points)
  return Math.floor((task.locked_cents - commission) / sharesOf(task))
}

/** How long after the last proof a task is auto-approved. Larger budgets allow longer review times. */
function autoApproveSeconds(asked: string | number | undefined, lockedCents: number): number {
  const longest =
    lockedCents <= 2000 ? 24 * HOUR_S : lockedCents <= 10_000 ? 72 * HOUR_S : 168 * HOUR_S
  const seconds = typeof asked === 'string' ? (durationMs(asked) ?? 0) / 1000 : (asked ?? longest)
  if (seconds < 60) throw invalidField('auto_approve_after', 'must be at least a minute')
  if (seconds > longest)
    throw invalidField('auto_approve_after', `must be at most ${longest / HOUR_S}h for this budget`)
  return seconds
}

/** Falls back to `context.location` as the task's location if it is a valid one. */
function placeIn(context: Record<string, unknown>) {
  return Place.safeParse(context.location).data ?? null
}
