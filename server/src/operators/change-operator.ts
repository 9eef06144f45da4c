/**
 * Change the role of an operator, disable the account or enable it again. Disabling ends all sessions and links.
 *
 *   called by   another operator with the right `staff`
 *   moves       an operator: active | invited → disabled → active | invited
 *   money       none
 *   event       operator.role_given
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { type Role, ROLES } from '../kit/rights.ts'
import { tellAdmins } from './add-operator.ts'
import { appendAudit } from './audit.ts'
import { lastAdmin, operatorNotFound, ownAccount } from './errors.ts'
import { endLinks } from './links.ts'
import { endSessions } from './sessions.ts'
import { OperatorId, OperatorView, showOperator } from './view.ts'

export const changeOperator = deskOperation({
  method: 'PUT',
  path: '/operators/:id',
  name: 'changeOperator',
  right: 'staff',
  summary: 'Change an operator’s role, or disable or enable the account',
  params: z.object({ id: OperatorId }),
  body: z.object({
    role: z.enum(ROLES).optional(),
    is_disabled: z.boolean().optional(),
    reason: z.string().trim().max(500).optional(),
  }),
  success: { status: 200, body: z.object({ operator: OperatorView }) },
  errors: [operatorNotFound, ownAccount, lastAdmin],

  async handler({ background: { db }, params: { id }, body, operator: by, now }) {
    const { role, is_disabled, reason } = body
    await db.shards.global.transaction(async (tx) => {
      if (role !== undefined) await giveRole(tx, { operatorId: id, role, reason, by, now })
      if (is_disabled !== undefined)
        await (is_disabled ? disable : enable)(tx, { operatorId: id, reason, by, now })
    })
    return { operator: await showOperator(db.shards.global, id) }
  },
})

interface Change {
  operatorId: string
  reason?: string | undefined
  by: { id: string; role: Role }
  now: Date
}

export async function giveRole(
  tx: Tx,
  { operatorId, role, reason, by, now }: Change & { role: Role },
): Promise<void> {
  const operator = await lockOther(tx, { operatorId, by })
  if (operator.role === role) return
  if (operator.role === 'admin') await keepAnAdmin(tx, operatorId)
  await tx.updateTable('operators').set({ role }).where('id', '=', operatorId).execute()
  const detail = { from: operator.role, to: role }
  await appendAudit(
    tx,
    { operator: by, action: 'operator.role', subject: operatorId, detail, words: reason },
    { now },
  )
  await tellAdmins(tx, { operatorId, role, by, now })
}

export async function disable(tx: Tx, { operatorId, reason, by, now }: Change): Promise<void> {
  const operator = await lockOther(tx, { operatorId, by })
  if (operator.status === 'disabled') return
  if (operator.role === 'admin') await keepAnAdmin(tx, operatorId)
  await tx
    .updateTable('operators')
    .set({ status: 'disabled', disabled_at: now, disabled_by: by.id })
    .where('id', '=', operatorId)
    .execute()
  await endSessions(tx, { operatorId })
  await endLinks(tx, { operatorId, purposes: ['invitation', 'passkey', 'sign_in'], now })
  await appendAudit(
    tx,
    { operator: by, action: 'operator.disable', subject: operatorId, words: reason },
    { now },
  )
}

export async function enable(tx: Tx, { operatorId, reason, by, now }: Change): Promise<void> {
  const operator = await lockOther(tx, { operatorId, by })
  if (operator.status !== 'disabled') return
  const passkey = await tx
    .selectFrom('operator_passkeys')
    .select('credential_id')
    .where('operator_id', '=', operatorId)
    .limit(1)
    .executeTakeFirst()
  const hasJoined = passkey !== undefined || operator.oidc_subject !== null
  await tx
    .updateTable('operators')
    .set({ status: hasJoined ? 'active' : 'invited', disabled_at: null, disabled_by: null })
    .where('id', '=', operatorId)
    .execute()
  await appendAudit(
    tx,
    { operator: by, action: 'operator.enable', subject: operatorId, words: reason },
    { now },
  )
  await tellAdmins(tx, { operatorId, role: operator.role, by, now })
}

async function lockOther(tx: Tx, { operatorId, by }: Pick<Change, 'operatorId' | 'by'>) {
  if (operatorId === by.id) throw ownAccount()
  // All administrators first, in the order of their ids: two who demote each other wait here, and the second one fails.
  const rows = await tx
    .selectFrom('operators')
    .select(['id', 'role', 'status', 'oidc_subject'])
    .where((where) => where.or([where('role', '=', 'admin'), where('id', '=', operatorId)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const operator = rows.find(({ id }) => id === operatorId)
  if (operator === undefined) throw operatorNotFound()
  return operator
}

/** The rows are locked. */
async function keepAnAdmin(tx: Tx, operatorId: string): Promise<void> {
  const other = await tx
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('id', '<>', operatorId)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw lastAdmin()
}
