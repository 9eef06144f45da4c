/**
 * Change the role or the name of a person. A new role applies to the next request of the person.
 *
 *   called by   an owner in the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { type Tx, violates } from '../kit/db.ts'
import { endpoint, type PersonCaller } from '../kit/endpoint.ts'
import { lastOwner, personNotFound, personRequired } from './errors.ts'
import {
  callingPerson,
  lockAsOwner,
  type Person,
  PersonId,
  PersonName,
  PersonView,
  Role,
  viewPerson,
} from './people.ts'

const Changes = z.object({ name: PersonName.optional(), role: Role.optional() })

export const updatePerson = endpoint({
  method: 'PATCH',
  path: '/console/people/:id',
  name: 'updatePerson',
  auth: 'agent',
  scope: 'any',
  right: 'people',
  access: { object: 'own', person: 'required' },
  at: 'global',
  summary: 'Change the role or the name of a person',
  params: z.object({ id: PersonId }),
  body: Changes,
  success: { status: 200, body: z.object({ person: PersonView }) },
  errors: [personRequired, personNotFound, lastOwner],

  async handler({ tx, agent, params, body, now, config }) {
    const person = await change(tx, { caller: callingPerson(agent), id: params.id, ...body })
    return { person: viewPerson(person, { now, invitationDays: config.INVITATION_DAYS }) }
  },
})

async function change(
  tx: Tx,
  { caller, id, name, role }: z.output<typeof Changes> & { caller: PersonCaller; id: string },
): Promise<Person> {
  const people = await lockAsOwner(tx, caller)
  const person = people.find((one) => one.id === id && one.left_at === null)
  if (person === undefined) throw personNotFound()
  const changed = { name: name ?? person.name, role: role ?? person.role }
  await tx
    .updateTable('agent_people')
    .set(changed)
    .where('id', '=', id)
    .where('agent_id', '=', caller.agentId)
    .execute()
    .catch((error: unknown) => {
      throw violates(error, 'agent_people_last_owner') ? lastOwner() : error
    })
  return { ...person, ...changed }
}
