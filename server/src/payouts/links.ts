/**
 * Accounts that may belong to the same person: exact matches, each found by an index. The emails and photos of
 * everybody are in the global schema; for the rest, every schema is asked.
 */
import { type Selectable, sql } from 'kysely'
import { agentsByCard } from '../agents/cards.ts'
import type { Reader, Shards } from '../kit/db.ts'
import { readByIds, readShards } from '../kit/everywhere.ts'
import type { Schema } from '../kit/schema.ts'
import { inboxOf } from './holds.ts'

/** The features that two accounts can share. */
export const LINKS = [
  'inbox',
  'payout account',
  'bank account',
  'device',
  'network address',
  'photo',
  'card',
] as const
type AnyHow = (typeof LINKS)[number]
/** Workers pay nothing, so they share no cards. */
export type How = Exclude<AnyHow, 'card'>
type Linked = Partial<Record<AnyHow, string[]>>
type Links = { how: AnyHow; id: string; kind: 'worker' | 'agent'; name: string }[]
type Worker = Pick<Selectable<Schema['workers']>, 'id' | 'mode' | 'email' | 'registered_from'>
type Agent = Pick<Selectable<Schema['agents']>, 'id' | 'mode' | 'email' | 'registered_from'>

/** At most this many accounts are listed for each reason. */
const FOUND_MAX = 50
const PHOTOS_MAX = 200

/** Test accounts are made by their agents, so they link nobody. */
export async function linkedToWorker(shards: Shards, worker: Worker): Promise<Links> {
  if (worker.mode === 'test') return []
  return viewAll(shards, worker.id, await idsLinkedToWorker(shards, worker))
}

/** The ids include that of the worker. */
export async function idsLinkedToWorker(
  shards: Shards,
  { id, email, registered_from }: Omit<Worker, 'mode'>,
): Promise<Record<How, string[]>> {
  const { reader } = shards.at(id)
  return {
    inbox: await sameInbox(shards.global.reader, email),
    'payout account': await samePayoutAccount(shards, reader, id),
    'bank account': await sameBankAccount(shards, reader, id),
    device: await sameDevice(shards, reader, id),
    'network address': await sameAddress(shards, registered_from),
    photo: await samePhoto(shards, id),
  }
}

export async function linkedToAgent(shards: Shards, agent: Agent): Promise<Links> {
  if (agent.mode === 'test') return []
  return viewAll(shards, agent.id, {
    inbox: agent.email === null ? [] : await sameInbox(shards.global.reader, agent.email),
    'network address': await sameAddress(shards, agent.registered_from),
    card: (await agentsByCard(shards, [agent.id])).flat(),
  })
}

/** The same rule as `inboxOf`, in SQL. The indexes have the same expression. */
export const INBOX = sql`
  case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
       then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
       else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end`

async function sameInbox(global: Reader, email: string): Promise<string[]> {
  const inbox = inboxOf(email)
  const { rows } = await sql<{ id: string }>`
    (select worker_id as id from worker_emails where ${INBOX} = ${inbox} limit ${FOUND_MAX})
    union all
    (select agent_id from agent_emails where ${INBOX} = ${inbox} limit ${FOUND_MAX})`.execute(
    global,
  )
  return rows.map(({ id }) => id)
}

/** Null where the address doesn't identify anyone. */
async function sameAddress({ readers }: Shards, address: string | null): Promise<string[]> {
  if (address === null) return []
  return idsIn(readers, async (reader) => {
    const { rows } = await sql<{ id: string }>`
      (select id from workers where registered_from = ${address} and mode = 'live' limit ${FOUND_MAX})
      union all
      (select id from agents where registered_from = ${address} and mode = 'live' limit ${FOUND_MAX})`.execute(
      reader,
    )
    return rows
  })
}

async function samePayoutAccount(
  { readers }: Shards,
  reader: Reader,
  workerId: string,
): Promise<string[]> {
  const own = await reader
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  const accountId = own?.account_id
  if (!accountId) return []
  return idsIn(readers, (shard) =>
    shard
      .selectFrom('payout_accounts')
      .select('worker_id as id')
      .where('account_id', '=', accountId)
      .limit(FOUND_MAX)
      .execute(),
  )
}

/**
 * Each worker has an account of their own at the processor. Two of one person lead to the same bank account: it has the
 * same fingerprint. Where one of them has none, its last digits, its country and its owner's name are compared.
 */
