/**
 * Open an emailed link: say whose it is, and ask for a new passkey. The link still works afterwards.
 *
 *   called by   the desk, without a session
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { ROLES } from '../kit/rights.ts'
import { linkEnded } from './errors.ts'
import { findLink, LinkToken } from './links.ts'
import { Asked, askForNewPasskey } from './passkeys.ts'

export const beginInvitation = deskOperation({
  method: 'POST',
  path: '/invitations/begin',
  name: 'beginInvitation',
  right: 'anyone',
  summary: 'Open an invitation',
  body: z.object({ token: LinkToken }),
  success: {
    status: 200,
    body: z.object({
      ...Asked.shape,
      name: z.string(),
      email: z.string(),
      role: z.enum(ROLES),
      has_company_account: z.boolean(),
    }),
  },
  errors: [linkEnded],

  async handler({ background: { db, config }, body: { token }, now }) {
    const operator = await findLink(db.shards.global.reader, {
      token,
      purposes: ['invitation', 'passkey'],
      now,
    })
    if (operator === undefined) throw linkEnded()
    const asked = await askForNewPasskey(db.shards.global, { operator, config, now })
    const { name, email, role } = operator
    return { ...asked, name, email, role, has_company_account: config.OIDC_ISSUER !== undefined }
  },
})
