import { defineError } from '../kit/errors.ts'

export const invalidMailLink = defineError(
  400,
  'invalid_mail_link',
  'This link is no longer valid; request a new one',
  {},
  {
    who: 'anyone',
    cause: 'The link has been used, is too old, or was replaced by a newer one.',
    fix:
      'Request a new one. Workers: `POST /worker/verify/resend` or `POST ' +
      '/worker/password/forgot`. Agents: `POST /agents/verify/resend` or `POST ' +
      '/agents/recover`.',
  },
)
