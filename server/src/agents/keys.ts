import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { mintApiKey, sha256 } from '../kit/secrets.ts'

/** Any text: what is no id of a key is the id of no key. */
export const KeyId = z.string()

export const KeyView = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  prefix: z.string().describe('The first characters, to tell keys apart'),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('To the hour'),
  expires_at: z.iso.datetime().nullable(),
})

interface KeyRow {
  id: string
  name: string
  mode: Mode
  prefix: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

export function viewKey(key: KeyRow): z.output<typeof KeyView> {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
  }
}

/** Stores a new key's hash and gives the key itself, which is not to be had again. */
export async function issueKey(
  tx: Tx,
  { agentId, mode, name, now }: { agentId: string; mode: Mode; name: string; now: Date },
): Promise<{ key: string; row: KeyRow }> {
  const shard = shardOf(agentId)
  const key = mintApiKey(mode, shard)
  const row = await tx
    .insertInto('api_keys')
    .values({
      key_hash: sha256(key),
      id: mintId('key', now, shard),
      agent_id: agentId,
      mode,
      name,
      prefix: key.slice(0, 14),
      created_at: now,
      // Of a test agent without an account no key outlives it.
      expires_at: sql<Date | null>`(select expires_at from agents where id = ${agentId})`,
    })
    .returning(['id', 'name', 'mode', 'prefix', 'created_at', 'last_used_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { key, row }
}

/** The agent's keys that work at this time. */
export const validKeys = (db: Reader, agentId: string, now: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'mode', 'prefix', 'created_at', 'last_used_at', 'expires_at'])
    .where('agent_id', '=', agentId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('id')

/** The same, with the agent held until the transaction ends: two calls at once do not count the same keys. */
export async function lockKeys(tx: Tx, agentId: string, now: Date) {
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  return validKeys(tx, agentId, now).execute()
}
