/**
 * Log out of this browser: clears its cookie, whether or not it was valid.
 *
 *   called by   the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { clearSessionCookie } from './session-cookie.ts'

export const endSession = endpoint({
  method: 'DELETE',
  path: '/worker/session',
  name: 'deleteWorkerSession',
  auth: 'token or none',
  setsCookie: true,
  summary: 'Log out of this browser',
  description: 'Clears the cookie. DELETE /worker/sessions ends all tokens and cookies.',
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  transaction: 'own',
  async handler({ warnings }) {
    const answer = answerWith(200, { message: 'You are logged out on this device' }, warnings)
    return { ...answer, headers: { 'set-cookie': clearSessionCookie() } }
  },
})
