/**
 * List the apps that have access. A limited key sees only those below it.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { reachOf, validKeys } from '../agents/keys.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'

const ConnectionView = named(
  'Connection',
  z.object({
    id: z.string(),
    app_name: z.string().describe('What the app calls itself; not verified'),
    redirect_host: z.string().describe('The host that got the access'),
    key_id: z.string().describe('The key with its scopes, caps and spending'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  }),
)

export const listConnections = endpoint({
  method: 'GET',
  path: '/agents/connections',
  name: 'listConnections',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  summary: 'List the apps that have access',
  description:
    'Apps that a person connected with OAuth. Each has a limited key, which `GET /agents/keys` ' +
    'lists with its caps. A limited key sees only the apps below it.',
  success: { status: 200, body: z.object({ connections: z.array(ConnectionView) }) },
  errors: [],

  async handler({ db, agent, now }) {
    const keys = await validKeys(db, agent.id, now).execute()
    const { reaches } = reachOf(agent, keys)
    const grants = await db
      .selectFrom('oauth_grants')
      .select(['id', 'client_name', 'redirect_uri', 'key_id', 'created_at', 'ends_at'])
      .where('agent_id', '=', agent.id)
      .where('ends_at', '>', now)
      .where('code_used_at', 'is not', null)
      .orderBy('id', 'desc')
      .execute()
    const connections = grants.filter(({ key_id }) =>
      keys.some((key) => key.id === key_id && reaches(key)),
    )
    return {
      connections: connections.map(({ redirect_uri, ends_at, created_at, ...grant }) => ({
        id: grant.id,
        app_name: grant.client_name,
        redirect_host: new URL(redirect_uri).host,
        key_id: grant.key_id,
        created_at: created_at.toISOString(),
        expires_at: ends_at.toISOString(),
      })),
    }
  },
})
