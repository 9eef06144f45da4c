import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const notificationsOff = defineError(
  404,
  'notifications_off',
  'This server takes no notifications here: it has no signing secret for them',
)
export const notificationRefused = defineError(
  400,
  'notification_refused',
  'This is not a notification that the processor has signed in the last minutes',
)

export const paymentsUnavailable = defineError(
  503,
  'payments_unavailable',
  'Payments are not set up on this server',
)
export const processorUnavailable = defineError(
  503,
  'processor_unavailable',
  'The payment processor can not be reached; try again in a moment',
  { retry_after_seconds: z.int() },
)
