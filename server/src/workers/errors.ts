import { defineError } from '../kit/errors.ts'

export const invalidToken = defineError(
  401,
  'invalid_token',
  'Missing or invalid token; log in to get a new one',
)
export const invalidPassword = defineError(
  401,
  'invalid_password',
  'Invalid password',
  {},
  { hint: 'POST /worker/password/forgot mails a link to choose another' },
)
export const emailNotVerified = defineError(
  403,
  'email_not_verified',
  'Email not verified',
  {},
  { hint: 'Follow the link in the mail; POST /worker/verify/resend sends another' },
)
export const workerSuspended = defineError(
  403,
  'worker_suspended',
  'This account is suspended',
  {},
  { hint: 'Write to support to learn why; what you have earned stays yours' },
)
export const workerExists = defineError(
  409,
  'worker_exists',
  'Already registered',
  {},
  {
    hint: 'POST /worker/login logs in; POST /worker/password/forgot mails a link to a new password',
  },
)
export const invalidMailLink = defineError(
  400,
  'invalid_mail_link',
  'This link is not valid, or not any more; ask for a new one',
)
export const workerNotFound = defineError(404, 'worker_not_found', 'There is no such worker')
