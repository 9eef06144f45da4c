/**
 * Delete a key and its descendants: they stop working everywhere within seconds.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { keyNotFound, lastKey } from './errors.ts'
import { isLasting, KeyId, KeyView, lockOwnKeys, viewKey } from './keys.ts'

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/agents/keys/:id',
  name: 'deleteKey',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  access: { object: 'own' },
  summary: 'Delete an API key and all keys below it',
  params: z.object({ id: KeyId }),
  success: { status: 200, body: z.object({ key: KeyView }) },
  errors: [keyNotFound, lastKey],

  handler: ({ tx, agent, params, now }) => deleteAgentKey(tx, { agent, keyId: params.id, now }),
})

async function deleteAgentKey(
  tx: Tx,
  { agent, keyId, now }: { agent: AgentCaller; keyId: string; now: Date },
) {
  const { keys, reaches } = await lockOwnKeys(tx, agent, now)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined || !reaches(key)) throw keyNotFound()
  // Another key with full access must remain. A rotated key in its grace period and a limited key do not count.
  if (!key.is_limited && !keys.some((other) => other.id !== keyId && isLasting(other)))
    throw lastKey()

  await tx
    .updateTable('api_keys')
    .set({ expires_at: now })
    .where('agent_id', '=', agent.id)
    .where((where) =>
      where.or([where('id', '=', keyId), sql<boolean>`ancestors @> array[${keyId}]`]),
    )
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
  return { key: viewKey({ ...key, expires_at: now }, [], now) }
}
