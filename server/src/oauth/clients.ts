/**
 * Clients that registered themselves (RFC 7591). Nothing that a client says about itself is verified, so all that its
 * row decides is where a person may be sent back to.
 */
import { z } from 'zod'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import { OAuthError } from './oauth-error.ts'
import { readRedirectUri } from './redirect-uri.ts'

const HOUR_MS = 3_600_000
/** A client that nobody approves within a day is forgotten. */
const UNUSED_MS = 24 * HOUR_MS
/** Longer than any grant lasts. */
const USED_MS = 400 * 24 * HOUR_MS
const NAME_MAX = 100
const NAMELESS = 'App without a name'

const Registration = z.object({
  redirect_uris: z.array(z.string().max(2000)).min(1).max(5),
  client_name: z.string().max(2000).optional().catch(undefined),
  grant_types: z.array(z.string().max(100)).max(10).optional(),
  response_types: z.array(z.string().max(100)).max(10).optional(),
})

export type Client = NonNullable<Awaited<ReturnType<typeof findClient>>>

export const findClient = (db: Reader, id: string, now: Date) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Registers a client, and returns what it may call itself from now on. */
export async function registerClient({ global }: Shards, metadata: unknown, now: Date) {
  const { data } = Registration.safeParse(metadata)
  if (data === undefined)
    throw new OAuthError(
      'invalid_client_metadata',
      'redirect_uris must be a list of one to five addresses',
    )
  const { redirect_uris, client_name, grant_types, response_types } = data
  if (redirect_uris.some((uri) => readRedirectUri(uri) === undefined))
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be https addresses without a fragment, or http://127.0.0.1, http://[::1] or http://localhost',
    )
  if (
    grant_types?.includes('authorization_code') === false ||
    response_types?.includes('code') === false
  )
    throw new OAuthError(
      'invalid_client_metadata',
      'grant_types must include authorization_code, and response_types must include code',
    )
  const client = {
    id: mintId('client', now, 0),
    name: shownName(client_name),
    redirect_uris: [...new Set(redirect_uris)],
    created_at: now,
    expires_at: new Date(now.getTime() + UNUSED_MS),
  }
  await global.transaction((tx) => tx.insertInto('oauth_clients').values(client).execute())
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/** Keeps a client that a person has approved for as long as its grants can last. */
export const keepClient = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable('oauth_clients')
    .set({ expires_at: new Date(now.getTime() + USED_MS) })
    .where('id', '=', id)
    .execute()

/** The name is a stranger's text on a page about money: no invisible or direction-changing characters, one line. */
function shownName(name = ''): string {
  const shown = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Co}|\p{Cn}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return Array.from(shown).slice(0, NAME_MAX).join('').trim() || NAMELESS
}
