/**
 * Leave the agent. All sessions of the person who calls end at once, this one too.
 *
 *   called by   a person in the console
 *   moves       a person: active → left
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { violates } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { lastOwner, personNotFound, personRequired } from './errors.ts'
import { callingPerson, endMembership, lockPeople, PersonView, viewPerson } from './people.ts'

export const leave = endpoint({
  method: 'DELETE',
  path: '/console/people/me',
  name: 'leaveAgent',
  auth: 'agent',
  scope: 'any',
  access: { person: 'required' },
  at: 'global',
  summary: 'Leave the agent',
  description: 'All your sessions of this agent end at once, in every process.',
  success: { status: 200, body: z.object({ person: PersonView }) },
  errors: [personRequired, personNotFound, lastOwner],

  async handler({ tx, agent, now, config }) {
    const caller = callingPerson(agent)
    const people = await lockPeople(tx, caller)
    const self = people.find(({ id }) => id === caller.id)!
    const left = await endMembership(tx, { person: self, agentId: caller.agentId, now }).catch(
      (error: unknown) => {
        throw violates(error, 'agent_people_last_owner') ? lastOwner() : error
      },
    )
    return { person: viewPerson(left, { now, invitationDays: config.INVITATION_DAYS }) }
  },
})
