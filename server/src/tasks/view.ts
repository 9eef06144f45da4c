import { z } from 'zod'
import { AnswerSchema } from '../consensus/answer-schema.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { Urgency } from './deadline.ts'
import { type Draft, workerPayCents } from './draft.ts'
import { Place, ProofKind, TaskType } from './fields.ts'
import type { Task } from './queries.ts'
import { TaskStatus } from './status.ts'

export const TaskId = idOf('task', 'a task').describe('`task_` and 26 letters')
/** The reason of a pending task that a person reads before workers see it. */
export const SCREENING = 'screening'
export const TaskCursor = idOf('task', 'a task')

export const TaskView = named(
  'Task',
  z.object({
    id: z.string(),
    agent_id: z.string(),
    type: TaskType,
    status: TaskStatus,
    status_reason: z.string().nullable().describe('More detail than the status, if there is any'),
    decides_by: z.iso
      .datetime()
      .nullable()
      .describe(
        'While status_reason is `dispute_held`: an operator decides on your dispute by then, ' +
          'otherwise the worker is paid',
      ),
    description: z.string(),
    budget_cents: z.int(),
    urgency: Urgency,
    proof_required: ProofKind,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    mode: z.enum(['live', 'test']),
    title: z.string().nullable(),
    deadline: z.iso.datetime(),
    context: z.record(z.string(), z.unknown()),
    consensus_count: z.int(),
    consensus_max: z.int().nullable(),
    min_confidence: z.number().nullable(),
    callback_url: z.string().nullable(),
    budget_basis: z.enum(['total', 'per_worker']),
    escrow_cents: z.int().describe('The amount currently held in escrow'),
    worker_pay_cents: z.int().describe('What each worker gets, after the commission'),
    skills: z.array(z.string()),
    languages: z.array(z.string()).describe('Language tags that the worker must speak'),
    location: Place.nullable(),
    answer_schema: AnswerSchema.nullable(),
    criteria: z.array(z.object({ id: z.string(), text: z.string() })).nullable(),
    min_worker_level: z.int(),
    auto_approve_after: z.int().describe('Seconds after the last proof'),
    scheduled_at: z.iso.datetime().nullable(),
    window_minutes: z.int().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    funding: z
      .enum(['wallet', 'free'])
      .describe('What paid for the task: the wallet, or a free task'),
  }),
)
export type TaskView = z.output<typeof TaskView>

/** A task that is being created, or a stored one: its JSON columns were validated when they were written. */
interface Shown extends Omit<Draft, 'worker_pay_cents'> {
  id: string
  funding: Task['funding']
  status: TaskStatus
  status_reason: string | null
  escrow_cents: number
  updated_at: Date
  /** Absent for a task that is still being created. */
  decides_by?: Date | null
}

export function viewTask(shown: Shown | Task): TaskView {
  const task = shown as Shown
  return {
    id: task.id,
    agent_id: task.agent_id,
    type: task.type,
    status: task.status,
    status_reason: task.status_reason,
    decides_by: task.decides_by?.toISOString() ?? null,
    description: task.description,
    budget_cents: task.budget_cents,
    urgency: task.urgency,
    proof_required: task.proof_required,
    created_at: task.created_at.toISOString(),
    updated_at: task.updated_at.toISOString(),
    mode: task.mode,
    title: task.title,
    deadline: task.deadline.toISOString(),
    context: task.context,
    consensus_count: task.consensus_count,
    consensus_max: task.consensus_max,
    min_confidence: task.min_confidence,
    callback_url: task.callback_url,
    budget_basis: task.budget_basis,
    escrow_cents: task.escrow_cents,
    worker_pay_cents: workerPayCents(task),
    skills: task.skills,
    languages: task.languages,
    location: task.location,
    answer_schema: task.answer_schema,
    criteria: task.criteria,
    min_worker_level: task.min_worker_level,
    auto_approve_after: task.auto_approve_after,
    scheduled_at: task.scheduled_at?.toISOString() ?? null,
    window_minutes: task.window_minutes,
    metadata: task.metadata,
    funding: task.funding,
  }
}
