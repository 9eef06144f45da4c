import { defineError } from '../kit/errors.ts'

export const invalidMailLink = defineError(
  400,
  'invalid_mail_link',
  'This link is not valid, or not any more; ask for a new one',
  {},
  {
    who: 'anyone',
    cause: 'The link was used, is too old, or a newer one was sent.',
    fix:
      'Ask for a new one. Workers: `POST /worker/verify/resend` or `POST /worker/password/forgot`. Agents: ' +
      '`POST /agents/verify/resend` or `POST /agents/recover`.',
  },
)
