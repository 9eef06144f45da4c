/**
 * The links in mails to agents. The token exists only in the mail; the database stores its hash. It is in the URL
 * fragment, which browsers never send, so it appears in no log and no Referer, and a link scanner that opens the URL
 * learns and changes nothing.
 */
import { z } from 'zod'
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { publicUrl } from '../kit/public-url.ts'
import { mintLinkToken, sha256 } from '../kit/secrets.ts'

export type Purpose = 'verify' | 'recover'

/** The pages of the console that links open; `enter` logs a person in. */
type LinkPage = Purpose | 'enter'

export const LinkToken = z
  .string()
  .min(1)
  .max(200)
  .describe('The part of the emailed link after #token=')

export function linkTo(
  config: Parameters<typeof publicUrl>[0],
  page: LinkPage,
  token?: string,
): string {
  return `${publicUrl(config)}/console/${page}${token === undefined ? '' : `#token=${token}`}`
}

/** Locks the agent, so that two concurrent mails don't leave two valid recovery links. */
export async function mintLink(
  tx: Tx,
  {
    agentId,
    email,
    purpose,
    livesMs,
    now,
  }: { agentId: string; email: string; purpose: Purpose; livesMs: number; now: Date },
): Promise<string> {
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  // Verification links all stay valid: they do no harm, and people open whichever mail they see first.
  if (purpose === 'recover') await endLinks(tx, { agentId, purpose, now })
  const token = mintLinkToken(shardOf(agentId))
  await tx
    .insertInto('agent_tokens')
    .values({
      token_hash: sha256(token),
      agent_id: agentId,
      purpose,
      email: email.toLowerCase(),
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
    })
    .execute()
  return token
}

/** A link is valid only while its agent still has the email address that it was sent to. */
export const findLink = (db: Reader, { token, purpose }: { token: string; purpose: Purpose }) =>
  db
    .selectFrom('agent_tokens as link')
    .innerJoin('agents as agent', 'agent.id', 'link.agent_id')
    .select(['link.token_hash', 'link.agent_id', 'link.expires_at', 'link.used_at'])
    .select(['agent.twin_id', 'agent.name'])
    .where('link.token_hash', '=', sha256(token))
    .where('link.purpose', '=', purpose)
    .where('agent.status', '<>', 'closed')
    .whereRef('link.email', '=', sql`lower(agent.email)`)
    .executeTakeFirst()

export async function endLinks(
  tx: Tx,
  { agentId, purpose, now }: { agentId: string; purpose: Purpose; now: Date },
): Promise<void> {
  await tx
    .updateTable('agent_tokens')
    .set({ used_at: now })
    .where('agent_id', '=', agentId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}
