/**
 * Log in to the console: exchange an API key for an HttpOnly cookie that authenticates as that key.
 *
 *   called by   the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { answerWith, endpoint, type Mode } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { isWellFormedApiKey, sha256, shardOfApiKey } from '../kit/secrets.ts'
import { setConsoleCookie } from './console-cookie.ts'
import { mintConsoleToken, storeSession } from './console-sessions.ts'
import { unknownApiKey } from './errors.ts'
import { PersonOfSession } from './people.ts'

export const ConsoleSessionView = named(
  'ConsoleSession',
  z.object({
    agent: z.object({ id: z.string(), name: z.string(), mode: z.enum(['live', 'test']) }),
    person: PersonOfSession.optional().describe('Who logged in by email; absent for a key'),
    expires_at: z.iso.datetime().nullable().describe('null if a key made the request'),
  }),
)

export const beginConsoleSession = endpoint({
  method: 'POST',
  path: '/console/session',
  name: 'createConsoleSession',
  auth: 'none',
  access: { by: 'key in the body' },
  limits: ['login_console'],
  setsCookie: true,
  readOnlyMode: 'served',
  summary: 'Exchange an API key for a cookie',
  description:
    'For browsers. The cookie works like the key on every endpoint for agents if no key is ' +
    'sent in a header. It expires when the key does. Requests that change something are ' +
    'accepted only from pages of this server.',
  body: z.object({ api_key: z.string().trim().min(1).max(200) }),
  success: { status: 201, body: ConsoleSessionView },
  errors: [unknownApiKey],
  isSecret: true,

  transaction: 'own',
  async handler({ body, shards, now, config, claim, warnings, once }) {
    const token = mintConsoleToken(body.api_key, claim)
    const end = new Date(now.getTime() + config.CONSOLE_SESSION_HOURS * 3_600_000)
    const keyHash = sha256(body.api_key)
    const agent = isWellFormedApiKey(body.api_key)
      ? await findKey(shards.of(shardOfApiKey(body.api_key)).reader, keyHash, now)
      : undefined
    const answer = await once(async (tx) => {
      if (agent === undefined) throw unknownApiKey()
      const tokenHash = sha256(token)
      await storeSession(tx, { tokenHash, keyHash, agentId: agent.id, now, expiresAt: end })
      return answerWith(201, { agent, expires_at: end.toISOString() }, warnings)
    })
    if (answer.status !== 201) return answer
    // The cookie is not part of the stored response, which is kept for a week. A retry recomputes it, for the
    // remaining lifetime of the session.
    const { expires_at } = JSON.parse(answer.body) as { expires_at: string }
    const seconds = Math.max(0, Math.floor((Date.parse(expires_at) - now.getTime()) / 1000))
    return { ...answer, headers: { 'set-cookie': setConsoleCookie(token, { seconds }) } }
  },
})

/**
 * Access tokens do not log in. Also matches a key's previous secret during its grace period. The union lets both
 * lookups use an index.
 */
async function findKey(db: Reader, keyHash: string, now: Date) {
  const { rows } = await sql<{ id: string; name: string; mode: Mode }>`
    select a.id, a.name, a.mode
      from (select agent_id, expires_at from api_keys where key_hash = ${keyHash} and token_expires_at is null
            union all
            select k.agent_id, least(k.expires_at, r.expires_at)
              from rotated_keys r join api_keys k on k.id = r.key_id where r.key_hash = ${keyHash}) key
      join agents a on a.id = key.agent_id
     where key.expires_at is null or key.expires_at > ${now}`.execute(db)
  return rows[0]
}
