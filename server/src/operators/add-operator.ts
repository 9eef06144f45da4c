/**
 * Invite an operator: by default a viewer. The link in the email lets the person create a passkey.
 *
 *   called by   an operator with the right `staff`; the shell, for the first operator
 *   moves       an operator: (none) → invited
 *   money       none
 *   event       operator.link_requested, operator.role_given
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { mintId } from '../kit/ids.ts'
import { type Role, ROLES } from '../kit/rights.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { appendAudit } from './audit.ts'
import { lastAdmin, operatorExists } from './errors.ts'
import { OperatorView, showOperator } from './view.ts'

export const addOperator = deskOperation({
  method: 'POST',
  path: '/operators',
  name: 'addOperator',
  right: 'staff',
  summary: 'Invite an operator by email',
  body: z.object({
    email: z.email().max(200),
    name: z.string().trim().min(1).max(100),
    role: z.enum(ROLES).default('viewer'),
  }),
  success: { status: 201, body: z.object({ operator: OperatorView }) },
  errors: [operatorExists],

  async handler({ background: { db }, body: { email, name, role }, operator: by, now }) {
    const id = await db.shards.global.transaction(async (tx) => {
      const added = await inviteOperator(tx, { email, name, role, by, now })
      await requestLink(tx, { operatorId: added, purpose: 'invitation', by, now })
      return added
    })
    return { operator: await showOperator(db.shards.global, id) }
  },
})

/** Returns the operator's id. The caller makes the link, or asks for an email with one. */
export async function inviteOperator(
  tx: Tx,
  {
    email,
    name,
    role,
    by,
    now,
  }: { email: string; name: string; role: Role; by: { id: string; role: Role }; now: Date },
): Promise<string> {
  // Everybody else needs an administrator, so the first operator is one.
  if (role !== 'admin' && (await isFirst(tx))) throw lastAdmin()
  const id = mintId('opr', now, 0)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values({ id, email: email.toLowerCase(), name, role, invited_by: by.id, created_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw operatorExists()
  await appendAudit(
    tx,
    { operator: by, action: 'operator.invite', subject: id, detail: { role } },
    { now },
  )
  await tellAdmins(tx, { operatorId: id, role, by, now })
  return id
}

async function isFirst(tx: Tx): Promise<boolean> {
  const other = await tx
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '<>', 'disabled')
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/** Asks for an email with a link, which is made when the email is sent. */
export const requestLink = (
  tx: Tx,
  {
    operatorId,
    purpose,
    by,
    now,
  }: { operatorId: string; purpose: 'invitation' | 'passkey'; by: { id: string }; now: Date },
) =>
  requestWork(
    tx,
    [{ type: 'operator.link_requested', id: operatorId, data: { purpose, by: by.id } }],
    { now },
  )

/** All administrators learn of every role: one who invites a second self, to agree with, is noticed. */
export const tellAdmins = (
  tx: Tx,
  { operatorId, role, by, now }: { operatorId: string; role: Role; by: { id: string }; now: Date },
) =>
  requestWork(tx, [{ type: 'operator.role_given', id: operatorId, data: { role, by: by.id } }], {
    now,
  })
