/**
 * The links that people log in with: requested for an email, or an invitation. The row is written with the request, for
 * unknown emails too; the job that sends the mail creates the token, so that it exists only in the mail.
 */
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import type { PersonRole } from '../kit/person-roles.ts'
import { sha256 } from '../kit/secrets.ts'
import { requestWork } from '../webhooks/record-event.ts'

/** Links are in the global schema, whose id has no shard. */
const NO_SHARD = 0

/** Requests a link to log in, or with a person, an invitation. */
export async function requestPersonLink(
  tx: Tx,
  {
    email,
    personId = null,
    livesMs,
    now,
  }: { email: string; personId?: string | null; livesMs: number; now: Date },
): Promise<void> {
  const id = mintId('plk', now, NO_SHARD)
  await tx
    .insertInto('agent_person_links')
    .values({
      id,
      email: email.toLowerCase(),
      person_id: personId,
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
    })
    .execute()
  await requestWork(tx, [{ type: 'person.link_requested', id }], { now })
}

/** A link that still works. */
export const findPersonLink = (db: Reader, { token, now }: { token: string; now: Date }) =>
  db
    .selectFrom('agent_person_links')
    .select(['id', 'email', 'person_id'])
    .where('token_hash', '=', sha256(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Uses a link up, and every other one to log in with the same email. Of two requests at once, one gets it. */
export async function usePersonLink(
  tx: Tx,
  { token, now }: { token: string; now: Date },
): Promise<{ email: string; person_id: string | null } | undefined> {
  const link = await tx
    .updateTable('agent_person_links')
    .set({ used_at: now })
    .where('token_hash', '=', sha256(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'email', 'person_id'])
    .executeTakeFirst()
  if (link?.person_id === null)
    await tx
      .updateTable('agent_person_links')
      .set({ used_at: now })
      .where('email', '=', link.email)
      .where('person_id', 'is', null)
      .where('used_at', 'is', null)
      .execute()
  return link
}

/** An agent that an email can log in to. Without `personId`, its first owner would be created. */
export interface Membership {
  agentId: string
  agentName: string
  personId: string | undefined
  role: PersonRole
}

/**
 * The agents whose people include the email, and the agent that was registered with it, if that email is verified and
 * the agent has no people yet.
 */
export async function membershipsOf(
  { global, at }: Shards,
  { email }: { email: string },
): Promise<Membership[]> {
  const people = await global.reader
    .selectFrom('agent_people')
    .select(['id', 'agent_id', 'role'])
    .where('email', '=', email)
    .where('accepted_at', 'is not', null)
    .where('left_at', 'is', null)
    .orderBy('agent_id')
    .execute()
  const own = await global.reader
    .selectFrom('agent_emails as own')
    .select('own.agent_id')
    .where('own.email', '=', email)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('agent_people as person')
            .select('person.id')
            .whereRef('person.agent_id', '=', 'own.agent_id'),
        ),
      ),
    )
    .executeTakeFirst()
  const found: Membership[] = []
  for (const { id, agent_id, role } of people) {
    const { name } = await agentAt(at(agent_id).reader, agent_id)
    found.push({
      agentId: agent_id,
      agentName: name,
      personId: id,
      role: role as PersonRole,
    })
  }
  if (own !== undefined) {
    const { name, email_verified_at } = await agentAt(at(own.agent_id).reader, own.agent_id)
    if (email_verified_at !== null)
      found.push({
        agentId: own.agent_id,
        agentName: name,
        personId: undefined,
        role: 'owner',
      })
  }
  return found
}

const agentAt = (db: Reader, agentId: string) =>
  db
    .selectFrom('agents')
    .select(['name', 'email_verified_at'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
