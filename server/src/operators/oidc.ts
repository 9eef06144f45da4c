/**
 * The company's OpenID provider: authorization code with PKCE, state and nonce. It says who somebody is; whether that
 * person is an operator, and with which role, is decided here.
 */
import * as client from 'openid-client'
import type { Config } from '../config.ts'
import { clearCookie } from '../kit/cookies.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { CHALLENGE_MINUTES } from './challenges.ts'
import { oidcOff } from './errors.ts'

const TIMEOUT_SECONDS = 10
const COOKIE = '__Host-legwork-desk-oidc'

type OidcConfig = Pick<
  Config,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'DESK_URL' | 'DESK_PORT'
>
const providers = new WeakMap<OidcConfig, Promise<client.Configuration>>()

/** The provider's addresses and keys, read once per process; a failure is tried again. */
export async function findProvider(config: OidcConfig): Promise<client.Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config
  if (issuer === undefined || id === undefined) throw oidcOff()
  const known = providers.get(config)
  if (known) return known
  const found = client.discovery(new URL(issuer), id, secret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The signature is checked although the token comes from the provider itself.
      client.enableNonRepudiationChecks,
      // Production refuses an issuer without https.
      // oxlint-disable-next-line typescript/no-deprecated -- it is only marked so that nobody uses it by mistake
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
  })
  providers.set(config, found)
  found.catch(() => providers.delete(config))
  return found
}

export const returnUrl = (config: OidcConfig) => `${deskUrl(config)}/desk/api/sign-in/oidc/return`

/** The request to the provider, and the values that its response must match. */
export async function askProvider(config: OidcConfig) {
  const provider = await findProvider(config)
  const state = client.randomState()
  const nonce = client.randomNonce()
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: returnUrl(config),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { url, state, nonce, verifier }
}

export interface Person {
  /** Issuer and subject: an email can be given to somebody else later. */
  subject: string
  /** Null unless the provider has verified it. */
  email: string | null
}

/** Exchanges the code for an ID token and checks it: signature, issuer, audience, nonce, times. */
export async function readPerson(
  config: OidcConfig,
  {
    query,
    state,
    nonce,
    verifier,
  }: Record<'state' | 'nonce' | 'verifier', string> & {
    query: Record<string, string>
  },
): Promise<Person> {
  const provider = await findProvider(config)
  const url = new URL(`${returnUrl(config)}?${new URLSearchParams(query).toString()}`)
  const tokens = await client.authorizationCodeGrant(provider, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  // Many providers have the email only in the user info.
  const about =
    claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : claims
  const isVerified = about.email_verified === true && typeof about.email === 'string'
  return {
    subject: `${claims.iss} ${claims.sub}`,
    email: isVerified ? String(about.email).toLowerCase() : null,
  }
}

/**
 * Binds the way to the provider and back to this browser. Lax, because the browser comes back from another site.
 */
export const oidcCookie = (id: string) =>
  `${COOKIE}=${id}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${CHALLENGE_MINUTES * 60}`

export const endedOidcCookie = () => clearCookie(COOKIE)

export const OIDC_COOKIE = COOKIE
