/**
 * End all sessions of an operator.
 *
 *   called by   an operator with the right `staff`
 *   moves       the sessions end
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { endSessions } from './sessions.ts'
import { OperatorId } from './view.ts'

export const endSessionsOfOperator = deskOperation({
  method: 'DELETE',
  path: '/operators/:id/sessions',
  name: 'endSessionsOfOperator',
  right: 'staff',
  summary: 'End all sessions of an operator',
  params: z.object({ id: OperatorId }),
  success: { status: 200, body: z.object({ ended: z.literal(true) }) },
  errors: [],

  async handler({ background: { db }, params: { id }, operator: by, now }) {
    await db.shards.global.transaction(async (tx) => {
      await endSessions(tx, { operatorId: id })
      await appendAudit(tx, { operator: by, action: 'session.end_all', subject: id }, { now })
    })
    return { ended: true as const }
  },
})
