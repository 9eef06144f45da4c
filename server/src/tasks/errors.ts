import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const DEPOSIT_URL = '/api/v1/wallet/deposit'

export const taskNotFound = defineError(
  404,
  'task_not_found',
  'There is no such task',
  {},
  { hint: 'Live and test keys see only the tasks of their own mode; GET /tasks lists yours' },
)
export const invalidState = defineError(
  409,
  'invalid_state',
  'The task’s status does not allow this',
  { status: z.string() },
  { hint: 'status says where the task is now; GET /tasks/:id has what happened to it' },
)
export const insufficientFunds = defineError(
  402,
  'insufficient_funds',
  'Insufficient funds',
  { balance_cents: z.int(), deposit_url: z.string(), required_cents: z.int() },
  {
    hint: 'POST to deposit_url to add money, offer less, or use your test key: play money is free',
  },
)
export const agentRestricted = defineError(
  403,
  'agent_restricted',
  'This agent may not create tasks; write to support to learn why',
)
export const levelTooLow = defineError(
  403,
  'level_too_low',
  'Worker level too low',
  { required_level: z.int(), current_level: z.int() },
  { hint: 'Approved tasks and trust raise it; GET /worker/trust shows what moved yours' },
)
export const noSlot = defineError(
  409,
  'no_slot',
  'Somebody else was faster, or the task has ended; there is no free slot in it',
)
export const retakeTooSoon = defineError(
  409,
  'retake_too_soon',
  'Your time for this task ran out; you can take it again later',
  { retry_at: z.iso.datetime() },
)
export const assignmentNotFound = defineError(
  404,
  'assignment_not_found',
  'You have no such task; accept it first',
)
export const assignmentEnded = defineError(
  409,
  'assignment_ended',
  'Your part in this task has ended',
  { status: z.string() },
)
export const consensusConflict = defineError(
  409,
  'consensus_conflict',
  'The workers do not agree; approve with override_result to say what counts',
  { votes: z.array(z.unknown()) },
)
export const revisionUsed = defineError(
  409,
  'revision_used',
  'A revision was asked for once already; approve or dispute the proof',
)
export const notDisputed = defineError(
  409,
  'not_disputed',
  'There is no dispute of your work that you could appeal against',
  { status: z.string() },
)
export const appealUsed = defineError(
  409,
  'appeal_used',
  'You have appealed against this dispute before; an appeal can’t be changed',
)
export const appealTooLate = defineError(
  409,
  'appeal_too_late',
  'The time to appeal against this dispute is over',
  { appeal_until: z.iso.datetime() },
)
export const noAppeal = defineError(
  409,
  'no_appeal',
  'There is no appeal against this dispute that waits for your answer',
)
export const appealAnswered = defineError(
  409,
  'appeal_answered',
  'You have answered this appeal before; an operator decides on it',
)
export const answerTooLate = defineError(
  409,
  'answer_too_late',
  'The time to answer this appeal is over',
  { agent_until: z.iso.datetime() },
)
export const withdrawTooLate = defineError(
  409,
  'withdraw_too_late',
  'The time to withdraw this dispute is over',
  { withdraw_until: z.iso.datetime() },
)
export const appealNotFound = defineError(
  404,
  'appeal_not_found',
  'There is no such appeal; where several workers of a task have appealed, name the appeal itself',
)
export const appealNotAnswered = defineError(
  409,
  'appeal_not_answered',
  'The agent has not answered this appeal; silence concedes',
  { agent_until: z.iso.datetime() },
)
export const appealRuled = defineError(409, 'appeal_ruled', 'This appeal is decided', {
  ruling: z.string(),
})
