/**
 * List what the people of the agent did, newest first. Everyone who is a member sees it.
 *
 *   called by   a person in the console, for the mode of the session
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { personRequired } from './errors.ts'
import { callingPerson } from './people.ts'

const ActionView = named(
  'PersonAction',
  z.object({
    id: z.string(),
    at: z.iso.datetime(),
    person: z
      .object({ id: z.string(), name: z.string().nullable() })
      .describe('The name is null if the person left long ago'),
    operation: z.string().describe('The name of the operation, such as `approveTask`'),
    object_id: z.string().nullable().describe('What it was done to, or what it created'),
    outcome: z
      .enum(['done', 'unknown'])
      .describe('`unknown`: we failed while we did it, so it may or may not have happened'),
  }),
)

export const listActions = endpoint({
  method: 'GET',
  path: '/console/actions',
  name: 'listPersonActions',
  auth: 'agent',
  scope: 'any',
  access: { person: 'required' },
  summary: 'List what the people of your agent did',
  description: 'Calls that changed nothing, such as refused ones, are not listed.',
  query: z.object({
    before: idOf('act', 'an action').optional().describe('Those older than this one'),
    limit: z.coerce.number({ error: 'must be a number' }).int().min(1).max(100).default(50),
  }),
  success: {
    status: 200,
    body: z.object({
      actions: z.array(ActionView),
      next_before: z.string().nullable().describe('null: there are no older ones'),
    }),
  },
  errors: [personRequired],

  async handler({ db, agent, query: { before, limit }, shards }) {
    const rows = await db
      .selectFrom('agent_actions')
      .select(['id', 'at', 'person_id', 'operation', 'object_id', 'is_done'])
      .where('agent_id', '=', agent.id)
      .$if(before !== undefined, (actions) => actions.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    const shown = rows.slice(0, limit)
    const people = await shards.global.reader
      .selectFrom('agent_people')
      .select(['id', 'name'])
      .where('agent_id', '=', callingPerson(agent).agentId)
      .execute()
    const names = new Map(people.map(({ id, name }) => [id, name]))
    return {
      actions: shown.map(({ id, at, person_id, operation, object_id, is_done }) => ({
        id,
        at: at.toISOString(),
        person: { id: person_id, name: names.get(person_id) ?? null },
        operation,
        object_id,
        outcome: is_done ? ('done' as const) : ('unknown' as const),
      })),
      next_before: rows.length > limit ? shown.at(-1)!.id : null,
    }
  },
})
