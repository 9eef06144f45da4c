/**
 * Make another key for the agent, in the mode of the key that asks.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { invalidApiKey, tooManyKeys } from './errors.ts'
import { issueKey, KeyView, lockKeys, viewKey } from './keys.ts'

export const createKey = endpoint({
  method: 'POST',
  path: '/agents/keys',
  auth: 'agent',
  summary: 'Make another API key',
  description: 'The key is shown this once. It works in the mode of the key that made it.',
  body: z.object({ name: z.string().trim().min(1).max(100) }),
  success: { status: 201, body: z.object({ key: KeyView.extend({ api_key: z.string() }) }) },
  errors: [tooManyKeys],
  isSecret: true,

  handler: ({ tx, agent, body, now, config }) =>
    createAgentKey(tx, { agent, name: body.name, keysMax: config.KEYS_MAX, now }),
})

async function createAgentKey(
  tx: Tx,
  { agent, name, keysMax, now }: { agent: AgentCaller; name: string; keysMax: number; now: Date },
) {
  const keys = await lockKeys(tx, agent.id, now)
  // The door may still know a key for seconds after it was deleted; in that time it must not make its successor.
  if (!keys.some(({ id }) => id === agent.keyId)) throw invalidApiKey()
  if (keys.length >= keysMax) throw tooManyKeys()

  const { key, row } = await issueKey(tx, { agentId: agent.id, mode: agent.mode, name, now })
  return { key: { ...viewKey(row), api_key: key } }
}
