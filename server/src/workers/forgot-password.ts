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
  summary: 'Send a link to choose a new password',
  description:
    'Answers alike whether or not there is such an account. Only a few mails an hour go to one address.',
  body: z.object({ email: z.email('is not an e-mail address').max(254) }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, body, now }) {
    await askForMail(tx, { email: body.email, template: 'reset', now })
    return { message: 'If there is an account with this address, a mail is on its way' }
  },
})
