/**
 * Log in with a browser: the token is in an HttpOnly cookie. The session becomes usable when the email is verified,
 * even if the mailed link is opened on another device.
 *
 *   called by   the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { refuseShutOut } from './decisions.ts'
import { invalidPassword, workerClosed, workerSuspended } from './errors.ts'
import { checkPassword, Credentials } from './log-in.ts'
import { setSessionCookie } from './session-cookie.ts'
import { startSession } from './sessions.ts'
import { tokensOf } from './tokens.ts'
import { AccountView, viewAccount } from './view.ts'

export const beginSession = endpoint({
  method: 'POST',
  path: '/worker/session',
  name: 'createWorkerSession',
  auth: 'none',
  access: { by: 'password' },
  limits: ['login'],
  setsCookie: true,
  readOnlyMode: 'served',
  summary: 'Log in as a worker and get a cookie',
  description:
    'For browsers. An unknown email gets the same response as a wrong password. An account ' +
    'with an unconfirmed email also gets a session, which gives no access until the email is ' +
    'confirmed.',
  body: Credentials,
  success: { status: 200, body: z.object({ worker: AccountView, expires_at: z.string() }) },
  errors: [invalidPassword, workerSuspended, workerClosed],
  isSecret: true,

  transaction: 'own',
  async handler({ shards, body, now, config, headers, warnings, once }) {
    const worker = await checkPassword(shards, { ...body, now })
    // Outside of `once`: the link in the response is not stored.
    await refuseShutOut(shards, worker, { config, now })
    const login = { worker, tokens: tokensOf(config), userAgent: headers['user-agent'], now }
    const { token, expiresAt } = await shards
      .at(worker.id)
      .transaction((tx) => startSession(tx, login))
    const answer = await once(async () => {
      const result = { worker: viewAccount(worker, now), expires_at: expiresAt.toISOString() }
      return answerWith(200, result, warnings)
    })
    if (answer.status !== 200) return answer
    // The cookie is not part of the stored response: a retry proves the password again and gets a fresh cookie.
    const cookie = setSessionCookie(token, { days: config.WORKER_TOKEN_DAYS })
    return { ...answer, headers: { 'set-cookie': cookie } }
  },
})
