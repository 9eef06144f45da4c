import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const eventNotFound = defineError(
  404,
  'event_not_found',
  'This event does not exist; GET /events lists your events of the last 30 days',
  {},
  {
    who: 'agent',
    cause: 'No event of this agent has this id, or it is older than 30 days.',
    fix: '`GET /events` lists the available events, for the mode of your key.',
  },
)
export const noWebhookUrl = defineError(
  409,
  'no_webhook_url',
  'There is no URL to send it to; set webhook_url with PATCH /agents/me first',
  {},
  {
    who: 'agent',
    cause: 'The agent has no webhook URL, and the request contains none.',
    fix: 'Set one with `PATCH /agents/me {"webhook_url": "https://…"}`, or include `url` in the request.',
  },
)
export const webhookDisabled = defineError(
  409,
  'webhook_disabled',
  'We no longer send to this URL; to enable it again, it must respond with 2xx to POST ' +
    '/webhooks/ping with this url',
  { url: z.string() },
  {
    who: 'agent',
    cause: 'The URL responded with 410, or failed for five days, so we stopped sending to it.',
    fix:
      'Fix the receiver, then call `POST /webhooks/ping` with this `url`: a 2xx enables it ' +
      'again. `POST /events/replay` sends the events it missed.',
  },
)
export const cursorExpired = defineError(
  410,
  'cursor_expired',
  'This event is older than the 30 days that we keep; leave out after to start with the oldest available event',
  {},
  {
    who: 'agent',
    cause: 'The event in `after` is older than the 30 days that we keep.',
    fix: 'Leave out `after` to start with the oldest available event.',
  },
)
