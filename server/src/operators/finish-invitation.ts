/**
 * Use an emailed link: store the new passkey and sign in.
 *
 *   called by   the desk, without a session
 *   moves       an operator: invited → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from './audit.ts'
import { linkEnded, passkeyRefused } from './errors.ts'
import { endLinks, findLink, LinkToken, type Purpose, useLink } from './links.ts'
import { ChallengeId, checkNewPasskey, NewPasskey, storePasskey } from './passkeys.ts'
import { signInOperator } from './sessions.ts'

const PURPOSES: Purpose[] = ['invitation', 'passkey']

export const finishInvitation = deskOperation({
  method: 'POST',
  path: '/invitations/finish',
  name: 'finishInvitation',
  right: 'anyone',
  summary: 'Create a passkey with an invitation, and sign in',
  body: z.object({ token: LinkToken, challenge_id: ChallengeId, passkey: NewPasskey }),
  success: { status: 200, body: z.object({ signed_in: z.literal(true) }) },
  errors: [linkEnded, passkeyRefused],

  async handler({ background: { db: home, config }, body, now, device, headers, setCookie }) {
    const db = home.shards.global
    const { token } = body
    const operator = await findLink(db.reader, { token, purposes: PURPOSES, now })
    if (operator === undefined) throw linkEnded()
    const operatorId = operator.id
    const passkey = await checkNewPasskey(db, {
      operatorId,
      challengeId: body.challenge_id,
      response: body.passkey,
      config,
      now,
    })
    const begun = await db.transaction(async (tx) => {
      const used = await useLink(tx, { token, purposes: PURPOSES, now })
      if (used === undefined) throw linkEnded()
      await storePasskey(tx, { operatorId, name: device, passkey, now })
      await endLinks(tx, { operatorId, purposes: PURPOSES, now })
      const cookies = headers.cookie
      const signedIn = await signInOperator(tx, {
        operatorId,
        how: 'passkey',
        device,
        cookies,
        config,
        now,
      })
      if (signedIn === undefined) throw linkEnded()
      const by = { id: operatorId, role: signedIn.role }
      const detail = { by: used.purpose }
      await appendAudit(
        tx,
        { operator: by, action: 'passkey.add', subject: operatorId, detail },
        { now },
      )
      return signedIn
    })
    setCookie(begun.cookie)
    return { signed_in: true as const }
  },
})
