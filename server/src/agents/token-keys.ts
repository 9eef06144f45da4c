/**
 * Keys of OAuth grants. Such a key is limited and never has a secret that somebody keeps: its secrets are access
 * tokens, which end soon and are accepted at /mcp alone. The key stays the same when a token is renewed, with its caps,
 * its spending, its tasks and its Idempotency-Keys.
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Scope } from '../kit/endpoint.ts'
import { shardOf } from '../kit/ids.ts'
import { mintApiKey, sha256 } from '../kit/secrets.ts'
import { createAgentKey } from './create-key.ts'
import { lockKeys, prefixOf } from './keys.ts'

/** Creates a key below the calling one. Until its first token it has a secret that nobody knows and that has ended. */
export async function createTokenKey(
  tx: Tx,
  request: Parameters<typeof createAgentKey>[1],
): Promise<string> {
  const { key } = await createAgentKey(tx, request)
  await tx
    .updateTable('api_keys')
    .set({ token_expires_at: request.now })
    .where('id', '=', key.id)
    .where('agent_id', '=', request.agent.id)
    .execute()
  return key.id
}

interface Renewal {
  agentId: string
  keyId: string
  /** Until when the key itself may live. */
  until: Date
  tokenMs: number
  now: Date
}

/** Replaces the key's token. Undefined if the key has ended: with its parent, for example, or all keys of the agent. */
export async function renewToken(
  tx: Tx,
  { agentId, keyId, until, tokenMs, now }: Renewal,
): Promise<{ token: string; expiresAt: Date; scopes: Scope[] } | undefined> {
  const keys = await lockKeys(tx, agentId, now)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) return undefined
  const token = mintApiKey(key.mode, shardOf(agentId))
  // No key outlives an unclaimed test agent, as in `issueKey`.
  const { rows } = await sql<{ token_expires_at: Date }>`
    update api_keys k
       set key_hash = ${sha256(token)}, prefix = ${prefixOf(token)},
           expires_at = least(${until}::timestamptz, a.expires_at - interval '1 second'),
           token_expires_at = least(${new Date(now.getTime() + tokenMs)}::timestamptz, ${until}::timestamptz,
                                    a.expires_at)
      from agents a
     where a.id = ${agentId} and k.agent_id = a.id and k.id = ${keyId}
    returning k.token_expires_at`.execute(tx)
  return { token, expiresAt: rows[0]!.token_expires_at, scopes: key.scopes as Scope[] }
}

/** Ends a key, so that neither its token nor a renewal works. The caller has locked the agent. */
export const endTokenKey = (
  tx: Tx,
  { agentId, keyId, now }: Pick<Renewal, 'agentId' | 'keyId' | 'now'>,
) =>
  tx
    .updateTable('api_keys')
    .set({ expires_at: now })
    .where('agent_id', '=', agentId)
    .where('id', '=', keyId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
