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
      .describe('Why the session ended, if the account was suspended or closed'),
  },
  {
    who: 'worker',
    cause:
      'No token was sent, or it has expired, or a new password, logging out everywhere or a ' +
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
      'The password is wrong, or no account has this email: the response is the same for both.',
    fix: 'Try again, or choose a new password with `POST /worker/password/forgot`.',
    hint: 'POST /worker/password/forgot emails a link to choose a new password',
  },
)
export const wrongPassword = defineError(
  403,
  'wrong_password',
  'This is not your current password',
  {},
  {
    who: 'worker',
    cause: 'The request changes the account, so it needs the current password besides the token.',
    fix: 'Try again, or choose a new password with `POST /worker/password/forgot`.',
  },
)
export const emailNotVerified = defineError(
  403,
  'email_not_verified',
  'Email not verified',
  {},
  {
    who: 'worker',
    cause: 'The link in the verification email has not been opened yet.',
    fix: 'Open it, or request another with `POST /worker/verify/resend`.',
    hint: 'Open the link in the email; POST /worker/verify/resend sends another',
  },
)
const ABOUT_DECISION = {
  reason: z.string().nullable().describe('Why, in the operator’s words'),
  since: z.string().nullable(),
  objection_url: z
    .string()
    .nullable()
    .describe(
      'The page where the worker can read the decision and object to it; valid for an hour',
    ),
}
export const workerSuspended = defineError(
  403,
  'worker_suspended',
  'This account is suspended',
  { ...ABOUT_DECISION, until: z.string().nullable().describe('When the suspension ends') },
  {
    who: 'worker',
    cause: 'An operator has suspended the account. `reason` says why, `until` for how long.',
    fix:
      'Open `objection_url` to object, to add a payout account or to appeal a dispute. Money you ' +
      'have earned is still paid.',
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
    fix:
      'Open `objection_url` to object, to add a payout account or to appeal a dispute. Money you ' +
      'have earned is still paid.',
    hint: 'Open objection_url to object; money you have earned is still paid',
  },
)
export const objectionUsed = defineError(
  409,
  'objection_used',
  'You have already objected to this decision; we will reply by email',
  {},
  {
    who: 'worker',
    cause: 'Each decision allows one objection, and it has been sent.',
    fix: 'Wait for the reply, which comes by email. `GET /worker/objections` shows its deadline.',
  },
)
export const decisionEnded = defineError(
  409,
  'decision_ended',
  'This decision no longer applies; log in as usual',
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
    cause: 'A worker with this email is already registered.',
    fix: 'Log in, or choose a new password with `POST /worker/password/forgot`.',
    hint: 'POST /worker/login logs in; POST /worker/password/forgot emails a link to choose a new password',
  },
)
export const tooManyEmailChanges = defineError(
  409,
  'too_many_email_changes',
  'You have asked for too many changes of your email; try again in an hour',
  {},
  {
    who: 'worker',
    cause: 'Each request sends two emails, so a worker can make only a few an hour.',
    fix: 'Wait an hour. `GET /worker/email` shows the newest request.',
  },
)
export const tasksInProgress = defineError(
  409,
  'tasks_in_progress',
  'You have tasks in progress; submit or release them before you close your account',
  { task_ids: z.array(z.string()) },
  {
    who: 'worker',
    cause: 'An agent waits for the tasks that you have accepted. `task_ids` names them.',
    fix:
      'Submit or release each task, then ask again. Work that waits for review does not stop you: it ' +
      'is reviewed and paid before the account is closed.',
    hint: 'Submit or release the tasks in task_ids first',
  },
)
export const accountClosing = defineError(
  409,
  'account_closing',
  'Your account is being closed, so you can’t accept tasks',
  { closes_at: z.string().describe('The account is closed from then on') },
  {
    who: 'worker',
    cause: 'You asked to close your account.',
    fix: 'To accept tasks again, keep your account with `DELETE /worker/close`.',
    hint: 'DELETE /worker/close keeps your account',
  },
)
export const sessionNotFound = defineError(
  404,
  'session_not_found',
  'You have no such session',
  {},
  {
    who: 'worker',
    cause: 'No session of yours has this id, or it has ended.',
    fix: '`GET /worker/sessions` lists your sessions.',
  },
)
export const workerNotFound = defineError(
  404,
  'worker_not_found',
  'This worker does not exist',
  {},
  {
    who: 'anyone',
    cause: 'No worker has this id, or the profile is not public.',
    fix: 'Check the id: it begins with `worker_`.',
  },
)
export const testWorker = defineError(
  409,
  'test_worker',
  'Workers in test mode earn play money; they have no password, inbox or payout account',
  {},
  {
    who: 'worker',
    cause:
      'An agent made this worker with a test key. It has no password and no inbox, and earns play money.',
    fix: 'There is nothing to set up. Register as a worker to earn real money.',
  },
)
