/**
 * List the agent's keys that work.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { KeyView, validKeys, viewKey } from './keys.ts'

export const listKeys = endpoint({
  method: 'GET',
  path: '/agents/keys',
  auth: 'agent',
  summary: 'List your API keys',
  success: { status: 200, body: z.object({ keys: z.array(KeyView) }) },
  errors: [],

  async handler({ db, agent, now }) {
    const keys = await validKeys(db, agent.id, now).execute()
    return { keys: keys.map(viewKey) }
  },
})
