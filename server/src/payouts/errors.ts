import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const accountClosed = defineError(
  409,
  'account_closed',
  'Your payout account is closed; contact support to be paid in another way',
  {},
  {
    who: 'worker',
    cause: 'The account at the payment processor was closed.',
    fix: 'Contact support: you will be paid in another way.',
  },
)
export const accountRejected = defineError(
  409,
  'account_rejected',
  'The payment processor rejected your payout account; contact support to find out what you can do',
  {},
  {
    who: 'worker',
    cause: 'The payment processor rejected the account.',
    fix: 'Contact support to find out what you can do.',
  },
)
export const accountRefused = defineError(
  409,
  'account_refused',
  'The payment processor can’t open an account with these details; check the country, or contact support',
  {},
  {
    who: 'worker',
    cause:
      'The payment processor can’t open an account with these details, most often because of the country.',
    fix: 'Check the country and try again, or contact support.',
  },
)
export const onboardingRequired = defineError(
  409,
  'onboarding_required',
  'Your payout account is not set up yet; open onboarding_url and complete the form',
  { onboarding_url: z.string().describe('Works once, for some minutes') },
  {
    who: 'worker',
    cause: 'The payout account exists, but the processor’s form is not complete.',
    fix:
      'Open `onboarding_url` and complete the form. The link works once, for some minutes; ' +
      '`POST /worker/stripe/connect` creates a new one.',
  },
)
// Only operators see these.
export const payoutNotFound = defineError(
  404,
  'payout_not_found',
  'This payout does not exist',
  {},
  { who: 'operator', cause: 'No payout has this id.', fix: 'Look up the id with `server ops`.' },
)
export const payoutNotInState = defineError(
  409,
  'payout_not_in_state',
  'The payout’s status does not allow this',
  { status: z.string() },
  {
    who: 'operator',
    cause: 'The payout is already past this step, or has not reached it yet.',
    fix: '`status` is the current status.',
  },
)
export const reversalTooLarge = defineError(
  409,
  'reversal_too_large',
  'The payout has less left to reverse than this amount',
  { left_cents: z.int() },
  {
    who: 'operator',
    cause: 'Part of the payout was already reversed.',
    fix: 'Reverse at most `left_cents`.',
  },
)
