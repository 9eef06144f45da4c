/**
 * Add another passkey.
 *
 *   called by   the desk, within ten minutes after signing in
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { passkeyRefused, signInAgain } from './errors.ts'
import { ChallengeId, checkNewPasskey, NewPasskey, storePasskey } from './passkeys.ts'
import { requireRecentSignIn } from './sessions.ts'

export const finishPasskey = deskOperation({
  method: 'POST',
  path: '/passkeys/finish',
  name: 'finishPasskey',
  right: 'session',
  summary: 'Add another passkey',
  body: z.object({
    challenge_id: ChallengeId,
    passkey: NewPasskey,
    name: z.string().trim().min(1).max(100).optional(),
  }),
  success: { status: 201, body: z.object({ id: z.string() }) },
  errors: [passkeyRefused, signInAgain],

  async handler({ background: { db: home, config }, body, operator, now, device }) {
    const db = home.shards.global
    await requireRecentSignIn(db, { sessionHash: operator.sessionHash, now })
    const operatorId = operator.id
    const passkey = await checkNewPasskey(db, {
      operatorId,
      challengeId: body.challenge_id,
      response: body.passkey,
      config,
      now,
    })
    await db.transaction(async (tx) => {
      await storePasskey(tx, { operatorId, name: body.name ?? device, passkey, now })
      await appendAudit(
        tx,
        { operator, action: 'passkey.add', subject: operatorId, detail: { by: 'session' } },
        { now },
      )
    })
    return { id: passkey.credential_id }
  },
})
