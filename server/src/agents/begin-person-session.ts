/**
 * Log a person in to the console with the token of an emailed link: a requested link, or an invitation, which is then
 * accepted. The first person who logs in with the agent's own confirmed email becomes its owner.
 *
 *   called by   the console page that the link opens
 *   moves       a person: invited → active; for a first owner: none → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Shards, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { idOf, mintId, shardOf } from '../kit/ids.ts'
import type { PersonRole } from '../kit/person-roles.ts'
import { sha256 } from '../kit/secrets.ts'
import { ConsoleSessionView } from './begin-console-session.ts'
import { setConsoleCookie } from './console-cookie.ts'
import { mintConsoleToken, storeSession } from './console-sessions.ts'
import { chooseAgent } from './errors.ts'
import { LinkToken } from './mail-links.ts'
import { viewSelf } from './people.ts'
import { findPersonLink, type Membership, membershipsOf, usePersonLink } from './person-links.ts'

export const beginPersonSession = endpoint({
  method: 'POST',
  path: '/console/people/session',
  name: 'createPersonSession',
  auth: 'none',
  access: { by: 'mailed link once' },
  limits: ['login_console'],
  at: 'global',
  setsCookie: true,
  readOnlyMode: 'served',
  summary: 'Exchange an emailed link for a cookie',
  description:
    'For browsers. The cookie works on the endpoints for agents that the role of the person ' +
    'allows. If the email belongs to people of several agents, name one with `agent_id`.',
  body: z.object({
    token: LinkToken,
    agent_id: idOf('agent', 'an agent').optional(),
  }),
  success: { status: 201, body: ConsoleSessionView },
  errors: [invalidMailLink, chooseAgent],
  isSecret: true,

  transaction: 'own',
  async handler({ body, shards, now, config, claim, warnings, once }) {
    const token = mintConsoleToken(body.token, claim)
    const end = new Date(now.getTime() + config.CONSOLE_SESSION_HOURS * 3_600_000)
    const memberships = await readMemberships(shards, { token: body.token, now })
    const answer = await once(async (tx) => {
      const person = await logIn(tx, { ...body, memberships, now })
      const agentId = person.agentId
      const tokenHash = sha256(token)
      await storeSession(tx, { tokenHash, personId: person.id, agentId, now, expiresAt: end })
      const agent = { id: agentId, name: person.agentName, mode: 'live' as const }
      const shown = { agent, person: viewSelf(person, 'live'), expires_at: end.toISOString() }
      return answerWith(201, shown, warnings)
    })
    if (answer.status !== 201) return answer
    // As for a key, the cookie is not part of the stored response.
    const { expires_at } = JSON.parse(answer.body) as { expires_at: string }
    const seconds = Math.max(0, Math.floor((Date.parse(expires_at) - now.getTime()) / 1000))
    return { ...answer, headers: { 'set-cookie': setConsoleCookie(token, { seconds }) } }
  },
})

/** Read before the transaction, because the names of agents are in other schemas. Whoever left meanwhile is refused. */
async function readMemberships(
  shards: Shards,
  { token, now }: { token: string; now: Date },
): Promise<Membership[]> {
  const link = await findPersonLink(shards.global.reader, { token, now })
  if (link === undefined) return []
  if (link.person_id === null) return membershipsOf(shards, { email: link.email })
  const invited = await shards.global.reader
    .selectFrom('agent_people')
    .select(['id', 'agent_id', 'role'])
    .where('id', '=', link.person_id)
    .executeTakeFirstOrThrow()
  const { name } = await shards
    .at(invited.agent_id)
    .reader.selectFrom('agents')
    .select('name')
    .where('id', '=', invited.agent_id)
    .executeTakeFirstOrThrow()
  const role = invited.role as PersonRole
  return [{ agentId: invited.agent_id, agentName: name, personId: invited.id, role }]
}

async function logIn(
  tx: Tx,
  {
    token,
    agent_id,
    memberships,
    now,
  }: { token: string; agent_id?: string | undefined; memberships: Membership[]; now: Date },
) {
  const named = memberships.filter(({ agentId }) => agent_id === undefined || agentId === agent_id)
  const [chosen, ...others] = named
  if (chosen === undefined) throw invalidMailLink()
  if (others.length > 0)
    throw chooseAgent({
      agents: named.map(({ agentId, agentName, role }) => ({
        id: agentId,
        name: agentName,
        role,
      })),
    })
  const link = await usePersonLink(tx, { token, now })
  if (link === undefined) throw invalidMailLink()
  const { agentId, agentName, personId } = chosen
  if (personId === undefined) await addFirstOwner(tx, { agentId, email: link.email, now })
  else if (link.person_id !== null) await accept(tx, { personId, agentId, now })
  const person = await tx
    .selectFrom('agent_people')
    .select(['id', 'name', 'email', 'role'])
    .where('agent_id', '=', agentId)
    .where('email', '=', link.email)
    .where('accepted_at', 'is not', null)
    .where('left_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (person === undefined) throw invalidMailLink()
  return { ...person, role: person.role as PersonRole, agentId, agentName }
}

/** Two links of the same email may be used at once; the second one finds the owner that the first one created. */
async function addFirstOwner(
  tx: Tx,
  { agentId, email, now }: { agentId: string; email: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('agent_people')
    .values({
      id: mintId('person', now, shardOf(agentId)),
      agent_id: agentId,
      email,
      name: email.split('@')[0]!.slice(0, 100),
      role: 'owner',
      invited_at: now,
      accepted_at: now,
    })
    .onConflict((conflict) => conflict.columns(['agent_id', 'email']).doNothing())
    .execute()
}

async function accept(
  tx: Tx,
  { personId, agentId, now }: { personId: string; agentId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('agent_people')
    .set({ accepted_at: now })
    .where('id', '=', personId)
    .where('agent_id', '=', agentId)
    .where('accepted_at', 'is', null)
    .where('left_at', 'is', null)
    .execute()
}
