/**
 * Sign out of the desk.
 *
 *   called by   the desk
 *   moves       the session ends
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { endedCookie, endSessions } from './sessions.ts'

export const endSession = deskOperation({
  method: 'DELETE',
  path: '/session',
  name: 'endSession',
  right: 'session',
  summary: 'Sign out',
  success: { status: 200, body: z.object({ ended: z.literal(true) }) },
  errors: [],

  async handler({ background, operator, now, setCookie }) {
    await background.db.shards.global.transaction(async (tx) => {
      await endSessions(tx, { sessionHash: operator.sessionHash })
      await appendAudit(tx, { operator, action: 'session.end', subject: operator.id }, { now })
    })
    setCookie(endedCookie())
    return { ended: true as const }
  },
})
