/**
 * An agent's keys and their limits. An unlimited key has full access, and the keys that it creates have no parent.
 * A limited key is the parent of the keys that it creates: they can do no more than it can, and end with it.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import { type AgentCaller, type Mode, type Scope, SCOPES } from '../kit/endpoint.ts'
import { idOf, mintId, shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { mintApiKey, sha256 } from '../kit/secrets.ts'
import { CAPS, invalidApiKey } from './errors.ts'
import { TaskType } from './fields.ts'

export const KeyId = idOf('key', 'a key')
export const KeyName = z.string().trim().min(1).max(100)

const Cap = z.int().min(1).max(1_000_000_000_000).nullable()
const Caps = named(
  'KeyCaps',
  z.object({
    task_max_cents: Cap.describe('The most that one task or one tip may cost; null: no such cap'),
    day_max_cents: Cap.describe('The most that may be spent in a day (UTC)'),
    month_max_cents: Cap.describe('The most that may be spent in a calendar month (UTC)'),
    budget_cents: Cap.describe('The most that may be spent over the lifetime of the key'),
  }),
)
export type Caps = z.output<typeof Caps>

/** Caps as a request sends them: an omitted cap stays unchanged, or is inherited from the parent key. */
export const CapChanges = Caps.partial()

export const KeyView = named(
  'ApiKey',
  z.object({
    id: z.string(),
    name: z.string(),
    mode: z.enum(['live', 'test']),
    prefix: z.string().describe('The first characters, to tell keys apart'),
    parent_id: z.string().nullable().describe('The key above this one; null: none'),
    scopes: z.array(z.enum(SCOPES)),
    types: z
      .array(TaskType)
      .nullable()
      .describe('Types of tasks that the key may create; null: all'),
    caps: Caps,
    spent: z
      .object({ day_cents: z.int(), month_cents: z.int(), total_cents: z.int() })
      .nullable()
      .describe(
        'Spent with this key and the keys below it, in this day and month; null for a key without limits',
      ),
    children: z.int().describe('Number of active keys directly below it'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('Accurate to the hour'),
    expires_at: z.iso.datetime().nullable(),
    is_of_app: z
      .boolean()
      .describe(
        'The key of a connected app; its secret is renewed by the app and can’t be rotated',
      ),
  }),
)

/** A key with its secret, which is shown only once. */
export const KeyWithSecret = named('ApiKeyWithSecret', KeyView.extend({ api_key: z.string() }))

export type Key = Awaited<ReturnType<ReturnType<typeof validKeys>['execute']>>[number]

/** `all` are the agent's valid keys, from which the key's children are counted. */
export function viewKey(key: Key, all: Key[], now: Date): z.output<typeof KeyView> {
  const today = inOwnTime(key, now).toISOString().slice(0, 10)
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    parent_id: parentOf(key),
    scopes: key.scopes as Scope[],
    types: key.types as z.output<typeof KeyView>['types'],
    caps: capsOf(key),
    spent: key.is_limited
      ? {
          day_cents: key.day === today ? key.day_cents! : 0,
          month_cents: key.month?.slice(0, 7) === today.slice(0, 7) ? key.month_cents! : 0,
          total_cents: key.total_cents!,
        }
      : null,
    children: all.filter((other) => parentOf(other) === key.id).length,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
    is_of_app: key.token_expires_at !== null,
  }
}

/** The rights of a person in the form of a key, for clients that read the limits of their key. */
export const viewAsKey = (
  { id, name, mode, scopes }: { id: string; name: string; mode: Mode; scopes: readonly Scope[] },
  now: Date,
): z.output<typeof KeyView> => ({
  id,
  name,
  mode,
  prefix: '',
  parent_id: null,
  scopes: [...scopes],
  types: null,
  caps: NO_LIMITS.caps,
  spent: null,
  children: 0,
  created_at: now.toISOString(),
  last_used_at: now.toISOString(),
  expires_at: null,
  is_of_app: false,
})

/** The time that daily and monthly caps are counted by: test agents can move their own clock. */
const inOwnTime = ({ moved_ms }: { moved_ms: number | null }, now: Date): Date =>
  new Date(now.getTime() + (moved_ms ?? 0))

export const capsOf = (key: Caps): Caps => ({
  task_max_cents: key.task_max_cents,
  day_max_cents: key.day_max_cents,
  month_max_cents: key.month_max_cents,
  budget_cents: key.budget_cents,
})

const parentOf = ({ ancestors }: Key): string | null => ancestors.at(-1) ?? null

/** Which keys the caller may see, rename, rotate and revoke, and what those that it creates may do. */
interface KeyReach {
  /** The calling key; undefined if a person calls. */
  own: Key | undefined
  /** A key reaches itself and its descendants, or any key if unlimited. A person reaches keys with fewer rights. */
  reaches(other: Key): boolean
}

/** Throws if the calling key is no longer valid: it may be cached for seconds after it was revoked. */
export function reachOf({ keyId, person, scopes }: AgentCaller, keys: Key[]): KeyReach {
  if (person !== undefined)
    return {
      own: undefined,
      reaches: (other) => other.scopes.every((scope) => scopes.includes(scope as Scope)),
    }
  const own = keys.find(({ id }) => id === keyId)
  if (own === undefined) throw invalidApiKey()
  return {
    own,
    reaches: (other) => !own.is_limited || other.id === own.id || other.ancestors.includes(own.id),
  }
}

/** Whether a key has full access for as long as the agent exists. A replaced key expires earlier. */
export const isLasting = ({ is_limited, expires_at, agent_expires_at }: Key): boolean =>
  !is_limited && (expires_at === null || expires_at.getTime() === agent_expires_at?.getTime())

