/**
 * Invite an operator: by default a viewer. The link in the email lets the person create a passkey.
 *
 *   called by   an operator with the right `staff`; the shell, for the first operator
 *   moves       an operator: (none) → invited
 *   money       none
 *   event       none
 */
import { randomBytes } from 'node:crypto'
import type { Tx } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import type { Role } from '../kit/rights.ts'
import { sha256 } from '../kit/secrets.ts'
import { appendAudit } from './audit.ts'
import { operatorExists } from './errors.ts'

const HOUR_MS = 3_600_000
const LINK_HOURS = 72

export interface AddOperator {
  email: string
  name: string
  role: Role
  by: { id: string; role: Role }
  now: Date
}

/** Returns the operator's id and the token of the invitation, which is shown or emailed once. */
export async function addOperator(
  tx: Tx,
  { email, name, role, by, now }: AddOperator,
): Promise<{ id: string; token: string }> {
  const id = mintId('opr', now, 0)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values({ id, email: email.toLowerCase(), name, role, invited_by: by.id, created_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw operatorExists()
  const token = await mintLink(tx, { operatorId: id, purpose: 'invitation', by, now })
  await appendAudit(
    tx,
    { operator: by, action: 'operator.invite', subject: id, detail: { role } },
    { now },
  )
  return { id, token }
}

/** A link that works once. An earlier one of the same purpose ends. */
export async function mintLink(
  tx: Tx,
  {
    operatorId,
    purpose,
    by,
    now,
  }: {
    operatorId: string
    purpose: 'invitation' | 'passkey' | 'sign_in'
    by: { id: string }
    now: Date
  },
): Promise<string> {
  await tx
    .updateTable('operator_links')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('purpose', '=', purpose)
    .where('ended_at', 'is', null)
    .execute()
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('operator_links')
    .values({
      token_hash: sha256(token),
      operator_id: operatorId,
      purpose,
      created_by: by.id,
      created_at: now,
      expires_at: new Date(now.getTime() + LINK_HOURS * HOUR_MS),
    })
    .execute()
  return token
}
