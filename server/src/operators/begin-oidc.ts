/**
 * Send the browser to the company's OpenID provider.
 *
 *   called by   the desk, without a session
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { mintChallenge } from './challenges.ts'
import { oidcOff } from './errors.ts'
import { askProvider, oidcCookie } from './oidc.ts'

export const beginOidc = deskOperation({
  method: 'GET',
  path: '/sign-in/oidc',
  name: 'beginOidc',
  right: 'anyone',
  summary: 'Sign in with a company account',
  success: { status: 200, body: z.object({}) },
  errors: [oidcOff],

  async handler({ background: { db, config, log }, now, setCookie, redirect, requestId }) {
    if (config.OIDC_ISSUER === undefined) throw oidcOff()
    const asked = await askProvider(config).catch((error: unknown) => {
      log.error({ request_id: requestId, error }, 'the OpenID provider can’t be reached')
      return undefined
    })
    if (asked === undefined) {
      redirect(`${deskUrl(config)}/desk/sign-in?error=oidc_away`)
      return {}
    }
    const { url, state, nonce, verifier } = asked
    const id = await mintChallenge(db.shards.global, {
      purpose: 'oidc',
      challenge: JSON.stringify({ state, nonce }),
      verifier,
      now,
    })
    setCookie(oidcCookie(id))
    redirect(url.href)
    return {}
  },
})