export const hasCap = (caps: Caps): boolean => CAPS.some((cap) => caps[cap] !== null)

/** What a key is allowed to do; `null` means no limit. */
export interface Limits {
  parent: Key | undefined
  scopes: readonly Scope[]
  types: readonly string[] | null
  caps: Caps
  expiresAt: Date | null
}

export const NO_LIMITS: Limits = {
  parent: undefined,
  scopes: SCOPES,
  types: null,
  caps: { task_max_cents: null, day_max_cents: null, month_max_cents: null, budget_cents: null },
  expiresAt: null,
}

export const isLimited = ({ parent, scopes, types, caps, expiresAt }: Limits): boolean =>
  parent !== undefined ||
  types !== null ||
  expiresAt !== null ||
  scopes.length < SCOPES.length ||
  hasCap(caps)

/** Stores the hash of a new key and returns the key, which can't be retrieved again. */
export async function issueKey(
  tx: Tx,
  {
    agentId,
    mode,
    name,
    limits = NO_LIMITS,
    now,
  }: { agentId: string; mode: Mode; name: string; limits?: Limits; now: Date },
): Promise<{ key: string; id: string }> {
  const shard = shardOf(agentId)
  const key = mintApiKey(mode, shard)
  const id = mintId('key', now, shard)
  const { parent, scopes } = limits
  const is_limited = isLimited(limits)
  // A key with `create` but not every scope sees only its own tasks. Other keys see what their parent sees.
  const isConfined = scopes.includes('create') && scopes.length < SCOPES.length
  // No key outlives an unclaimed test agent. A key with its own expiry ends at least a second earlier, which tells it
  // apart from the others: it keeps its expiry when the agent is claimed.
  await sql`
    insert into api_keys (key_hash, id, agent_id, mode, name, prefix, scopes, types, is_limited, ancestors, sees,
                          expires_at, created_at)
      select ${sha256(key)}, ${id}, a.id, ${mode}, ${name}, ${prefixOf(key)}, ${[...scopes]},
             ${limits.types && [...limits.types]}, ${is_limited},
             ${parent === undefined ? [] : [...parent.ancestors, parent.id]},
             ${isConfined ? id : (parent?.sees ?? null)},
             case when ${limits.expiresAt}::timestamptz is null then a.expires_at
                  else least(${limits.expiresAt}::timestamptz, a.expires_at - interval '1 second') end,
             ${now}
        from agents a where a.id = ${agentId}`.execute(tx)
  if (is_limited) await limitKey(tx, { keyId: id, agentId, caps: limits.caps, now })
  return { key, id }
}

/** Stores a key's caps. What it spends is counted from now on. */
export async function limitKey(
  tx: Tx,
  { keyId, agentId, caps, now }: { keyId: string; agentId: string; caps: Caps; now: Date },
): Promise<void> {
  const clock = await tx
    .selectFrom('test_clocks')
    .select('moved_ms')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const since = inOwnTime(clock ?? { moved_ms: 0 }, now)
  await tx
    .insertInto('key_limits')
    .values({ key_id: keyId, agent_id: agentId, since, ...caps })
    .execute()
}

export const prefixOf = (key: string): string => key.slice(0, 14)

/** An upper bound: no request takes this long. */
const LONGEST_REQUEST_MS = 5 * 60_000

/**
 * Expires all keys of agents that the caller has locked, and returns how many were valid. The expiry is in the past: a
 * request that waits for the lock started before `now`, and must not find its key valid either.
 */
export async function endAllKeys(
  tx: Tx,
  { agentIds, now }: { agentIds: string[]; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ expires_at: new Date(now.getTime() - LONGEST_REQUEST_MS) })
    .where('agent_id', 'in', agentIds)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The agent's keys that are valid at `now`. */
export const validKeys = (db: Reader, agentId: string, now: Date) =>
  db
    .selectFrom('api_keys as k')
    .leftJoin('key_limits as l', 'l.key_id', 'k.id')
    .leftJoin('test_clocks as c', 'c.agent_id', 'k.agent_id')
    .innerJoin('agents as a', 'a.id', 'k.agent_id')
    .select(['k.id', 'k.name', 'k.mode', 'k.prefix', 'k.created_at', 'k.last_used_at'])
    .select(['k.expires_at', 'k.scopes', 'k.types', 'k.is_limited', 'k.ancestors', 'k.sees'])
    .select('k.token_expires_at')
    .select(['l.task_max_cents', 'l.day_max_cents', 'l.month_max_cents', 'l.budget_cents'])
    .select(['l.day_cents', 'l.month_cents', 'l.total_cents', 'c.moved_ms'])
    .select('a.expires_at as agent_expires_at')
    .select([
      sql<string | null>`l.day::text`.as('day'),
      sql<string | null>`l.month::text`.as('month'),
    ])
    .where('k.agent_id', '=', agentId)
    .where((where) =>
      where.or([where('k.expires_at', 'is', null), where('k.expires_at', '>', now)]),
    )
    .orderBy('k.id')

/** Like `validKeys`, with the agent locked, so that concurrent calls don't count the same keys. */
export async function lockKeys(tx: Tx, agentId: string, now: Date): Promise<Key[]> {
  await tx.selectFrom('agents').select('id').where('id', '=', agentId).forNoKeyUpdate().execute()
  return validKeys(tx, agentId, now).execute()
}

/** Like `lockKeys`, with what the caller may do to them. */
export async function lockOwnKeys(
  tx: Tx,
  agent: AgentCaller,
  now: Date,
): Promise<KeyReach & { keys: Key[] }> {
  const keys = await lockKeys(tx, agent.id, now)
  return { keys, ...reachOf(agent, keys) }
}
