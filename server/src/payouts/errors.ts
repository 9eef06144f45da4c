import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const payoutsOfTestWorker = defineError(
  409,
  'test_worker',
  'This worker is of test mode, where nobody is really paid; there is no account to set up',
  {},
  {
    who: 'worker',
    cause: 'Workers of test mode earn play money, which is paid to nobody.',
    fix: 'Nothing is to be set up. Register as a worker to be paid.',
  },
)
export const accountClosed = defineError(
  409,
  'account_closed',
  'Your payout account is closed; write to support to be paid in another way',
  {},
  {
    who: 'worker',
    cause: 'The account at the payment processor was closed.',
    fix: 'Write to support: what you have earned is paid in another way.',
  },
)
export const accountRejected = defineError(
  409,
  'account_rejected',
  'The payment processor has rejected your payout account; write to support to learn what can be done',
  {},
  {
    who: 'worker',
    cause: 'The payment processor has rejected the account.',
    fix: 'Write to support to learn what can be done.',
  },
)
export const accountRefused = defineError(
  409,
  'account_refused',
  'The payment processor opens no account with these details; check the country, or write to support',
  {},
  {
    who: 'worker',
    cause:
      'The payment processor opens no account with these details, most often because of the ' +
      'country.',
    fix: 'Check the country and try again, or write to support.',
  },
)
export const onboardingRequired = defineError(
  409,
  'onboarding_required',
  'Your payout account is not set up yet; open onboarding_url and answer the questions there',
  { onboarding_url: z.string().describe('Works once and for minutes') },
  {
    who: 'worker',
    cause: 'The payout account exists, but the processor’s questions are not answered.',
    fix:
      'Open `onboarding_url` and answer them. It works once and for minutes; `POST ' +
      '/worker/stripe/connect` gives a fresh one.',
  },
)
// Only operators see these.
export const payoutNotFound = defineError(
  404,
  'payout_not_found',
  'There is no such payout',
  {},
  { who: 'operator', cause: 'No payout has this id.', fix: 'Look the id up with `server ops`.' },
)
export const payoutNotInState = defineError(
  409,
  'payout_not_in_state',
  'The payout’s status does not allow this',
  { status: z.string() },
  {
    who: 'operator',
    cause: 'The payout has moved on, or has not come so far.',
    fix: '`status` says where it is.',
  },
)
export const reversalTooLarge = defineError(
  409,
  'reversal_too_large',
  'Less than that is left of the payout to be taken back',
  { left_cents: z.int() },
  {
    who: 'operator',
    cause: 'Part of the payout was taken back before.',
    fix: 'Take back at most `left_cents`.',
  },
)
