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
import { invalidApiKey } from './errors.ts'
import { KeyView, reaches, validKeys, viewKey } from './keys.ts'

export const listKeys = endpoint({
  method: 'GET',
  path: '/agents/keys',
  name: 'listKeys',
  auth: 'agent',
  scope: 'read',
  summary: 'List your API keys',
  description:
    'Shows what each key may do and has spent. A limited key sees only itself and the keys below it.',
  success: { status: 200, body: z.object({ keys: z.array(KeyView) }) },
  errors: [],

  async handler({ db, agent, now }) {
    const keys = await validKeys(db, agent.id, now).execute()
    const own = keys.find(({ id }) => id === agent.keyId)
    if (own === undefined) throw invalidApiKey()
    const shown = keys.filter((key) => reaches(own, key))
    return { keys: shown.map((key) => viewKey(key, keys, now)) }
  },
})
