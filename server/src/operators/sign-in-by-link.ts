/**
 * Sign in with a link that `npm run dev` printed. Production refuses such links.
 *
 *   called by   the desk, without a session
 *   moves       a session begins; an operator: invited → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { linkEnded } from './errors.ts'
import { LinkToken, useLink } from './links.ts'
import { signInOperator } from './sessions.ts'

export const signInByLink = deskOperation({
  method: 'POST',
  path: '/sign-in/link',
  name: 'signInByLink',
  right: 'anyone',
  summary: 'Sign in with a link, in development only',
  body: z.object({ token: LinkToken }),
  success: { status: 200, body: z.object({ signed_in: z.literal(true) }) },
  errors: [linkEnded],

  async handler({ background: { db, config }, body: { token }, now, device, headers, setCookie }) {
    if (config.NODE_ENV === 'production') throw linkEnded()
    const begun = await db.shards.global.transaction(async (tx) => {
      const link = await useLink(tx, { token, purposes: ['sign_in'], now })
      return (
        link &&
        signInOperator(tx, {
          operatorId: link.operator_id,
          how: 'link',
          device,
          cookies: headers.cookie,
          config,
          now,
        })
      )
    })
    if (begun === undefined) throw linkEnded()
    setCookie(begun.cookie)
    return { signed_in: true as const }
  },
})
