import { z } from 'zod'
import { keyCap } from '../agents/errors.ts'
import type { Config } from '../config.ts'
import { ApiError, defineError } from '../kit/errors.ts'
import type { Functions } from '../kit/functions.ts'
import { Lacked } from '../workers/abilities.ts'

export const DEPOSIT_URL = '/api/v1/wallet/deposit'

export const taskNotFound = defineError(
  404,
  'task_not_found',
  'This task does not exist',
  {},
  {
    who: 'anyone',
    cause:
      'No task has this id, or it belongs to someone else: the response is the same for both. ' +
      'Live keys can’t see tasks of test mode, and test keys can’t see live tasks.',
    fix: 'Check the id and the mode of your key; `GET /tasks` lists your tasks.',
    hint: 'Live and test keys see only the tasks of their own mode; GET /tasks lists yours',
  },
)
export const invalidState = defineError(
  409,
  'invalid_state',
  'The task’s status does not allow this',
  {
    status: z.string(),
    decides_by: z
      .string()
      .optional()
      .describe(
        'While a dispute is held: an operator decides by then, otherwise the worker is paid',
      ),
  },
  {
    who: 'agent',
    cause:
      'The task’s status does not allow this operation: for example, a completed task can’t be ' +
      'cancelled, and a task without a proof can’t be approved.',
    fix:
      '`status` is the current status. Read the task again before you decide, since another ' +
      'request or a timer may have changed it. If `decides_by` is set, your dispute is held: ' +
      'an operator decides by then, otherwise the worker is paid. Until then you can withdraw ' +
      'the dispute or approve the task.',
    hint: 'status is the current status; GET /tasks/:id shows the task’s history',
  },
)
/** The extra fields of `invalidState` for a task. */
export const stateOf = ({ status, decides_by }: { status: string; decides_by: Date | null }) => ({
  status,
  ...(decides_by !== null && { decides_by: decides_by.toISOString() }),
})
export const insufficientFunds = defineError(
  402,
  'insufficient_funds',
  'Insufficient funds',
  {
    balance_cents: z.int(),
    deposit_url: z.string(),
    required_cents: z.int(),
    free_tasks_remaining: z.int().optional().describe('Present if you have free tasks left'),
    free_task_max_cents: z.int().optional().describe('The largest budget that a free task covers'),
  },
  {
    who: 'agent',
    cause:
      'The wallet has less than the task’s budget, and no free task is left or the budget is ' +
      'too large for one. For a tip, the wallet has less than the tip.',
    fix:
      'You need `required_cents` minus `balance_cents` more. While `free_tasks_remaining` is ' +
      'present, budgets of up to `free_task_max_cents` are free. The minimum for `POST ' +
      '/wallet/deposit` is 500 cents; money held by open tasks is refunded when they are ' +
      'cancelled or expire.',
    hint: 'POST to deposit_url to add money, lower the budget, or use your test key: play money is free',
  },
)
/** The same error for an agent that has free tasks left, which pay for smaller budgets. */
export function tooLargeForFreeTask(
  extra: Required<Parameters<typeof insufficientFunds>[0]>,
): ApiError {
  const { status, code, message } = insufficientFunds
  const hint =
    `You have free tasks left for budgets of up to ${extra.free_task_max_cents} cents: lower the budget, ` +
    'or POST to deposit_url to add money'
  return new ApiError(status, code, message, extra, hint)
}
export const agentRestricted = defineError(
  403,
  'agent_restricted',
  'This agent can’t create tasks; contact support to find out why',
  {},
  {
    who: 'agent',
    cause:
      'A payment was charged back, or an operator restricted the agent. It can’t create tasks ' +
      'until this is settled; tasks that workers have accepted continue.',
    fix: 'Contact support to find out what to do.',
  },
)
export const levelTooLow = defineError(
  403,
  'level_too_low',
  'Worker level too low',
  { required_level: z.int(), current_level: z.int() },
  {
    who: 'worker',
    cause:
      'The task requires a higher level, because of its budget or because the agent asked for it.',
    fix: 'Take tasks that your level allows: approved work and trust raise your level.',
    hint: 'Approved tasks and trust raise your level; GET /worker/trust shows what changed it',
  },
)
export const skillMissing = defineError(
  403,
  'skill_missing',
  'This task requires a skill or a language that your profile does not list',
  Lacked.shape,
  {
    who: 'worker',
    cause:
      'The agent requires skills or languages that your profile does not list. ' +
      '`missing_skills` and `missing_languages` name them.',
    fix: 'If you have them, add them to your profile and accept again. Otherwise, take another task.',
    hint: 'Add your skills and languages with PUT /worker/profile, then accept the task again',
  },
)
export const noSlot = defineError(
  409,
  'no_slot',
  'This task has no free slot; others were faster, or it has ended',
  {},
  {
    who: 'worker',
    cause: 'Other workers have taken all slots of this task, or it has ended.',
    fix: 'Choose another task from the feed.',
  },
)
export const retakeTooSoon = defineError(
  409,
  'retake_too_soon',
  'Your time for this task ran out; you can accept it again later',
  { retry_at: z.iso.datetime() },
  {
    who: 'worker',
    cause: 'Your time for this task ran out less than a day ago.',
    fix: 'You can accept it again from `retry_at` on, if it is still available.',
  },
)
export const assignmentNotFound = defineError(
  404,
  'assignment_not_found',
  'You have not accepted this task; accept it first',
  {},
  {
    who: 'worker',
    cause: 'You have not accepted this task.',
    fix: 'Accept it first with `POST /worker/tasks/:id/accept`.',
  },
)
export const assignmentEnded = defineError(
  409,
  'assignment_ended',
  'Your part in this task has ended',
  { status: z.string() },
  {
    who: 'worker',
    cause:
      'You no longer work on this task: you sent the proof, you released the task, your time ' +
      'ran out, or the task was cancelled.',
    fix: '`status` says which. `GET /worker/tasks/:id` shows the result.',
  },
)
export const consensusConflict = defineError(
  409,
  'consensus_conflict',
  'The workers disagree; approve with override_result to set the result',
  { votes: z.array(z.unknown()) },
  {
    who: 'agent',
    cause: 'The workers’ answers disagree, so there is no result to approve.',
    fix:
      'Read `votes`, then approve with `override_result`. Everyone who worked honestly is ' +
      'paid, whatever you choose.',
  },
)
export const revisionUsed = defineError(
  409,
  'revision_used',
  'You have already requested a revision; approve or dispute the proof',
  {},
  {
    who: 'agent',
    cause: 'You can request only one revision of a proof.',
    fix: 'Approve it, or dispute it with a reason.',
  },
)
export const taskTypeOff = defineError(
  503,
  'task_type_off',
  'New tasks of this type can’t be created at the moment; try again later, or use another type',
  { type: z.string() },
  {
    who: 'agent',
    cause: 'An operator has stopped the creation of tasks of this type for a while.',
    fix:
      'Try again later, at most once an hour, or create a task of another type. Tasks that exist go on: ' +
      'workers can accept, do and are paid for them.',
    hint: 'Tasks that exist go on as usual',
  },
)

/** Why create_tasks has created nothing. */
export function creationRefusal(
  result: Functions['create_tasks']['row'],
  { requiredCents, config }: { requiredCents: number; config: Pick<Config, 'FREE_TASK_MAX_CENTS'> },
): ApiError {
  const funds = { balance_cents: result.balance_cents!, deposit_url: DEPOSIT_URL }
  if (result.outcome === 'key_cap')
    return keyCap({
      cap: result.cap!,
      limit_cents: result.limit_cents!,
      spent_cents: result.spent_cents!,
      required_cents: requiredCents,
      ...funds,
    })
  if (result.free_tasks_remaining === null)
    return insufficientFunds({ ...funds, required_cents: requiredCents })
  return tooLargeForFreeTask({
    ...funds,
    required_cents: requiredCents,
    free_tasks_remaining: result.free_tasks_remaining,
    free_task_max_cents: config.FREE_TASK_MAX_CENTS,
  })
}
