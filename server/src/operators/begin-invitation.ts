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
import { linkEnded } from './errors.ts'
import { findLink, LinkToken } from './links.ts'
import { Asked, askForNewPasskey } from './passkeys.ts'
import { mayOf, RoleView } from './view.ts'

const PURPOSES = ['invitation', 'passkey'] as const

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
      purpose: z.enum(PURPOSES).describe('`passkey`: for an operator who joined earlier'),
      name: z.string(),
      email: z.string(),
      ...RoleView.shape,
      has_company_account: z.boolean(),
    }),
  },
  errors: [linkEnded],

  async handler({ background: { db, config }, body: { token }, now }) {
    const operator = await findLink(db.shards.global.reader, {
      token,
      purposes: PURPOSES,
      now,
    })
    if (operator === undefined) throw linkEnded()
    const asked = await askForNewPasskey(db.shards.global, { operator, config, now })
    const { name, email, role } = operator
    const purpose = PURPOSES.find((one) => one === operator.purpose) ?? 'invitation'
    const has_company_account = config.OIDC_ISSUER !== undefined
    return { ...asked, purpose, name, email, role, may: mayOf(role), has_company_account }
  },
})
