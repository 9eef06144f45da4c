/**
 * List the people of the agent, and those who are invited. Everyone who is a member sees them.
 *
 *   called by   a person in the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { personRequired } from './errors.ts'
import { callingPerson, peopleOf, PersonView, viewPerson } from './people.ts'

export const listPeople = endpoint({
  method: 'GET',
  path: '/console/people',
  name: 'listPeople',
  auth: 'agent',
  scope: 'any',
  access: { person: 'required' },
  at: 'global',
  summary: 'List the people of your agent',
  success: { status: 200, body: z.object({ people: z.array(PersonView) }) },
  errors: [personRequired],

  async handler({ db, agent, now, config }) {
    const people = await peopleOf(db, callingPerson(agent).agentId).execute()
    const view = { now, invitationDays: config.INVITATION_DAYS }
    return { people: people.map((person) => viewPerson(person, view)) }
  },
})
