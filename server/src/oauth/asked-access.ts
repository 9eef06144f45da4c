/** The authorization request of a client, in the address of the consent page (OAuth 2.1, RFC 8707). */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { idOf } from '../kit/ids.ts'
import { findClient } from './clients.ts'
import { appUnknown, wrongRedirect } from './errors.ts'
import { GRANTABLE, type Grantable, issuerOf, resourceOf } from './metadata.ts'
import { isRegistered } from './redirect-uri.ts'

/** PKCE with S256 is not optional: `plain`, or none at all, would make a stolen code worth something. */
export const AskedAccess = z.object({
  response_type: z.literal('code'),
  client_id: idOf('client', 'an app'),
  redirect_uri: z.string().max(500),
  code_challenge: z
    .string()
    .max(43)
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the SHA-256 of a verifier in base64url'),
  code_challenge_method: z.literal('S256'),
  scope: z.string().max(500).optional(),
  state: z.string().max(2000).optional(),
  resource: z.string().max(500).optional(),
})
export type AskedAccess = z.output<typeof AskedAccess>

type Settings = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Checks a request. What it asks for that nobody can grant, such as `offline_access`, is left out. */
export async function readAskedAccess(
  db: Reader,
  asked: AskedAccess,
  { config, now }: { config: Settings; now: Date },
) {
  const client = await findClient(db, asked.client_id, now)
  if (client === undefined) throw appUnknown()
  if (!isRegistered(client.redirect_uris, asked.redirect_uri)) throw wrongRedirect()
  if (asked.resource !== undefined && asked.resource !== resourceOf(config))
    throw invalidField('resource', `must be ${resourceOf(config)}`)
  const wanted = GRANTABLE.filter((scope) => asked.scope?.split(' ').includes(scope))
  const scopes: readonly Grantable[] = wanted.length > 0 ? wanted : GRANTABLE
  return { client, scopes }
}

/** Where to send the person back to, with our name (RFC 9207), so that a client can tell servers apart. */
export function sendBack(
  { redirect_uri, state }: AskedAccess,
  result: { code: string } | { error: 'access_denied' },
  config: Settings,
): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries({ ...result, state, iss: issuerOf(config) }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
