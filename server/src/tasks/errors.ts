import { z } from 'zod'
import { ApiError, defineError } from '../kit/errors.ts'
import { Lacked } from '../workers/abilities.ts'

export const DEPOSIT_URL = '/api/v1/wallet/deposit'

export const taskNotFound = defineError(
  404,
  'task_not_found',
  'There is no such task',
  {},
  {
    who: 'anyone',
    cause:
      'No task has this id, or it belongs to somebody else: both are answered alike. A task of ' +
      'test mode is not there for a live key, nor the other way round.',
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
        'While a dispute is held: an operator decides on it by then, else the worker is paid',
      ),
  },
  {
    who: 'agent',
    cause:
      'What you ask for is not possible in the task’s status: a completed task can’t be ' +
      'cancelled, one without a proof can’t be approved.',
    fix:
      '`status` says where the task is. Read it again before you decide; somebody or a timer ' +
      'may have been faster. With `decides_by`, your dispute is held: an operator decides by then, ' +
      'else the worker is paid. Until then you can withdraw the dispute or approve the task.',
    hint: 'status says where the task is now; GET /tasks/:id has what happened to it',
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
    free_tasks_remaining: z.int().optional().describe('While you have free tasks'),
    free_task_max_cents: z
      .int()
      .optional()
      .describe('The largest budget that a free task pays for'),
  },
  {
    who: 'agent',
    cause:
      'The wallet holds less than the task locks, and no free task is left or the budget is ' +
      'too large for one. For a tip, the wallet holds less than the tip.',
    fix:
      '`required_cents` less `balance_cents` is missing. While `free_tasks_remaining` is there, budgets of up to ' +
      '`free_task_max_cents` are free. `POST /wallet/deposit` takes 500 cents or more; ' +
      'what open tasks hold comes back when they are cancelled or expire.',
    hint: 'POST to deposit_url to add money, offer less, or use your test key: play money is free',
  },
)
/** The same error for an agent that has free tasks left, which pay for smaller budgets. */
export function tooLargeForFreeTask(
  extra: Required<Parameters<typeof insufficientFunds>[0]>,
): ApiError {
  const { status, code, message } = insufficientFunds
  const hint =
    `You have free tasks left, for budgets of up to ${extra.free_task_max_cents} cents: offer that or less, ` +
    'or POST to deposit_url to add money'
  return new ApiError(status, code, message, extra, hint)
}
export const agentRestricted = defineError(
  403,
  'agent_restricted',
  'This agent may not create tasks; write to support to learn why',
  {},
  {
    who: 'agent',
    cause:
      'A payment was charged back, or an operator has restricted the agent. It creates no ' +
      'tasks until that is settled; what workers have accepted goes on.',
    fix: 'Write to support.',
  },
)
export const levelTooLow = defineError(
  403,
  'level_too_low',
  'Worker level too low',
  { required_level: z.int(), current_level: z.int() },
  {
    who: 'worker',
    cause: 'The task asks for a higher level, by its budget or because the agent wants it so.',
    fix: 'Take tasks that your level allows: approved work and trust raise it.',
    hint: 'Approved tasks and trust raise it; GET /worker/trust shows what moved yours',
  },
)
export const skillMissing = defineError(
  403,
  'skill_missing',
  'This task asks for a skill or a language that your profile does not have',
  Lacked.shape,
  {
    who: 'worker',
    cause:
      'The agent asked for skills or languages that your profile does not list. `missing_skills` and ' +
      '`missing_languages` name them.',
    fix: 'If you have them, add them to your profile and accept again. Otherwise take another task.',
    hint: 'Add what you can do with PUT /worker/profile, then accept the task again',
  },
)
export const noSlot = defineError(
  409,
  'no_slot',
  'Somebody else was faster, or the task has ended; there is no free slot in it',
  {},
  {
    who: 'worker',
    cause: 'Others have taken all places in this task, or it has ended.',
    fix: 'Take another one from the feed.',
  },
)
export const retakeTooSoon = defineError(
  409,
  'retake_too_soon',
  'Your time for this task ran out; you can take it again later',
  { retry_at: z.iso.datetime() },
  {
    who: 'worker',
    cause: 'Your time for this task ran out less than a day ago.',
    fix: 'You can take it from `retry_at` on, if it is still there.',
  },
)
export const assignmentNotFound = defineError(
  404,
  'assignment_not_found',
  'You have no such task; accept it first',
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
      'You no longer work on this task: you sent the proof, you released the task, your time ran out, ' +
      'or the task was cancelled.',
    fix: '`status` says which. `GET /worker/tasks/:id` shows what came of it.',
  },
)
export const consensusConflict = defineError(
  409,
  'consensus_conflict',
  'The workers do not agree; approve with override_result to say what counts',
  { votes: z.array(z.unknown()) },
  {
    who: 'agent',
    cause: 'The workers’ answers do not agree, so that there is no result to approve.',
    fix:
      'Read `votes`, then approve with `override_result`. Everybody who worked honestly is ' +
      'paid, whatever you choose.',
  },
)
export const revisionUsed = defineError(
  409,
  'revision_used',
  'A revision was asked for once already; approve or dispute the proof',
  {},
  {
    who: 'agent',
    cause: 'A revision of a proof can be asked for once.',
    fix: 'Approve it, or dispute it with a reason.',
  },
)
