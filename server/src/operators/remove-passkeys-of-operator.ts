/**
 * Remove all passkeys of an operator whose device was lost or stolen, and end all sessions. A link lets the person
 * create a new one.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { operatorNotFound, ownAccount } from './errors.ts'
import { endSessions } from './sessions.ts'
import { OperatorId } from './view.ts'

export const removePasskeysOfOperator = deskOperation({
  method: 'DELETE',
  path: '/operators/:id/passkeys',
  name: 'removePasskeysOfOperator',
  right: 'staff',
  summary: 'Remove all passkeys of an operator who lost a device',
  params: z.object({ id: OperatorId }),
  success: { status: 200, body: z.object({ removed: z.int() }) },
  errors: [operatorNotFound, ownAccount],

  handler: ({ background: { db }, params: { id }, operator: by, now }) =>
    db.shards.global.transaction(async (tx) => {
      if (id === by.id) throw ownAccount()
      const operator = await tx
        .selectFrom('operators')
        .select('id')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (operator === undefined) throw operatorNotFound()
      const { numDeletedRows } = await tx
        .deleteFrom('operator_passkeys')
        .where('operator_id', '=', id)
        .executeTakeFirst()
      await endSessions(tx, { operatorId: id })
      const removed = Number(numDeletedRows)
      await appendAudit(
        tx,
        { operator: by, action: 'passkey.remove', subject: id, detail: { removed } },
        { now },
      )
      return { removed }
    }),
})
