import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const payoutsOfTestWorker = defineError(
  409,
  'test_worker',
  'This worker is of test mode, where nobody is really paid; there is no account to set up',
)
export const accountClosed = defineError(
  409,
  'account_closed',
  'Your payout account is closed; write to support to be paid in another way',
)
export const accountRejected = defineError(
  409,
  'account_rejected',
  'The payment processor has rejected your payout account; write to support to learn what can be done',
)
export const accountRefused = defineError(
  409,
  'account_refused',
  'The payment processor opens no account with these details; check the country, or write to support',
)
export const onboardingRequired = defineError(
  409,
  'onboarding_required',
  'Your payout account is not set up yet; open onboarding_url and answer the questions there',
  { onboarding_url: z.string().describe('Works once and for minutes') },
)
// What only operators meet.
export const payoutNotFound = defineError(404, 'payout_not_found', 'There is no such payout')
export const payoutNotInState = defineError(
  409,
  'payout_not_in_state',
  'The payout’s status does not allow this',
  { status: z.string() },
)
export const reversalTooLarge = defineError(
  409,
  'reversal_too_large',
  'Less than that is left of the payout to be taken back',
  { left_cents: z.int() },
)
