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
export const operatorNotFound = defineError(
  404,
  'operator_not_found',
  'This operator does not exist',
  {},
  {
    who: 'operator',
    cause: 'No operator has this id.',
    fix: 'Look for the person in the list of operators.',
  },
)
export const ownAccount = defineError(
  409,
  'own_account',
  'Only another administrator can change your account',
  {},
  {
    who: 'operator',
    cause: 'Operators don’t decide about their own role and can’t disable or lock out themselves.',
    fix: 'Ask another administrator.',
    hint: 'Ask another administrator',
  },
)
export const lastAdmin = defineError(
  409,
  'last_admin',
  'This is the last active administrator',
  {},
  {
    who: 'operator',
    cause: 'Without an active administrator, nobody could invite operators or change a role.',
    fix: 'Make somebody else an administrator first. The first operator must be one.',
  },
)
export const passkeyRefused = defineError(
  403,
  'passkey_refused',
  'This passkey was not accepted',
  {},
  {
    who: 'operator',
    cause:
      'The passkey is unknown, the account is disabled, the answer was for another page or came too late, or the ' +
      'device did not check who uses it.',
    fix: 'Try again. If it keeps failing, ask an administrator for a link to create a new passkey.',
    hint: 'Try again, or ask an administrator for a new link',
  },
)
export const passkeyNotFound = defineError(
  404,
  'passkey_not_found',
  'This passkey does not exist',
  {},
  {
    who: 'operator',
    cause: 'The account has no passkey with this id; it may have been removed already.',
    fix: 'Reload the list of passkeys.',
  },
)
export const lastPasskey = defineError(
  409,
  'last_passkey',
  'This is your last passkey, so you could no longer sign in',
  {},
  {
    who: 'operator',
    cause: 'The account has no other way to sign in.',
    fix: 'Add another passkey first.',
  },
)
export const signInAgain = defineError(
  403,
  'sign_in_again',
  'Sign in again to change how you sign in',
  {},
  {
    who: 'operator',
    cause: 'Passkeys can be added and removed within ten minutes after signing in.',
    fix: 'Sign out, sign in, and try again.',
    hint: 'Sign in again',
  },
)
export const linkEnded = defineError(
  410,
  'operator_link_ended',
  'This link has expired or was already used',
  {},
  {
    who: 'operator',
    cause: 'A link works once, for 72 hours, and only the newest one works.',
    fix: 'Sign in if you have a passkey. Otherwise ask an administrator for a new link.',
    hint: 'Ask an administrator for a new link',
  },
)
export const deskSessionNotFound = defineError(
  404,
  'desk_session_not_found',
  'This session has already ended',
  {},
  {
    who: 'operator',
    cause: 'The session was ended, or it was idle for too long.',
    fix: 'Reload the list of sessions.',
  },
)
export const oidcOff = defineError(
  404,
  'oidc_off',
  'Signing in with a company account is not set up',
  {},
  {
    who: 'operator',
    cause: 'The settings OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not set.',
    fix: 'Sign in with a passkey.',
  },
)
