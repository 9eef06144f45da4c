import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const invalidToken = defineError(
  401,
  'invalid_token',
  'Missing or invalid token; log in to get a new one',
  {
    account_status: z
      .enum(['suspended', 'closed'])
      .optional()
      .describe('Why the session ended, where the account was suspended or closed'),
  },
  {
    who: 'worker',
    cause:
      'No token was sent, or it has expired, or a new password, a log-out everywhere or a ' +
      'suspension has ended it.',
    fix: 'Log in again with `POST /worker/login`.',
  },
)
export const invalidPassword = defineError(
  401,
  'invalid_password',
  'Invalid password',
  {},
  {
    who: 'worker',
    cause:
      'The password is wrong, or nobody is registered with this e-mail: both are answered alike.',
    fix: 'Try again, or choose a new password by `POST /worker/password/forgot`.',
    hint: 'POST /worker/password/forgot mails a link to choose another',
  },
)
export const emailNotVerified = defineError(
  403,
  'email_not_verified',
  'Email not verified',
  {},
  {
    who: 'worker',
    cause: 'Nobody has followed the link in the mail yet.',
    fix: 'Follow it, or have another sent by `POST /worker/verify/resend`.',
    hint: 'Follow the link in the mail; POST /worker/verify/resend sends another',
  },
)
const ABOUT_DECISION = {
  reason: z.string().nullable().describe('Why, in the operator’s words'),
  since: z.string().nullable(),
  objection_url: z
    .string()
    .nullable()
    .describe('The page where the worker reads the decision and objects to it; valid for an hour'),
}
export const workerSuspended = defineError(
  403,
  'worker_suspended',
  'This account is suspended',
  { ...ABOUT_DECISION, until: z.string().nullable().describe('When the suspension ends') },
  {
    who: 'worker',
    cause: 'An operator has suspended the account. `reason` says why, `until` how long.',
    fix: 'Open `objection_url` to object, to add a payout account or to appeal. Money you have earned is still paid.',
    hint: 'Open objection_url to object; money you have earned is still paid',
  },
)
export const workerClosed = defineError(
  403,
  'worker_closed',
  'This account is closed',
  ABOUT_DECISION,
  {
    who: 'worker',
    cause: 'An operator has closed the account. `reason` says why.',
    fix: 'Open `objection_url` to object, to add a payout account or to appeal. Money you have earned is still paid.',
    hint: 'Open objection_url to object; money you have earned is still paid',
  },
)
export const objectionUsed = defineError(
  409,
  'objection_used',
  'You have objected to this decision already; a person will reply by email',
  {},
  {
    who: 'worker',
    cause: 'There is one objection for each decision, and it was sent.',
    fix: 'Wait for the reply, which comes by email. `GET /worker/objections` says by when.',
  },
)
export const decisionEnded = defineError(
  409,
  'decision_ended',
  'This decision has ended; log in as usual',
  {},
  {
    who: 'worker',
    cause: 'The account is active again, or a later decision has replaced this one.',
    fix: 'Log in. If that is refused, use the `objection_url` of the refusal.',
  },
)
export const workerExists = defineError(
  409,
  'worker_exists',
  'Already registered',
  {},
  {
    who: 'worker',
    cause: 'A worker with this e-mail is registered.',
    fix: 'Log in, or choose a new password by `POST /worker/password/forgot`.',
    hint: 'POST /worker/login logs in; POST /worker/password/forgot mails a link to a new password',
  },
)
export const workerNotFound = defineError(
  404,
  'worker_not_found',
  'There is no such worker',
  {},
  {
    who: 'anyone',
    cause: 'No worker has this id, or the profile is not public.',
    fix: 'Check the id: it begins with `worker_`.',
  },
)
