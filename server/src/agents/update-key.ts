/**
 * Change a key's name or caps. Omitted fields stay unchanged.
 *
 *   called by   the agent; caps only with an ancestor key or an unlimited key
 *   moves       an unlimited key that gets a cap → limited, permanently
 *   money       none; what was spent stays spent
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { changedCaps } from './create-key.ts'
import { keyNotFound, lastKey, ownCaps } from './errors.ts'
import {
  CapChanges,
  capsOf,
  hasCap,
  isLasting,
  type Key,
  KeyId,
  KeyName,
  KeyView,
  limitKey,
  lockKeys,
  lockOwnKeys,
  NO_LIMITS,
  viewKey,
} from './keys.ts'

const Changes = CapChanges.extend({ name: KeyName.optional() })
type Changes = z.output<typeof Changes>

export const updateKey = endpoint({
  method: 'PATCH',
  path: '/agents/keys/:id',
  name: 'updateKey',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  access: { object: 'own' },
  summary: 'Change the name or the caps of an API key',
  description:
    'A cap applies from the next task on; null removes it. Scopes and types can’t be changed: ' +
    'create another key instead. A key without limits that gets a cap stays limited, so at ' +
    'least one key without limits must remain.',
  params: z.object({ id: KeyId }),
  body: Changes,
  success: { status: 200, body: z.object({ key: KeyView }) },
  errors: [keyNotFound, ownCaps, lastKey],

  handler: ({ tx, agent, params, body, now }) =>
    updateAgentKey(tx, { agent, keyId: params.id, changes: body, now }),
})

async function updateAgentKey(
  tx: Tx,
  {
    agent,
    keyId,
    changes: { name, ...wish },
    now,
  }: { agent: AgentCaller; keyId: string; changes: Changes; now: Date },
) {
  const { keys, own, reaches } = await lockOwnKeys(tx, agent, now)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined || !reaches(key)) throw keyNotFound()

  if (name !== undefined)
    await tx
      .updateTable('api_keys')
      .set({ name })
      .where('id', '=', keyId)
      .where('agent_id', '=', agent.id)
      .execute()
  if (Object.keys(wish).length > 0) {
    if (own?.is_limited && own.id === keyId) throw ownCaps()
    await changeCaps(tx, { key, keys, wish, agentId: agent.id, now })
  }

  const after = await lockKeys(tx, agent.id, now)
  return { key: viewKey(after.find(({ id }) => id === keyId)!, after, now) }
}

async function changeCaps(
  tx: Tx,
  {
    key,
    keys,
    wish,
    agentId,
    now,
  }: { key: Key; keys: Key[]; wish: z.output<typeof CapChanges>; agentId: string; now: Date },
) {
  const parent = keys.find(({ id }) => id === key.ancestors.at(-1))
  const above = parent ? capsOf(parent) : NO_LIMITS.caps
  const caps = changedCaps(wish, { now: capsOf(key), above })
  if (key.is_limited) {
    await tx
      .updateTable('key_limits')
      .set(caps)
      .where('key_id', '=', key.id)
      .where('agent_id', '=', agentId)
      .execute()
    return
  }
  if (!hasCap(caps)) return
  if (!keys.some((other) => other.id !== key.id && isLasting(other))) throw lastKey()
  await tx
    .updateTable('api_keys')
    .set({ is_limited: true })
    .where('id', '=', key.id)
    .where('agent_id', '=', agentId)
    .execute()
  await limitKey(tx, { keyId: key.id, agentId, caps, now })
}
