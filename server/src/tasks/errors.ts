import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const DEPOSIT_URL = '/api/v1/wallet/deposit'

export const taskNotFound = defineError(404, 'task_not_found', 'There is no such task')
export const invalidState = defineError(
  409,
  'invalid_state',
  'The task’s status does not allow this',
  {
    status: z.string(),
  },
)
export const insufficientFunds = defineError(402, 'insufficient_funds', 'Insufficient funds', {
  balance_cents: z.int(),
  deposit_url: z.string(),
  required_cents: z.int(),
})
export const agentRestricted = defineError(
  403,
  'agent_restricted',
  'This agent may not create tasks; write to support to learn why',
)
export const levelTooLow = defineError(403, 'level_too_low', 'Worker level too low', {
  required_level: z.int(),
  current_level: z.int(),
})
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
