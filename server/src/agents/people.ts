/** The people of an agent: who they are, what they may do, and the end of their sessions. */
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import type { AgentCaller, PersonCaller } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { PERSON_RIGHTS, PERSON_ROLES, personRights, type PersonRole } from '../kit/person-roles.ts'
import { personNotFound, roleNotAllowed } from './errors.ts'

const DAY_MS = 86_400_000

export const PersonId = idOf('person', 'a person')
export const PersonName = z.string().trim().min(1).max(100)
export const Role = z.enum(PERSON_ROLES)

export const PersonView = named(
  'Person',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    status: z
      .enum(['active', 'invited', 'invitation_expired', 'left'])
      .describe('Of those who left, only the response to their removal tells'),
    invited_by: z.string().nullable().describe('The id of a person; null for the first owner'),
    invited_at: z.iso.datetime(),
    accepted_at: z.iso.datetime().nullable(),
  }),
)

/** The person who is logged in, as the session shows it. */
export const PersonOfSession = named(
  'PersonOfSession',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    rights: z.array(z.enum(PERSON_RIGHTS)).describe('What the role allows in this mode'),
  }),
)

export const viewSelf = (
  { id, name, email, role }: PersonCaller,
  mode: AgentCaller['mode'],
): z.output<typeof PersonOfSession> => ({
  id,
  name,
  email,
  role,
  rights: [...personRights(role, mode)],
})

const COLUMNS = [
  'id',
  'name',
  'email',
  'role',
  'invited_by',
  'invited_at',
  'accepted_at',
  'left_at',
] as const

export type Person = Awaited<ReturnType<typeof lockPeople>>[number]

export function viewPerson(
  person: Person,
  { now, invitationDays }: { now: Date; invitationDays: number },
): z.output<typeof PersonView> {
  const { accepted_at, left_at, invited_at } = person
  const isOpen = invited_at.getTime() + invitationDays * DAY_MS > now.getTime()
  const invited = isOpen ? ('invited' as const) : ('invitation_expired' as const)
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role as PersonRole,
    status: left_at ? 'left' : accepted_at ? 'active' : invited,
    invited_by: person.invited_by,
    invited_at: invited_at.toISOString(),
    accepted_at: accepted_at?.toISOString() ?? null,
  }
}

/** Those who have not left, with the invited ones. */
export const peopleOf = (db: Reader, agentId: string) =>
  db
    .selectFrom('agent_people')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .where('left_at', 'is', null)
    .orderBy('id')

/**
 * Locks all people of an agent, so that changes of them happen one after the other, and reads those who left as well.
 * The calling person is checked again: it may have been removed while this call waited.
 */
export async function lockPeople(tx: Tx, { id, agentId }: PersonCaller) {
  const people = await tx
    .selectFrom('agent_people')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const self = people.find((person) => person.id === id)
  if (self === undefined || self.left_at !== null) throw personNotFound()
  return people
}

/** Like `lockPeople`, for what only owners may do. */
export async function lockAsOwner(tx: Tx, caller: PersonCaller): Promise<Person[]> {
  const people = await lockPeople(tx, caller)
  const role = people.find(({ id }) => id === caller.id)!.role as PersonRole
  if (role !== 'owner') throw roleNotAllowed({ role, required_right: 'people' })
  return people
}

/** The person of a call that no key can make. */
export function callingPerson({ person }: AgentCaller): PersonCaller {
  if (person === undefined) throw new Error('the endpoint must declare that it requires a person')
  return person
}

/**
 * Ends the person's membership with all sessions and links, in one transaction: the next request of any of the sessions
 * is refused, in every process. Throws if no owner would remain.
 */
export async function endMembership(
  tx: Tx,
  { person, agentId, now }: { person: Person; agentId: string; now: Date },
): Promise<Person> {
  await tx
    .updateTable('agent_people')
    .set({ left_at: now })
    .where('id', '=', person.id)
    .where('agent_id', '=', agentId)
    .execute()
  await tx.deleteFrom('console_sessions').where('person_id', '=', person.id).execute()
  await endInvitations(tx, { personId: person.id, now })
  return { ...person, left_at: now }
}

export async function endInvitations(
  tx: Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('agent_person_links')
    .set({ used_at: now })
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
}
