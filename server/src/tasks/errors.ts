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
