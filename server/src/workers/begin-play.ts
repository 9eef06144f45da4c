/**
 * Begin an app session as a test-mode worker, with its token and without a password.
 *
 *   called by   the app, at the URL that POST /test/workers returns
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { invalidToken } from './errors.ts'
import { byId } from './queries.ts'
import { setSessionCookie } from './session-cookie.ts'
import { tokensOf } from './tokens.ts'
import { AccountView, viewAccount } from './view.ts'

export const beginPlay = endpoint({
  method: 'POST',
  path: '/worker/session/play',
  name: 'createPlaySession',
  auth: 'none',
  access: { by: 'token in the body' },
  limits: ['login_play'],
  setsCookie: true,
  summary: 'Get a cookie for a worker of your own test agent',
  description: 'For browsers. Accepts only a `token` of POST /test/workers.',
  body: z.object({ token: z.string().min(1).max(2000) }),
  success: { status: 200, body: z.object({ worker: AccountView, expires_at: z.string() }) },
  errors: [invalidToken],
  isSecret: true,

  transaction: 'own',
  async handler({ shards, body, now, config, warnings, once }) {
    const session = await tokensOf(config).read(body.token, now)
    const worker = session && (await byId(shards.at(session.workerId).reader, session.workerId))
    const isPlayed =
      worker?.mode === 'test' &&
      worker.status === 'active' &&
      worker.session_version === session?.version
    const answer = await once(async () => {
      // Accept test-mode workers only: a leaked token of a real worker must not be convertible into a cookie.
      if (!isPlayed || session === undefined) throw invalidToken({})
      const expires_at = session.expiresAt.toISOString()
      return answerWith(200, { worker: viewAccount(worker, now), expires_at }, warnings)
    })
    if (answer.status !== 200 || session === undefined) return answer
    const days = (session.expiresAt.getTime() - now.getTime()) / 86_400_000
    return { ...answer, headers: { 'set-cookie': setSessionCookie(body.token, { days }) } }
  },
})
