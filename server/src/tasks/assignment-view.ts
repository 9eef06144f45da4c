import { z } from 'zod'
import { AnswerSchema } from '../consensus/answer-schema.ts'
import { named } from '../kit/named.ts'
import { areaOf } from '../places/geocode.ts'
import { Urgency } from './deadline.ts'
import { Place, ProofKind, TaskType } from './fields.ts'
import { type Assignment, isTheirs, type WorkerAssignment, type WorkerTask } from './queries.ts'
import { TaskStatus } from './status.ts'

const ASSIGNMENT_STATUSES = [
  'accepted',
  'submitted',
  'approved',
  'disputed',
  'released',
  'expired',
  'cancelled',
] as const
export const AssignmentStatus = named('AssignmentStatus', z.enum(ASSIGNMENT_STATUSES))

/** An assignment as its worker sees it. */
export const OwnAssignment = named(
  'OwnAssignment',
  z.object({
    id: z.string(),
    status: AssignmentStatus,
    pay_cents: z.int().describe('Your pay if the proof is approved, after the commission'),
    net_cents: z.int().nullable().describe('What you were paid'),
    accepted_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('Deadline for your proof'),
    submitted_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    auto_approve_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the proof is approved automatically; null unless it is waiting for a verdict',
      ),
    decides_by: z.iso
      .datetime()
      .nullable()
      .describe(
        'While a dispute of this task is held: Legwork decides by then. If nobody decides, the ' +
          'dispute has no effect',
      ),
    outcome: z.enum(['done', 'not_possible']).nullable(),
    reason: z
      .string()
      .nullable()
      .describe('The agent’s reason for the dispute; `unsafe` if you left an unsafe place'),
    revision_note: z.string().nullable().describe('What the agent wants you to change'),
  }),
)

export function viewOwnAssignment(
  assignment: WorkerAssignment,
  task: Pick<WorkerTask, 'status' | 'review_due_at' | 'decides_by'>,
): z.output<typeof OwnAssignment> {
  return {
    id: assignment.id,
    status: assignment.status,
    pay_cents: assignment.pay_cents,
    net_cents: assignment.net_cents,
    accepted_at: assignment.accepted_at.toISOString(),
    expires_at: assignment.expires_at.toISOString(),
    submitted_at: assignment.submitted_at?.toISOString() ?? null,
    ended_at: assignment.ended_at?.toISOString() ?? null,
    auto_approve_at: whileJudged(assignment, task, task.review_due_at),
    decides_by: whileJudged(assignment, task, task.decides_by),
    outcome: assignment.outcome,
    reason: assignment.reason,
    revision_note: assignment.revision_note,
  }
}

const whileJudged = (
  { status }: WorkerAssignment,
  task: Pick<WorkerTask, 'status'>,
  at: Date | null,
) =>
  status === 'submitted' && task.status === 'proof_submitted' ? (at?.toISOString() ?? null) : null

/** An assignment as the agent sees it. */
export const AgentAssignment = named(
  'Assignment',
  z.object({
    id: z.string(),
    worker_id: z.string(),
    status: AssignmentStatus,
    accepted_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    submitted_at: z.iso.datetime().nullable(),
    outcome: z.enum(['done', 'not_possible']).nullable(),
    net_cents: z.int().nullable(),
  }),
)

export function viewAssignment(assignment: Assignment): z.output<typeof AgentAssignment> {
  return {
    id: assignment.id,
    worker_id: assignment.worker_id,
    status: assignment.status,
    accepted_at: assignment.accepted_at.toISOString(),
    expires_at: assignment.expires_at.toISOString(),
    submitted_at: assignment.submitted_at?.toISOString() ?? null,
    outcome: assignment.outcome,
    net_cents: assignment.net_cents,
  }
}

/** The task's requirements beyond its description. */
export const Demands = z.object({
  scheduled_at: z.iso.datetime().nullable(),
  window_minutes: z.int().nullable(),
  answer_schema: AnswerSchema.nullable(),
  criteria: z.array(z.object({ id: z.string(), text: z.string() })).nullable(),
})

export const viewDemands = (task: WorkerTask): z.output<typeof Demands> => ({
  scheduled_at: task.scheduled_at?.toISOString() ?? null,
  window_minutes: task.window_minutes,
  answer_schema: task.answer_schema as z.output<typeof AnswerSchema> | null,
  criteria: task.criteria as { id: string; text: string }[] | null,
})

/** The brief: a task as the worker who accepted it sees it. */
export const Brief = named(
  'TaskBrief',
  z.object({
    id: z.string(),
    type: TaskType,
    status: TaskStatus,
    title: z.string().nullable(),
    description: z.string(),
    urgency: Urgency,
    proof_required: ProofKind,
    budget_cents: z.int(),
    deadline: z.iso.datetime(),
    ...Demands.shape,
    auto_approve_after: z
      .int()
      .describe('Seconds after the last proof until it is approved automatically'),
    consensus_count: z.int().describe('Number of workers asked'),
    area: z.string().nullable().describe('The approximate location'),
    location: Place.nullable().describe('The exact location; only while the task is yours'),
    context: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Further details from the agent; only while the task is yours'),
  }),
)

/** Workers who released the task, or ran out of time, no longer see its exact location. */
export function viewBrief(task: WorkerTask, assignment: WorkerAssignment): z.output<typeof Brief> {
  const isHolder = isTheirs(assignment)
  const location = task.location as z.output<typeof Place> | null
  return {
    id: task.id,
    type: task.type,
    status: task.status,
    title: task.title,
    description: task.description,
    urgency: task.urgency,
    proof_required: task.proof_required,
    budget_cents: task.budget_cents,
    deadline: task.deadline.toISOString(),
    ...viewDemands(task),
    auto_approve_after: task.auto_approve_after,
    consensus_count: task.consensus_count,
    area: location === null ? null : (areaOf(location) ?? null),
    location: isHolder ? location : null,
    context: isHolder ? withoutNumber(task.context as Record<string, unknown>, assignment) : null,
  }
}

/** The phone number is only needed for the call. Once the proof is submitted, only its last two digits are shown. */
function withoutNumber(context: Record<string, unknown>, { status }: WorkerAssignment) {
  if (status === 'accepted' || typeof context.number !== 'string') return context
  const { number_written: _, ...rest } = context
  return { ...rest, number: `… ${context.number.slice(-2)}` }
}
