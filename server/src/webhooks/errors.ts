import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const eventNotFound = defineError(
  404,
  'event_not_found',
  'There is no such event of yours; GET /events lists those of the last 30 days',
)
export const noWebhookUrl = defineError(
  409,
  'no_webhook_url',
  'There is no address to send it to; set webhook_url by PATCH /agents/me first',
)
export const webhookDisabled = defineError(
  409,
  'webhook_disabled',
  'We no longer send to this address; when it answers 2xx to POST /webhooks/ping with this url, we do again',
  { url: z.string() },
)
export const cursorExpired = defineError(
  410,
  'cursor_expired',
  'This event is older than the 30 days that are kept; go on without after, from the oldest that is kept',
)
