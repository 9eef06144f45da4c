/**
 * The token endpoint: a code or a refresh token for an access token (OAuth 2.1), and their revocation (RFC 7009). A
 * client has no secret, so a code is worthless without its verifier (PKCE). Whoever presents a code or a refresh token
 * that was used before may have stolen it, or the one before them has: then the whole grant ends.
 */
import { hash, randomBytes } from 'node:crypto'
import { renewToken } from '../agents/token-keys.ts'
import { lockKeys } from '../agents/keys.ts'
import type { Config } from '../config.ts'
import type { Shards, Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import {
  isWellFormedApiKey,
  mintLinkToken,
  sha256,
  shardOfApiKey,
  shardOfLinkToken,
} from '../kit/secrets.ts'
import { type Client, findClient } from './clients.ts'
import { endGrant, type Grant, lockGrant } from './grants.ts'
import { resourceOf } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** The fields of a form, each of which was sent once. */
export type Form = ReadonlyMap<string, string>

interface Asked {
  shards: Shards
  form: Form
  config: Pick<Config, 'OAUTH_TOKEN_MINUTES' | 'PUBLIC_URL' | 'HOST' | 'PORT'>
  now: Date
}

export async function issueTokens(asked: Asked) {
  const { shards, form, config, now } = asked
  const grantType = fieldOf(form, 'grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token',
    )
  const client = await findClient(shards.global.reader, fieldOf(form, 'client_id'), now)
  if (client === undefined)
    throw new OAuthError('invalid_client', 'This client is not registered. Register again')
  const resource = form.get('resource')
  if (resource !== undefined && resource !== resourceOf(config))
    throw new OAuthError('invalid_target', `The only resource is ${resourceOf(config)}`)
  return grantType === 'authorization_code' ? redeemCode(asked, client) : refresh(asked, client)
}

/** The same answer for everything that is wrong with a code or a refresh token: it tells a thief nothing. */
const invalidGrant = () =>
  new OAuthError(
    'invalid_grant',
    'The code or refresh token is invalid, expired, used, revoked, or of another client',
  )

async function redeemCode({ shards, form, config, now }: Asked, client: Client) {
  const code = fieldOf(form, 'code')
  const redirectUri = fieldOf(form, 'redirect_uri')
  const verifier = fieldOf(form, 'code_verifier')
  const db = shards.of(shardOfLinkToken(code))
  const issued = await db.transaction(async (tx) => {
    const grant = await lockGrant(tx, { of: 'code_hash', hash: sha256(code), now })
    if (grant === undefined || grant.client_id !== client.id) return undefined
    if (grant.redirect_uri !== redirectUri || !isVerified(grant, verifier)) return undefined
    if (grant.code_used_at !== null) {
      await endGrant(tx, grant, now)
      return undefined
    }
    if (grant.code_expires_at <= now) return undefined
    const family = mintLinkToken(shardOf(grant.agent_id))
    return renew(tx, { grant, family, config, now })
  })
  if (issued === undefined) throw invalidGrant()
  return issued
}

const isVerified = ({ code_challenge }: Pick<Grant, 'code_challenge'>, verifier: string) =>
  VERIFIER.test(verifier) && hash('sha256', verifier, 'base64url') === code_challenge

async function refresh({ shards, form, config, now }: Asked, client: Client) {
  const token = fieldOf(form, 'refresh_token')
  const family = familyOf(token)
  const db = shards.of(shardOfLinkToken(family))
  const issued = await db.transaction(async (tx) => {
    const grant = await lockGrant(tx, { of: 'family_hash', hash: sha256(family), now })
    if (grant === undefined || grant.client_id !== client.id || grant.ends_at <= now)
      return undefined
    if (grant.refresh_hash !== sha256(token)) {
      await endGrant(tx, grant, now)
      return undefined
    }
    const renewed = await renew(tx, { grant, family, config, now })
    const scopes = form.get('scope')?.split(' ').filter(Boolean) ?? []
    if (renewed && !scopes.every((scope) => renewed.scope.split(' ').includes(scope)))
      throw new OAuthError('invalid_scope', `The person allowed: ${renewed.scope}`)
    return renewed
  })
  if (issued === undefined) throw invalidGrant()
  return issued
}

/** A refresh token is its family and a part of its own, so that an old one still says whose it was. */
const familyOf = (refreshToken: string) => refreshToken.split('.', 1)[0]!

interface Renewed {
  grant: Grant
  family: string
  config: Pick<Config, 'OAUTH_TOKEN_MINUTES'>
  now: Date
}

async function renew(tx: Tx, { grant, family, config, now }: Renewed) {
  const { id, agent_id: agentId, key_id: keyId, allowed_until: until } = grant
  const tokenMs = config.OAUTH_TOKEN_MINUTES * 60_000
  const renewed = await renewToken(tx, { agentId, keyId, until, tokenMs, now })
  if (renewed === undefined) return undefined
  const refreshToken = `${family}.${randomBytes(32).toString('base64url')}`
  await tx
    .updateTable('oauth_grants')
    .set({
      code_used_at: grant.code_used_at ?? now,
      family_hash: sha256(family),
      refresh_hash: sha256(refreshToken),
      ends_at: until,
    })
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .execute()
  return {
    access_token: renewed.token,
    token_type: 'Bearer',
    expires_in: Math.floor((renewed.expiresAt.getTime() - now.getTime()) / 1000),
    refresh_token: refreshToken,
    scope: renewed.scopes.join(' '),
  }
}

/** Ends the grant of a token, if there is one. RFC 7009 has one response for every token. */
export async function revokeToken({ shards, form, now }: Omit<Asked, 'config'>): Promise<void> {
  const token = fieldOf(form, 'token')
  const clientId = fieldOf(form, 'client_id')
  const isAccessToken = isWellFormedApiKey(token)
  const family = familyOf(token)
  const db = shards.of(isAccessToken ? shardOfApiKey(token) : shardOfLinkToken(family))
  await db.transaction(async (tx) => {
    const grant = isAccessToken
      ? await lockGrantOfToken(tx, token, now)
      : await lockGrant(tx, { of: 'family_hash', hash: sha256(family), now })
    if (grant?.client_id === clientId) await endGrant(tx, grant, now)
  })
}

async function lockGrantOfToken(tx: Tx, token: string, now: Date) {
  const key = await tx
    .selectFrom('api_keys')
    .select(['id', 'agent_id'])
    .where('key_hash', '=', sha256(token))
    .executeTakeFirst()
  if (key === undefined) return undefined
  await lockKeys(tx, key.agent_id, now)
  return tx
    .selectFrom('oauth_grants')
    .selectAll()
    .where('agent_id', '=', key.agent_id)
    .where('key_id', '=', key.id)
    .executeTakeFirst()
}

function fieldOf(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined || value === '')
    throw new OAuthError('invalid_request', `${name} is required`)
  return value
}
