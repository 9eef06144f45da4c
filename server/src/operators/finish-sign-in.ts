/**
 * Sign in with a passkey.
 *
 *   called by   the desk, without a session
 *   moves       a session begins
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { passkeyRefused } from './errors.ts'
import { ChallengeId, checkPasskey, SignedChallenge, type SignedIn } from './passkeys.ts'
import { signInOperator } from './sessions.ts'
import type { Db } from '../kit/db.ts'

export const finishSignIn = deskOperation({
  method: 'POST',
  path: '/sign-in/finish',
  name: 'finishSignIn',
  right: 'anyone',
  summary: 'Sign in with a passkey',
  body: z.object({ challenge_id: ChallengeId, passkey: SignedChallenge }),
  success: { status: 200, body: z.object({ signed_in: z.literal(true) }) },
  errors: [passkeyRefused],

  async handler({ background: { db: home, config }, body, now, device, headers, setCookie }) {
    const db = home.shards.global
    const signed = await checkPasskey(db, {
      challengeId: body.challenge_id,
      response: body.passkey,
      config,
      now,
    })
    if (signed.isCloned) {
      await noteClone(db, signed, now)
      throw passkeyRefused()
    }
    const { operatorId, credentialId, counter } = signed
    const begun = await db.transaction(async (tx) => {
      await tx
        .updateTable('operator_passkeys')
        .set({ counter, used_at: now })
        .where('credential_id', '=', credentialId)
        .execute()
      const cookies = headers.cookie
      return signInOperator(tx, { operatorId, how: 'passkey', device, cookies, config, now })
    })
    if (begun === undefined) throw passkeyRefused()
    setCookie(begun.cookie)
    return { signed_in: true as const }
  },
})

/** Two devices with the same key: the audit log says so, and an administrator removes it. */
async function noteClone(db: Db, { operatorId }: SignedIn, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { role } = await tx
      .selectFrom('operators')
      .select('role')
      .where('id', '=', operatorId)
      .executeTakeFirstOrThrow()
    await appendAudit(
      tx,
      { operator: { id: operatorId, role }, action: 'passkey.cloned', subject: operatorId },
      { now },
    )
  })
}
