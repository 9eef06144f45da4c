import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const notSignedIn = defineError(
  401,
  'not_signed_in',
  'You are signed out',
  {},
  {
    who: 'operator',
    cause: 'The session of the desk has ended: it was idle, it was too old, or somebody ended it.',
    fix: 'Sign in again; a draft on the page is kept.',
    hint: 'Sign in again',
  },
)
export const missingRight = defineError(
  403,
  'missing_right',
  'Your role doesn’t include this',
  { required_right: z.string(), role: z.string() },
  {
    who: 'operator',
    cause: 'The operation needs a right that the operator’s role doesn’t have.',
    fix: 'Ask an administrator to do it, or for another role.',
    hint: 'Ask an administrator',
  },
)
export const operatorExists = defineError(
  409,
  'operator_exists',
  'An operator with this email exists',
  {},
  {
    who: 'operator',
    cause: 'Every operator has an own email; this one is taken, perhaps by a disabled account.',
    fix: 'Look for the email in the list of operators and enable the account or change its role.',
  },
)
