/**
 * End one of the own sessions, such as that of a device that was left signed in.
 *
 *   called by   the desk
 *   moves       the session ends
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { deskSessionNotFound } from './errors.ts'
import { endSessionOf, SessionId } from './sessions.ts'

export const endOtherSession = deskOperation({
  method: 'DELETE',
  path: '/sessions/:id',
  name: 'endOtherSession',
  right: 'session',
  summary: 'End one of the own sessions',
  params: z.object({ id: SessionId }),
  success: { status: 200, body: z.object({ ended: z.literal(true) }) },
  errors: [deskSessionNotFound],

  async handler({ background: { db }, params: { id }, operator, now }) {
    await db.shards.global.transaction(async (tx) => {
      if (!(await endSessionOf(tx, { operatorId: operator.id, id }))) throw deskSessionNotFound()
      await appendAudit(tx, { operator, action: 'session.end', subject: operator.id }, { now })
    })
    return { ended: true as const }
  },
})
