/**
 * Log out of the console: the session ends, also for copies of its cookie, and the cookie is cleared.
 *
 *   called by   the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { clearConsoleCookie, readConsoleCookie } from './console-cookie.ts'
import { sha256 } from '../kit/secrets.ts'

export const endConsoleSession = endpoint({
  method: 'DELETE',
  path: '/console/session',
  name: 'deleteConsoleSession',
  auth: 'agent?',
  scope: 'any',
  at: 'global',
  setsCookie: true,
  readOnlyMode: 'served',
  summary: 'Log out of the console in this browser',
  description: 'Other server processes may accept the session for a few more seconds.',
  success: { status: 204, body: z.object({}) },
  errors: [],

  transaction: 'own',
  async handler({ db, headers }) {
    const token = readConsoleCookie(headers.cookie)
    if (token !== undefined)
      await db.transaction((tx) =>
        tx.deleteFrom('console_sessions').where('token_hash', '=', sha256(token)).execute(),
      )
    return {
      status: 204,
      body: '',
      headers: { 'set-cookie': clearConsoleCookie() },
      isReplay: false,
    }
  },
})
