import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const eventNotFound = defineError(
  404,
  'event_not_found',
  'There is no such event of yours; GET /events lists those of the last 30 days',
  {},
  {
    who: 'agent',
    cause: 'No event of this agent has this id, or it is older than 30 days.',
    fix: '`GET /events` lists those that are kept, for the mode of your key.',
  },
)
export const noWebhookUrl = defineError(
  409,
  'no_webhook_url',
  'There is no address to send it to; set webhook_url by PATCH /agents/me first',
  {},
  {
    who: 'agent',
    cause: 'The agent has no address for webhooks, and the request names none.',
    fix: 'Set one with `PATCH /agents/me {"webhook_url": "https://…"}`, or send `url` along.',
  },
)
export const webhookDisabled = defineError(
  409,
  'webhook_disabled',
  'We no longer send to this address; when it answers 2xx to POST /webhooks/ping with this url, we do again',
  { url: z.string() },
  {
    who: 'agent',
    cause:
      'The address has answered 410, or failed for five days, and nothing is sent there any more.',
    fix:
      'Repair it, then `POST /webhooks/ping` with this `url`: a 2xx enables it again. `POST ' +
      '/events/replay` sends what it has missed.',
  },
)
export const cursorExpired = defineError(
  410,
  'cursor_expired',
  'This event is older than the 30 days that are kept; go on without after, from the oldest that is kept',
  {},
  {
    who: 'agent',
    cause: 'The event after which you want to go on is older than the 30 days that are kept.',
    fix: 'Ask without `after`: that begins with the oldest that is kept.',
  },
)
