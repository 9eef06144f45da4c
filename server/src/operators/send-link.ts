/**
 * Send an operator a link: the invitation again, or one to create a new passkey for somebody who lost theirs.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       operator.link_requested
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import type { Role } from '../kit/rights.ts'
import { requestLink } from './add-operator.ts'
import { appendAudit } from './audit.ts'
import { operatorNotFound } from './errors.ts'
import { OperatorId } from './view.ts'

export const sendLink = deskOperation({
  method: 'POST',
  path: '/operators/:id/link',
  name: 'sendOperatorLink',
  right: 'staff',
  summary: 'Email an operator a link to create a passkey',
  params: z.object({ id: OperatorId }),
  success: { status: 200, body: z.object({ purpose: z.enum(['invitation', 'passkey']) }) },
  errors: [operatorNotFound],

  handler: ({ background: { db }, params: { id }, operator: by, now }) =>
    db.shards.global.transaction(async (tx) => {
      const purpose = await choosePurpose(tx, { operatorId: id, by, now })
      await requestLink(tx, { operatorId: id, purpose, by, now })
      return { purpose }
    }),
})

/** Which link helps the operator; that somebody made one is in the audit log. */
export async function choosePurpose(
  tx: Tx,
  { operatorId, by, now }: { operatorId: string; by: { id: string; role: Role }; now: Date },
): Promise<'invitation' | 'passkey'> {
  const operator = await tx
    .selectFrom('operators')
    .select('status')
    .where('id', '=', operatorId)
    .where('status', '<>', 'disabled')
    .executeTakeFirst()
  if (operator === undefined) throw operatorNotFound()
  const purpose = operator.status === 'invited' ? 'invitation' : 'passkey'
  await appendAudit(
    tx,
    { operator: by, action: 'operator.link', subject: operatorId, detail: { purpose } },
    { now },
  )
  return purpose
}
