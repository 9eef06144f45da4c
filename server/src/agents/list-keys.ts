/**
 * List the agent's valid keys. A limited key sees only itself and its descendants.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { KeyView, reachOf, validKeys, viewKey } from './keys.ts'

export const listKeys = endpoint({
  method: 'GET',
  path: '/agents/keys',
  name: 'listKeys',
  auth: 'agent',
  scope: 'read',
  right: 'integration',
  summary: 'List your API keys',
  description:
    'Shows what each key may do and has spent. A limited key sees only itself and the keys below it.',
  success: { status: 200, body: z.object({ keys: z.array(KeyView) }) },
  errors: [],

  async handler({ db, agent, now }) {
    const keys = await validKeys(db, agent.id, now).execute()
    const { reaches } = reachOf(agent, keys)
    const shown = keys.filter(reaches)
    return { keys: shown.map((key) => viewKey(key, keys, now)) }
  },
})
