/**
 * Invite a person to the agent's console, by an emailed link. Repeating it sends another link and ends earlier ones.
 *
 *   called by   an owner in the console
 *   moves       a person: none, invited or left → invited
 *   money       none
 *   event       person.link_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint, type PersonCaller } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { personExists, personNotFound, personRequired, tooManyPeople } from './errors.ts'
import { Email } from './fields.ts'
import {
  callingPerson,
  endInvitations,
  lockAsOwner,
  type Person,
  PersonName,
  PersonView,
  Role,
  viewPerson,
} from './people.ts'
import { requestPersonLink } from './person-links.ts'

const PEOPLE_MAX = 100
const DAY_MS = 86_400_000

const Invitation = z.object({ name: PersonName, email: Email, role: Role })

export const invitePerson = endpoint({
  method: 'POST',
  path: '/console/people',
  name: 'invitePerson',
  auth: 'agent',
  scope: 'any',
  right: 'people',
  access: { person: 'required' },
  at: 'global',
  summary: 'Invite a person to the console of your agent',
  body: Invitation,
  success: { status: 201, body: z.object({ person: PersonView }) },
  errors: [personRequired, personNotFound, personExists, tooManyPeople],

  async handler({ tx, agent, body, now, config }) {
    const person = await invite(tx, { caller: callingPerson(agent), ...body, now, config })
    return { person: viewPerson(person, { now, invitationDays: config.INVITATION_DAYS }) }
  },
})

async function invite(
  tx: Tx,
  {
    caller,
    name,
    role,
    now,
    config,
    ...sent
  }: z.output<typeof Invitation> & {
    caller: PersonCaller
    now: Date
    config: Pick<Config, 'INVITATION_DAYS'>
  },
): Promise<Person> {
  const email = sent.email.toLowerCase()
  const { agentId } = caller
  const people = await lockAsOwner(tx, caller)
  const known = people.find((person) => person.email === email)
  if (known && known.accepted_at !== null && known.left_at === null) throw personExists()
  const members = people.filter(({ id, left_at }) => left_at === null && id !== known?.id)
  if (members.length >= PEOPLE_MAX) throw tooManyPeople({ limit: PEOPLE_MAX })

  const person = {
    id: known?.id ?? mintId('person', now, shardOf(agentId)),
    email,
    name,
    role,
    invited_by: caller.id,
    invited_at: now,
    accepted_at: null,
    left_at: null,
  }
  await tx
    .insertInto('agent_people')
    .values({ ...person, agent_id: agentId })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'email']).doUpdateSet({
        name,
        role,
        invited_by: caller.id,
        invited_at: now,
        accepted_at: null,
        left_at: null,
      }),
    )
    .execute()
  await endInvitations(tx, { personId: person.id, now })
  const livesMs = config.INVITATION_DAYS * DAY_MS
  await requestPersonLink(tx, { email, personId: person.id, livesMs, now })
  return person
}
