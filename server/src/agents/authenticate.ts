import { batcherByShard } from '../kit/batch-by-shard.ts'
import type { Db, Shards } from '../kit/db.ts'
import type { AgentCaller, Mode, Scope } from '../kit/endpoint.ts'
import { isWellFormedApiKey, sha256, shardOfApiKey } from '../kit/secrets.ts'

const KNOWN_MAX = 50_000

interface Known {
  caller: AgentCaller
  /** `expiresAt` is when the key expires; `trustedUntil` is when this cache entry does. */
  expiresAt: number
  trustedUntil: number
}

interface KeyRow {
  key_hash: string
  id: string
  agent_id: string
  mode: Mode
  scopes: Scope[]
  types: string[] | null
  visibleKeyId: string | null
  isToken: boolean
  expires_at: Date | null
}

/**
 * Resolves an API key to its agent. Keys are cached for a few seconds and cache misses are looked up in batches, so
 * that authentication costs no round trip of its own under load.
 */
export function openAuthenticator(shards: Shards, { trustMs }: { trustMs: number }) {
  const known = new Map<string, Known>()
  const lookUps = batcherByShard<{ keyHash: string; now: Date }, KeyRow | undefined>({
    name: 'api_keys',
    async run(db, items) {
      const rows = await db.call<KeyRow>('find_keys', FIND_KEYS, [
        items.map(({ keyHash }) => keyHash),
        items[0]!.now,
      ])
      return items.map(({ keyHash }) => rows.find((row) => row.key_hash === keyHash))
    },
  })

  return {
    /** Reads the cache only. */
    recall(key: string, now: Date): AgentCaller | undefined {
      return this.recallByHash(sha256(key), now)
    },

    async find(key: string, now: Date): Promise<AgentCaller | undefined> {
      return isWellFormedApiKey(key)
        ? this.findByHash(shards.of(shardOfApiKey(key)), sha256(key), now)
        : undefined
    },

    /** Like `recall`, for a console session, which stores only the hash of its key. */
    recallByHash(keyHash: string, now: Date): AgentCaller | undefined {
      const entry = known.get(keyHash)
      if (entry === undefined || entry.trustedUntil <= now.getTime()) return undefined
      return entry.expiresAt > now.getTime() ? entry.caller : undefined
    },

    /** `db` is the shard of the key's agent. */
    async findByHash(db: Db, keyHash: string, now: Date): Promise<AgentCaller | undefined> {
      const row = await lookUps.add(db, { keyHash, now })
      const expiresAt = row?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
      if (row === undefined || expiresAt <= now.getTime()) {
        known.delete(keyHash)
        return undefined
      }
      const { id: keyId, agent_id: id, mode, scopes, types, visibleKeyId, isToken } = row
      const caller = { id, mode, keyId, scopes, types, visibleKeyId, isToken }
      // Evict the oldest entry: a Map keeps insertion order.
      if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
      known.delete(keyHash)
      known.set(keyHash, { caller, expiresAt, trustedUntil: now.getTime() + trustMs })
      return caller
    },
  }
}

export type Authenticator = ReturnType<typeof openAuthenticator>

const FIND_KEYS = `
  with found as (
    select key_hash, id, agent_id, mode, scopes, types, sees as "visibleKeyId",
           least(expires_at, token_expires_at) as expires_at, token_expires_at is not null as "isToken"
      from api_keys where key_hash = any($1)
    union all
    select r.key_hash, k.id, k.agent_id, k.mode, k.scopes, k.types, k.sees, least(k.expires_at, r.expires_at), false
      from rotated_keys r join api_keys k on k.id = r.key_id where r.key_hash = any($1)
  ), used as (
    update api_keys k set last_used_at = $2
     where k.id = any(array(select f.id from found f))
       and (k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '1 hour')
  )
  select key_hash, id, agent_id, mode, scopes, types, "visibleKeyId", expires_at, "isToken" from found`
