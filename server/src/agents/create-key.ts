/**
 * Create another key for the agent, in the mode of the calling key. A key created by a limited key is its child.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { type AgentCaller, endpoint, type Scope, SCOPES } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { CAPS, keyTooDeep, tooManyKeys } from './errors.ts'
import { AskedTaskType, TASK_TYPES } from './fields.ts'
import {
  CapChanges,
  type Caps,
  capsOf,
  isLimited,
  issueKey,
  type Key,
  KeyName,
  KeyWithSecret,
  type Limits,
  lockKeys,
  lockOwnKeys,
  NO_LIMITS,
  viewKey,
} from './keys.ts'

const ANCESTORS_MAX = 4

const NewKey = z.object({
  name: KeyName,
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .optional()
    .describe('What the key may do; by default the same as the key that creates it'),
  types: z
    .array(AskedTaskType)
    .min(1)
    .max(TASK_TYPES.length)
    .nullable()
    .optional()
    .describe('Types of tasks that the key may create; null: all'),
  ...CapChanges.shape,
  expires_at: z.iso
    .datetime({ offset: true })
    .max(40)
    .nullable()
    .optional()
    .describe('When the key expires; null: never'),
})
type NewKey = z.output<typeof NewKey>

export const createKey = endpoint({
  method: 'POST',
  path: '/agents/keys',
  name: 'createKey',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  summary: 'Create another API key',
  description:
    'The key is shown only once. It works in the mode of the key that created it. A key ' +
    'created with a limited key is below that key: it may do no more, its spending counts ' +
    'against both, and it ends when that key ends.',
  body: NewKey,
  success: { status: 201, body: z.object({ key: KeyWithSecret }) },
  errors: [tooManyKeys, keyTooDeep],
  isSecret: true,

  handler: ({ tx, agent, body, now, config }) =>
    createAgentKey(tx, { agent, wish: body, config, now }),
})

export async function createAgentKey(
  tx: Tx,
  {
    agent,
    wish,
    config,
    now,
  }: {
    agent: AgentCaller
    wish: NewKey
    config: Pick<Config, 'KEYS_MAX' | 'LIMITED_KEYS_MAX'>
    now: Date
  },
) {
  const { keys, own } = await lockOwnKeys(tx, agent, now)
  const parent = own?.is_limited ? own : undefined
  const limits = limitsOf(wish, { parent, scopes: agent.scopes, now })
  const alike = keys.filter(({ is_limited }) => is_limited === isLimited(limits))
  if (alike.length >= (isLimited(limits) ? config.LIMITED_KEYS_MAX : config.KEYS_MAX))
    throw tooManyKeys()
  if (parent !== undefined && parent.ancestors.length >= ANCESTORS_MAX) throw keyTooDeep()

  const { id: agentId, mode } = agent
  const { key, id } = await issueKey(tx, { agentId, mode, name: wish.name, limits, now })
  const all = await lockKeys(tx, agentId, now)
  return { key: { ...viewKey(all.find((one) => one.id === id)!, all, now), api_key: key } }
}

/**
 * Limits that are omitted are inherited from the parent key; limits wider than the parent's are rejected. Without a
 * parent, `scopes` are those that the caller may give: all of them, or fewer for a person.
 */
export function limitsOf(
  wish: NewKey,
  {
    parent,
    scopes: allowed = SCOPES,
    now,
  }: { parent: Key | undefined; scopes?: readonly Scope[]; now: Date },
): Limits {
  const above: Limits = parent
    ? {
        parent,
        scopes: parent.scopes as Limits['scopes'],
        types: parent.types,
        caps: capsOf(parent),
        expiresAt: parent.expires_at,
      }
    : { ...NO_LIMITS, scopes: allowed }
  const scopes = wish.scopes === undefined ? above.scopes : [...new Set(wish.scopes)]
  const types = wish.types === undefined ? above.types : wish.types && [...new Set(wish.types)]
  const expiresAt =
    wish.expires_at === undefined
      ? above.expiresAt
      : wish.expires_at === null
        ? null
        : new Date(wish.expires_at)

  const more = scopes.filter((scope) => !above.scopes.includes(scope))
  if (more.length > 0) throw invalidField('scopes', `may only contain ${list(above.scopes)}`)
  if (above.types && !types?.every((type) => above.types!.includes(type)))
    throw invalidField('types', `may only contain ${list(above.types)}`)
  if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'must be in the future')
  if (above.expiresAt && (expiresAt === null || expiresAt > above.expiresAt))
    throw invalidField('expires_at', `must be no later than ${above.expiresAt.toISOString()}`)
  const caps = changedCaps(wish, { now: above.caps, above: above.caps })
  return { parent, scopes, types, caps, expiresAt }
}

/** Applies changes to the current caps (`now`). No cap may be wider than the parent's (`above`). */
export function changedCaps(
  wish: z.output<typeof CapChanges>,
  { now, above }: { now: Caps; above: Caps },
): Caps {
  const caps = { ...now }
  for (const cap of CAPS) {
    const [wished, max] = [wish[cap], above[cap]]
    if (wished === undefined) continue
    if (max !== null && (wished === null || wished > max))
      throw invalidField(cap, `must be at most ${max}, the cap of the key above it`)
    caps[cap] = wished
  }
  return caps
}

const list = (words: readonly string[]) => words.join(', ')