async function sameBankAccount(
  { readers }: Shards,
  reader: Reader,
  workerId: string,
): Promise<string[]> {
  const own = await reader
    .selectFrom('payout_accounts')
    .select(['bank_fingerprint', 'bank_last4', 'country', 'name'])
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  if (!own?.bank_last4) return []
  const { bank_fingerprint, bank_last4, country, name } = own
  return idsIn(readers, async (shard) => {
    const { rows } = await sql<{ id: string }>`
      (select worker_id as id from payout_accounts where bank_fingerprint = ${bank_fingerprint} limit ${FOUND_MAX})
      union all
      -- Four digits alone are shared by thousands.
      (select worker_id from payout_accounts
        where bank_last4 = ${bank_last4} and country = ${country} and lower(name) = lower(${name})
          and (bank_fingerprint is null or ${bank_fingerprint}::text is null) limit ${FOUND_MAX})`.execute(
      shard,
    )
    return rows
  })
}

/** A browser on a device has one address for notifications, whoever is logged in. */
async function sameDevice(
  { readers }: Shards,
  reader: Reader,
  workerId: string,
): Promise<string[]> {
  const own = await reader
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('worker_id', '=', workerId)
    .limit(FOUND_MAX)
    .execute()
  if (own.length === 0) return []
  const endpoints = own.map(({ endpoint }) => endpoint)
  return idsIn(readers, (shard) =>
    shard
      .selectFrom('push_subscriptions')
      .select('worker_id as id')
      .where('endpoint', 'in', endpoints)
      .execute(),
  )
}

/** The last photos of the worker, which are with their tasks, and who else has sent one of them. */
async function samePhoto({ readers, global }: Shards, workerId: string): Promise<string[]> {
  const parts = await readShards(readers, (shard) =>
    shard
      .selectFrom('files')
      .select(['sha256', 'dhash'])
      .where('worker_id', '=', workerId)
      .where('kind', '=', 'photo')
      .orderBy('created_at', 'desc')
      .limit(PHOTOS_MAX)
      .execute(),
  )
  const own = parts.flat()
  if (own.length === 0) return []
  const hashes = own.map(({ sha256 }) => sha256)
  const looks = own.flatMap(({ dhash }) => dhash ?? [])
  const { rows } = await sql<{ id: string }>`
    with own as (select ('x' || h)::bit(64)::bigint as dhash from unnest(${looks}::text[]) h)
    (select worker_id as id from photo_hashes
      where sha256 = any(${hashes}::text[]) and worker_id <> ${workerId} limit ${FOUND_MAX})
    union
    -- A hash of zeros is that of any even area.
    (select p.worker_id from own join photo_hashes p
         on (p.dhash & 65535) = (own.dhash & 65535) and p.dhash = own.dhash
      where own.dhash <> 0 and p.worker_id <> ${workerId} limit ${FOUND_MAX})`.execute(
    global.reader,
  )
  return rows.map(({ id }) => id)
}

async function idsIn(
  readers: readonly Reader[],
  read: (reader: Reader) => Promise<{ id: string }[]>,
): Promise<string[]> {
  return (await readShards(readers, read)).flat().map(({ id }) => id)
}

/** Leaves out the account itself, and lists each other account once for every reason. */
async function viewAll(shards: Shards, own: string, found: Linked): Promise<Links> {
  const ids = new Set(Object.values(found).flat())
  ids.delete(own)
  const names = new Map([
    ...(await namesOf(shards, 'workers', ids)),
    ...(await namesOf(shards, 'agents', ids)),
  ])
  return Object.entries(found).flatMap(([how, some]) =>
    [...new Set(some)].flatMap((id) => {
      const name = names.get(id)
      const kind = id.startsWith('worker_') ? ('worker' as const) : ('agent' as const)
      return name === undefined ? [] : [{ how: how as AnyHow, id, kind, name }]
    }),
  )
}

async function namesOf(shards: Shards, table: 'workers' | 'agents', ids: ReadonlySet<string>) {
  const prefix = table === 'workers' ? 'worker_' : 'agent_'
  const rows = await readByIds(
    shards,
    [...ids].filter((id) => id.startsWith(prefix)),
    (shard, some) =>
      shard
        .selectFrom(table)
        .select(['id', 'name'])
        .where('id', 'in', some)
        .where('mode', '=', 'live')
        .execute(),
  )
  return rows.map(({ id, name }) => [id, name] as const)
}
