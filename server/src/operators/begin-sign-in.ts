/**
 * Ask whoever wants to sign in for a passkey.
 *
 *   called by   the desk, without a session
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { Asked, askForPasskey } from './passkeys.ts'

export const beginSignIn = deskOperation({
  method: 'POST',
  path: '/sign-in/begin',
  name: 'beginSignIn',
  right: 'anyone',
  summary: 'Ask for a passkey',
  success: { status: 200, body: z.object({ ...Asked.shape, has_company_account: z.boolean() }) },
  errors: [],

  async handler({ background: { db, config }, now }) {
    const asked = await askForPasskey(db.shards.global, { config, now })
    return { ...asked, has_company_account: config.OIDC_ISSUER !== undefined }
  },
})
