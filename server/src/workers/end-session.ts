/**
 * Log out of this browser: ends its session and clears its cookie, whether or not it was valid.
 *
 *   called by   the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { endOneSession } from './sessions.ts'

export const endSession = endpoint({
  method: 'DELETE',
  path: '/worker/session',
  name: 'deleteWorkerSession',
  auth: 'token or none',
  setsCookie: true,
  readOnlyMode: 'served',
  summary: 'Log out of this browser',
  description:
    'Ends the session and clears the cookie. DELETE /worker/sessions ends all tokens and cookies.',
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  transaction: 'own',
  async handler({ db, token, warnings }) {
    const { workerId, sessionId } = token ?? {}
    if (workerId !== undefined && sessionId !== undefined)
      await db.transaction((tx) => endOneSession(tx, { workerId, sessionId }))
    const answer = answerWith(200, { message: 'You are logged out on this device' }, warnings)
    return { ...answer, headers: { 'set-cookie': clearSessionCookie() } }
  },
})
