/**
 * Rotate a key's secret. The key keeps its limits, its spending, its tasks and its descendants; the old secret works
 * for another day.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { shardOf } from '../kit/ids.ts'
import { mintApiKey, sha256 } from '../kit/secrets.ts'
import { keyNotFound, keyOfApp, tooManyKeys } from './errors.ts'
import { KeyId, KeyWithSecret, lockOwnKeys, prefixOf, viewKey } from './keys.ts'

export const rotateKey = endpoint({
  method: 'POST',
  path: '/agents/keys/:id/rotate',
  name: 'rotateKey',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  access: { object: 'own' },
  summary: 'Give an API key a new secret',
  description:
    'The new secret is shown only once; the old one works until `old_expires_at`. The key ' +
    'keeps its id, its limits, its spending and the keys below it.',
  params: z.object({ id: KeyId }),
  success: {
    status: 201,
    body: z.object({
      key: KeyWithSecret,
      old_expires_at: z.iso.datetime(),
    }),
  },
  errors: [keyNotFound, keyOfApp, tooManyKeys],
  isSecret: true,

  handler: ({ tx, agent, params, config, now }) =>
    rotateAgentKey(tx, { agent, keyId: params.id, config, now }),
})

export async function rotateAgentKey(
  tx: Tx,
  {
    agent,
    keyId,
    config,
    now,
  }: {
    agent: AgentCaller
    keyId: string
    config: Pick<Config, 'KEY_ROTATION_GRACE_HOURS' | 'KEYS_MAX'>
    now: Date
  },
) {
  const { keys, reaches } = await lockOwnKeys(tx, agent, now)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined || !reaches(key)) throw keyNotFound()
  if (key.token_expires_at !== null) throw keyOfApp()

  // Delete only expired secrets: if the response gets lost, the client retries with an older secret.
  await tx
    .deleteFrom('rotated_keys')
    .where('key_id', '=', keyId)
    .where('expires_at', '<=', now)
    .execute()
  const { working } = await tx
    .selectFrom('rotated_keys')
    .select((select) => select.fn.countAll<number>().as('working'))
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  if (working >= config.KEYS_MAX) throw tooManyKeys()

  const end = new Date(now.getTime() + config.KEY_ROTATION_GRACE_HOURS * 3_600_000)
  const secret = mintApiKey(key.mode, shardOf(agent.id))
  const { key_hash } = await tx
    .selectFrom('api_keys')
    .select('key_hash')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow()
  await tx.insertInto('rotated_keys').values({ key_hash, key_id: keyId, expires_at: end }).execute()
  await tx
    .updateTable('api_keys')
    .set({ key_hash: sha256(secret), prefix: prefixOf(secret) })
    .where('id', '=', keyId)
    .execute()
  const rotated = viewKey({ ...key, prefix: prefixOf(secret) }, keys, now)
  const oldEnd = key.expires_at !== null && key.expires_at < end ? key.expires_at : end
  return { key: { ...rotated, api_key: secret }, old_expires_at: oldEnd.toISOString() }
}
