/**
 * Ask for another passkey of the operator who is signed in.
 *
 *   called by   the desk, within ten minutes after signing in
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { signInAgain } from './errors.ts'
import { Asked, askForNewPasskey } from './passkeys.ts'
import { requireRecentSignIn } from './sessions.ts'

export const beginPasskey = deskOperation({
  method: 'POST',
  path: '/passkeys/begin',
  name: 'beginPasskey',
  right: 'session',
  summary: 'Ask for another passkey',
  success: { status: 200, body: z.object({ ...Asked.shape }) },
  errors: [signInAgain],

  async handler({ background: { db, config }, operator, now }) {
    const global = db.shards.global
    await requireRecentSignIn(global, { sessionHash: operator.sessionHash, now })
    return askForNewPasskey(global, { operator, config, now })
  },
})
