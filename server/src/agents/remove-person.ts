/**
 * Remove a person from the agent, or take an invitation back. All sessions of the person end at once. Keys that the
 * person created stay: they belong to the agent.
 *
 *   called by   an owner in the console
 *   moves       a person: active or invited → left
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { type Tx, violates } from '../kit/db.ts'
import { endpoint, type PersonCaller } from '../kit/endpoint.ts'
import { lastOwner, personNotFound, personRequired } from './errors.ts'
import {
  callingPerson,
  endMembership,
  lockAsOwner,
  type Person,
  PersonId,
  PersonView,
  viewPerson,
} from './people.ts'

export const removePerson = endpoint({
  method: 'DELETE',
  path: '/console/people/:id',
  name: 'removePerson',
  auth: 'agent',
  scope: 'any',
  right: 'people',
  access: { object: 'own', person: 'required' },
  at: 'global',
  summary: 'Remove a person from your agent',
  description:
    'All sessions of the person end at once, in every process. API keys that the person created keep working.',
  params: z.object({ id: PersonId }),
  success: { status: 200, body: z.object({ person: PersonView }) },
  errors: [personRequired, personNotFound, lastOwner],

  async handler({ tx, agent, params, now, config }) {
    const person = await remove(tx, { caller: callingPerson(agent), id: params.id, now })
    return { person: viewPerson(person, { now, invitationDays: config.INVITATION_DAYS }) }
  },
})

async function remove(
  tx: Tx,
  { caller, id, now }: { caller: PersonCaller; id: string; now: Date },
): Promise<Person> {
  const people = await lockAsOwner(tx, caller)
  const person = people.find((one) => one.id === id && one.left_at === null)
  if (person === undefined) throw personNotFound()
  return endMembership(tx, { person, agentId: caller.agentId, now }).catch((error: unknown) => {
    throw violates(error, 'agent_people_last_owner') ? lastOwner() : error
  })
}
