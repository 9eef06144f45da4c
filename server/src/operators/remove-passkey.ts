/**
 * Remove an own passkey, but not the last way to sign in.
 *
 *   called by   the desk, within ten minutes after signing in
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { lastPasskey, passkeyNotFound, signInAgain } from './errors.ts'
import { requireRecentSignIn } from './sessions.ts'

export const PasskeyId = z.string().regex(/^[\w-]{1,1400}$/, 'is not the id of a passkey')

export const removePasskey = deskOperation({
  method: 'DELETE',
  path: '/passkeys/:id',
  name: 'removePasskey',
  right: 'session',
  summary: 'Remove an own passkey',
  params: z.object({ id: PasskeyId }),
  success: { status: 200, body: z.object({ removed: z.literal(true) }) },
  errors: [passkeyNotFound, lastPasskey, signInAgain],

  async handler({ background: { db: home, config }, params: { id }, operator, now }) {
    const db = home.shards.global
    await requireRecentSignIn(db, { sessionHash: operator.sessionHash, now })
    await db.transaction(async (tx) => {
      // Locked, so that of two removals at once the second sees what the first left.
      const { oidc_subject } = await tx
        .selectFrom('operators')
        .select('oidc_subject')
        .where('id', '=', operator.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const passkeys = await tx
        .selectFrom('operator_passkeys')
        .select('credential_id')
        .where('operator_id', '=', operator.id)
        .execute()
      if (!passkeys.some(({ credential_id }) => credential_id === id)) throw passkeyNotFound()
      const hasOther = passkeys.length > 1 || (oidc_subject !== null && config.OIDC_ISSUER)
      if (!hasOther) throw lastPasskey()
      await tx
        .deleteFrom('operator_passkeys')
        .where('operator_id', '=', operator.id)
        .where('credential_id', '=', id)
        .execute()
      await appendAudit(tx, { operator, action: 'passkey.remove', subject: operator.id }, { now })
    })
    return { removed: true as const }
  },
})
