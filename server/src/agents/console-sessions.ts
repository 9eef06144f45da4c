/**
 * Console sessions: a browser exchanges an API key for a token, which authenticates as that key until the token or the
 * key expires. Like keys, sessions are cached for a few seconds.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { batcher } from '../kit/batch.ts'
import type { Shards, Tx } from '../kit/db.ts'
import type { AgentCaller, Claim } from '../kit/endpoint.ts'
import { sha256 } from '../kit/secrets.ts'
import type { Authenticator } from './authenticate.ts'

const KNOWN_MAX = 10_000
const CLEARED_TOGETHER = 100

interface SessionRow {
  token_hash: string
  key_hash: string
  agent_id: string
  expires_at: Date
}

/** Resolves a session token to the agent of its key. */
export function openConsoleSessions(
  { global, at }: Shards,
  authenticator: Authenticator,
  { trustMs }: { trustMs: number },
) {
  const known = new Map<string, { row: SessionRow; trustedUntil: number }>()
  const lookUps = batcher<{ tokenHash: string; now: Date }, SessionRow | undefined>({
    name: 'console_sessions',
    async run(items) {
      const rows = await global.call<SessionRow>('find_console_sessions', FIND_SESSIONS, [
        items.map(({ tokenHash }) => tokenHash),
        items[0]!.now,
      ])
      return items.map(({ tokenHash }) => rows.find((row) => row.token_hash === tokenHash))
    },
  })

  const callerOf = (agent: AgentCaller | undefined, row: SessionRow): AgentCaller | undefined =>
    agent && { ...agent, session: { tokenHash: row.token_hash, expiresAt: row.expires_at } }

  return {
    /** Reads the cache only. */
    recall(token: string, now: Date): AgentCaller | undefined {
      const entry = known.get(sha256(token))
      if (entry === undefined || entry.trustedUntil <= now.getTime()) return undefined
      if (entry.row.expires_at <= now) return undefined
      return callerOf(authenticator.recallByHash(entry.row.key_hash, now), entry.row)
    },

    async find(token: string, now: Date): Promise<AgentCaller | undefined> {
      const tokenHash = sha256(token)
      const row = await lookUps.add({ tokenHash, now })
      known.delete(tokenHash)
      if (row === undefined || row.expires_at <= now) return undefined
      // Evict the oldest entry: a Map keeps insertion order.
      if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
      known.set(tokenHash, { row, trustedUntil: now.getTime() + trustMs })
      return callerOf(await authenticator.findByHash(at(row.agent_id), row.key_hash, now), row)
    },
  }
}

export type ConsoleSessions = ReturnType<typeof openConsoleSessions>

/**
 * Derives the token from the API key and the Idempotency-Key, so that a retry gets the same token and opens no second
 * session. Only the holder of the API key can compute it.
 */
export function mintConsoleToken(apiKey: string, claim: Claim | undefined): string {
  return claim === undefined
    ? randomBytes(32).toString('base64url')
    : createHmac('sha256', apiKey).update(`console ${claim.keyHash}`).digest('base64url')
}

/** Stores a session, and deletes expired ones. */
export async function storeSession(
  tx: Tx,
  session: { tokenHash: string; keyHash: string; agentId: string; now: Date; expiresAt: Date },
): Promise<void> {
  const { tokenHash, keyHash, agentId, now, expiresAt } = session
  await sql`
    delete from console_sessions where token_hash in (
      select token_hash from console_sessions where expires_at <= ${now}
       order by expires_at limit ${CLEARED_TOGETHER} for update skip locked)`.execute(tx)
  await tx
    .insertInto('console_sessions')
    .values({
      token_hash: tokenHash,
      key_hash: keyHash,
      agent_id: agentId,
      created_at: now,
      last_used_at: now,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ last_used_at: now }))
    .execute()
}

const FIND_SESSIONS = `
  with used as (
    update console_sessions set last_used_at = $2
     where token_hash = any($1) and last_used_at < $2::timestamptz - interval '1 hour'
  )
  select token_hash, key_hash, agent_id, expires_at from console_sessions where token_hash = any($1)`
