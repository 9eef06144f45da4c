/**
 * Email a link that logs a person in to the console. The response doesn't reveal whether anyone has that address.
 *
 *   called by   anyone; the login page of the console
 *   moves       nothing
 *   money       none
 *   event       person.link_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Email } from './fields.ts'
import { requestPersonLink } from './person-links.ts'

export const requestLogInLink = endpoint({
  method: 'POST',
  path: '/console/people/log-in-links',
  name: 'requestLogInLink',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['log_in_link'],
  summary: 'Email a link that logs a person in to the console',
  description:
    'For people whom an owner has invited, and for the confirmed email of the agent itself, ' +
    'whose owner they become. The response and its timing are the same whether or not anyone ' +
    'has this email. The link opens a page of the console; POST /console/people/session accepts ' +
    'its token, once.',
  body: z.object({ email: Email.describe('The email of the person') }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, body, now, config }) {
    const livesMs = config.LOG_IN_LINK_MINUTES * 60_000
    await requestPersonLink(tx, { email: body.email, livesMs, now })
    return { message: 'If someone with this email has access to the console, we have sent a link' }
  },
})
