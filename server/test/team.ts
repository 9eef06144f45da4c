/** People of an agent, logged in to its console. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { CONSOLE_COOKIE } from '../src/agents/console-cookie.ts'
import { storeSession } from '../src/agents/console-sessions.ts'
import { mintId, shardOf } from '../src/kit/ids.ts'
import type { PersonRole } from '../src/kit/person-roles.ts'
import { mintLinkToken, sha256 } from '../src/kit/secrets.ts'
import type { Marketplace } from './harness.ts'
import { newEmail, openBrowser } from './people.ts'

const HOUR = 3_600_000

/** A member with a session in a browser, in the database as an accepted invitation would leave it. */
export async function member(
  market: Marketplace,
  agent: { id: string },
  role: PersonRole,
  { email = newEmail(), name = `A ${role}` } = {},
) {
  const now = market.now()
  const id = mintId('person', now, shardOf(agent.id))
  await market.server.db.shards.global.transaction((tx) =>
    tx
      .insertInto('agent_people')
      .values({
        id,
        agent_id: agent.id,
        email,
        name,
        role,
        invited_at: now,
        accepted_at: now,
      })
      .execute(),
  )
  const browser = openBrowser(market)
  browser.jar.cookie = await sessionOf(market, { id, agentId: agent.id })
  return { id, email, name, role, ...browser }
}

/** The cookie of another session of a person, `agentId` chooses the mode. */
export async function sessionOf(
  market: Marketplace,
  { id, agentId }: { id: string; agentId: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = market.now()
  const expiresAt = new Date(now.getTime() + HOUR)
  await market.server.db.shards.global.transaction((tx) =>
    storeSession(tx, { tokenHash: sha256(token), personId: id, agentId, now, expiresAt }),
  )
  return `${CONSOLE_COOKIE}=${token}`
}

/** Confirms the agent's email, as its mailed link does. */
export const confirmEmail = (market: Marketplace, agent: { id: string }) =>
  market.asOwner('update agents set email_verified_at = $2 where id = $1', [agent.id, market.now()])

/** Requests a link to log in, and returns the token of the mail. */
export async function mailedToken(market: Marketplace, email: string): Promise<string> {
  const { status } = await market.call('POST', '/console/people/log-in-links', { body: { email } })
  assert.equal(status, 202)
  await market.work()
  return tokenIn(await market.inbox.mailTo(email.toLowerCase()))
}

/** A link to log in as an email, as the mail would carry it. */
export async function logInLink(
  market: Marketplace,
  { email, livesMs }: { email: string; livesMs: number },
): Promise<string> {
  const token = mintLinkToken(0)
  const now = market.now()
  await market.asOwner(
    `insert into agent_person_links (id, token_hash, email, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
    [mintId('plk', now, 0), sha256(token), email, now, new Date(now.getTime() + livesMs)],
  )
  return token
}

export function tokenIn({ links }: { links: URL[] }): string {
  const link = links.find(({ pathname }) => pathname === '/console/enter')
  assert(link, 'the mail has a link that logs in')
  return new URLSearchParams(link.hash.slice(1)).get('token')!
}

/** A browser on the page that the link opens. */
export async function enter(market: Marketplace, body: { token: string; agent_id?: string }) {
  const browser = openBrowser(market)
  const reply = await browser.post('/console/people/session', body)
  return { ...browser, reply }
}
