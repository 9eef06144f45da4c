/**
 * Console sessions: a browser exchanges an API key, or the link in an email, for a token. It authenticates as that
 * key until the token or the key expires, or as that person until the token expires or the person leaves. Sessions of
 * keys are cached for a few seconds, as keys are. Those of people are read from the database for every request, so that
 * leaving, removal and another role take effect with the next request, in every process.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { batcher } from '../kit/batch.ts'
import type { Shards, Tx } from '../kit/db.ts'
import type { AgentCaller, Claim } from '../kit/endpoint.ts'
import { type PersonRole, personScopes } from '../kit/person-roles.ts'
import { sha256 } from '../kit/secrets.ts'
import type { Authenticator } from './authenticate.ts'

const KNOWN_MAX = 10_000
const CLEARED_TOGETHER = 100

interface KeySession {
  token_hash: string
  key_hash: string
  person_id: null
  agent_id: string
  expires_at: Date
}

/** `agent_id` is the agent of the mode that the person works in; `person_agent_id` is the live one. */
interface PersonSession {
  token_hash: string
  agent_id: string
  expires_at: Date
  person_id: string
  person_agent_id: string
  email: string
  name: string
  role: PersonRole
}

type SessionRow = KeySession | PersonSession

/** Resolves a session token to the agent of its key or its person. */
export function openConsoleSessions(
  { global, at }: Shards,
  authenticator: Authenticator,
  { trustMs }: { trustMs: number },
) {
  const known = new Map<string, { row: KeySession; trustedUntil: number }>()
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

  const callerOf = (agent: AgentCaller | undefined, row: KeySession): AgentCaller | undefined =>
    agent && { ...agent, session: { tokenHash: row.token_hash, expiresAt: row.expires_at } }

  return {
    /** Reads the cache only, which has no sessions of people. */
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
      if (row.person_id !== null) return personOf(row)
      // Evict the oldest entry: a Map keeps insertion order.
      if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value!)
      known.set(tokenHash, { row, trustedUntil: now.getTime() + trustMs })
      return callerOf(await authenticator.findByHash(at(row.agent_id), row.key_hash, now), row)
    },
  }
}

function personOf(row: PersonSession): AgentCaller {
  const { token_hash: tokenHash, expires_at: expiresAt, person_agent_id, role } = row
  const mode = row.agent_id === person_agent_id ? 'live' : 'test'
  return {
    id: row.agent_id,
    mode,
    keyId: row.person_id,
    scopes: personScopes(role, mode),
    types: null,
    visibleKeyId: null,
    isToken: false,
    session: { tokenHash, expiresAt },
    person: {
      id: row.person_id,
      agentId: person_agent_id,
      email: row.email,
      name: row.name,
      role,
    },
  }
}

export type ConsoleSessions = ReturnType<typeof openConsoleSessions>

/**
 * Derives the token from the secret (an API key or the token of a link) and the Idempotency-Key, so that a retry gets
 * the same token and opens no second session. Only the holder of the secret can compute it.
 */
export function mintConsoleToken(secret: string, claim: Claim | undefined): string {
  return claim === undefined
    ? randomBytes(32).toString('base64url')
    : createHmac('sha256', secret).update(`console ${claim.keyHash}`).digest('base64url')
}

/** Stores a session, and deletes expired ones. */
export async function storeSession(
  tx: Tx,
  session: { tokenHash: string; agentId: string; now: Date; expiresAt: Date } & (
    | { keyHash: string; personId?: undefined }
    | { keyHash?: undefined; personId: string }
  ),
): Promise<void> {
  const { tokenHash, keyHash = '', personId = null, agentId, now, expiresAt } = session
  await sql`
    delete from console_sessions where token_hash in (
      select token_hash from console_sessions where expires_at <= ${now}
       order by expires_at limit ${CLEARED_TOGETHER} for update skip locked)`.execute(tx)
  await tx
    .insertInto('console_sessions')
    .values({
      token_hash: tokenHash,
      key_hash: keyHash,
      person_id: personId,
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
  select s.token_hash, s.key_hash, s.agent_id, s.expires_at,
         p.id as person_id, p.agent_id as person_agent_id, p.email, p.name, p.role
    from console_sessions s left join agent_people p
      on p.id = s.person_id and p.accepted_at is not null and p.left_at is null
   where s.token_hash = any($1) and (s.key_hash <> '' or p.id is not null)`
