/**
 * Send a password reset link. The response doesn't reveal whether an account with that address exists.
 *
 *   called by   anyone
 *   moves       nothing
 *   money       none
 *   event       mail.requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { askForMail } from './links.ts'

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/worker/password/forgot',
  name: 'forgotPassword',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Email a link to choose a new password',
  description:
    'The response is the same whether or not the account exists. We send only a few emails an ' +
    'hour to one address.',
  body: z.object({ email: z.email('must be an email address').max(254) }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, body, shards, runAt, now }) {
    await askForMail(tx, { email: body.email, template: 'reset', shards, runAt, now })
    return { message: 'If there is an account with this email, we have sent it a link' }
  },
})
