/**
 * Take an app's access away: its tokens stop working everywhere within seconds.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { lockOwnKeys } from '../agents/keys.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { connectionNotFound } from './errors.ts'
import { endGrant } from './grants.ts'

export const endConnection = endpoint({
  method: 'DELETE',
  path: '/agents/connections/:id',
  name: 'endConnection',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  access: { object: 'own' },
  summary: 'Take an app’s access away',
  description: 'Ends its key and its tokens. Tasks that it has posted continue.',
  params: z.object({ id: idOf('grant', 'a connection') }),
  success: { status: 200, body: z.object({ id: z.string() }) },
  errors: [connectionNotFound],

  async handler({ tx, agent, params, now }) {
    const { keys, reaches } = await lockOwnKeys(tx, agent, now)
    const grant = await tx
      .selectFrom('oauth_grants')
      .select(['id', 'agent_id', 'key_id'])
      .where('id', '=', params.id)
      .where('agent_id', '=', agent.id)
      .where('ends_at', '>', now)
      .executeTakeFirst()
    const key = keys.find(({ id }) => id === grant?.key_id)
    if (grant === undefined || key === undefined || !reaches(key)) throw connectionNotFound()
    await endGrant(tx, grant, now)
    return { id: grant.id }
  },
})
