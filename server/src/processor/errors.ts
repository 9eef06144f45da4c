import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const notificationsOff = defineError(
  404,
  'notifications_off',
  'This server accepts no notifications here because it has no signing secret for them',
  {},
  {
    who: 'processor',
    cause: 'This server has no signing secret for notifications of this kind.',
    fix: 'Set STRIPE_SECRETS_ACCOUNT, STRIPE_SECRETS_CONNECT or STRIPE_SECRETS_V2.',
  },
)
export const notificationRefused = defineError(
  400,
  'notification_refused',
  'This notification was not signed by the processor within the last minutes',
  {},
  {
    who: 'processor',
    cause: 'The signature does not match the body, or is more than some minutes old.',
    fix: 'Compare the signing secret with the processor’s, and check the clocks of both machines.',
  },
)

export const paymentsUnavailable = defineError(
  503,
  'payments_unavailable',
  'Payments are not set up on this server',
  {},
  {
    who: 'anyone',
    cause: 'This server has no payment processor.',
    fix: 'Test mode uses play money and needs no processor. Otherwise, set STRIPE_SECRET_KEY.',
  },
)
export const processorUnavailable = defineError(
  503,
  'processor_unavailable',
  'The payment processor can’t be reached; try again in a moment',
  { retry_after_seconds: z.int() },
  {
    who: 'anyone',
    cause: 'The payment processor does not respond.',
    fix:
      'Repeat the request after `retry_after_seconds` with the same Idempotency-Key: it takes ' +
      'effect only once.',
  },
)
