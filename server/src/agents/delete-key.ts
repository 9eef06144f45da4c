/**
 * Delete a key: it stops working within seconds, everywhere.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { invalidApiKey, keyNotFound, lastKey } from './errors.ts'
import { KeyId, KeyView, lockKeys, viewKey } from './keys.ts'

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/agents/keys/:id',
  auth: 'agent',
  summary: 'Delete an API key',
  params: z.object({ id: KeyId }),
  success: { status: 200, body: z.object({ key: KeyView }) },
  errors: [keyNotFound, lastKey],

  handler: ({ tx, agent, params, now }) => deleteAgentKey(tx, { agent, keyId: params.id, now }),
})

async function deleteAgentKey(
  tx: Tx,
  { agent, keyId, now }: { agent: AgentCaller; keyId: string; now: Date },
) {
  const keys = await lockKeys(tx, agent.id, now)
  // The door may still know a key for seconds after it was deleted; in that time it must not take others with it.
  if (!keys.some(({ id }) => id === agent.keyId)) throw invalidApiKey()
  if (!keys.some(({ id }) => id === keyId)) throw keyNotFound()
  // A rotated key on its last day does not count: after it, nobody could sign in any more.
  if (!keys.some(({ id, expires_at }) => id !== keyId && expires_at === null)) throw lastKey()

  const key = await tx
    .updateTable('api_keys')
    .set({ expires_at: now })
    .where('id', '=', keyId)
    .returning(['id', 'name', 'mode', 'prefix', 'created_at', 'last_used_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { key: viewKey(key) }
}
