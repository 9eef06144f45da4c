/**
 * Give an app access, within a budget: creates a limited key, and a code with which the app gets its tokens.
 *
 *   called by   the console, for a person
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { keyTooDeep, tooManyKeys } from '../agents/errors.ts'
import { CapChanges } from '../agents/keys.ts'
import { createTokenKey } from '../agents/token-keys.ts'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { mintLinkToken, sha256 } from '../kit/secrets.ts'
import { AskedAccess, readAskedAccess, sendBack } from './asked-access.ts'
import { keepClient } from './clients.ts'
import { appUnknown, wrongRedirect } from './errors.ts'
import { CODE_MS } from './grants.ts'
import { GRANTABLE } from './metadata.ts'

const DAY_MS = 86_400_000

export const grantAccess = endpoint({
  method: 'POST',
  path: '/console/connect',
  name: 'grantAccess',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  summary: 'Give an app access within a budget',
  description:
    'For the consent page. Creates a limited key for the app and returns where to send the ' +
    'person, with a code that works once and for a minute. At least one of `day_max_cents`, ' +
    '`month_max_cents` and `budget_cents` is required.',
  body: AskedAccess.extend({
    scopes: z
      .array(z.enum(GRANTABLE))
      .min(1)
      .max(GRANTABLE.length)
      .describe('What the app may do, of what it asked for'),
    days: z.int().min(1).max(365).describe('How long the access lasts'),
    ...CapChanges.shape,
  }),
  success: {
    status: 201,
    body: z.object({ redirect_url: z.string().describe('Where to send the person') }),
  },
  errors: [appUnknown, wrongRedirect, tooManyKeys, keyTooDeep],
  isSecret: true,

  async handler({ tx, runAt, agent, body, shards, config, now }) {
    const { scopes, days, task_max_cents, day_max_cents, month_max_cents, budget_cents, ...asked } =
      body
    const { client, scopes: wanted } = await readAskedAccess(shards.global.reader, asked, {
      config,
      now,
    })
    if (!scopes.every((scope) => wanted.includes(scope)))
      throw invalidField('scopes', `may only contain ${wanted.join(', ')}`)
    const sums = [day_max_cents, month_max_cents, budget_cents]
    if (sums.every((cap) => cap === null || cap === undefined))
      throw invalidField('budget_cents', 'is required, or a cap per day or month')

    const codeEnd = new Date(now.getTime() + CODE_MS)
    const code = mintLinkToken(shardOf(agent.id))
    const caps = { task_max_cents, day_max_cents, month_max_cents, budget_cents }
    // Unless the code is used, the key ends with it.
    const wish = { name: client.name, scopes, ...caps, expires_at: codeEnd.toISOString() }
    const keyId = await createTokenKey(tx, { agent, wish, config, now })
    await tx
      .insertInto('oauth_grants')
      .values({
        id: mintId('grant', now, shardOf(agent.id)),
        agent_id: agent.id,
        key_id: keyId,
        client_id: client.id,
        client_name: client.name,
        redirect_uri: asked.redirect_uri,
        code_hash: sha256(code),
        code_challenge: asked.code_challenge,
        code_expires_at: codeEnd,
        created_at: now,
        allowed_until: await boundEnd(tx, agent, new Date(now.getTime() + days * DAY_MS)),
        ends_at: codeEnd,
      })
      .execute()
    await runAt(shards.global, (global) => keepClient(global, client.id, now))
    return { redirect_url: sendBack(asked, { code }, config) }
  },
})

/** A key below a limited one ends with it at the latest. A person has no key. */
async function boundEnd(tx: Tx, { id, keyId, person }: AgentCaller, wished: Date): Promise<Date> {
  if (person !== undefined) return wished
  const { is_limited, expires_at } = await tx
    .selectFrom('api_keys')
    .select(['is_limited', 'expires_at'])
    .where('agent_id', '=', id)
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow()
  return is_limited && expires_at !== null && expires_at < wished ? expires_at : wished
}
