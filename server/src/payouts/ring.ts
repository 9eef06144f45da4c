/**
 * The ring of a worker: all accounts that can be reached over shared bank accounts, devices, inboxes and network
 * addresses, and from agent to agent over cards. One shared photo is no reason to count two people as one.
 */
import { sql } from 'kysely'
import { agentsByCard } from '../agents/cards.ts'
import type { Reader, Shards } from '../kit/db.ts'
import { readByIds, readShards } from '../kit/everywhere.ts'
import { inboxOf } from './holds.ts'
import { INBOX } from './links.ts'

/** Steps from one account to the next. */
const STEPS_MAX = 6
const FOUND_MAX = 500
/** An agency may pay with one card for the agents of many customers, who are strangers to each other. */
const AGENTS_OF_CARD_MAX = 10

export interface Ring {
  /** Sorted; includes the worker. */
  workers: string[]
  agents: string[]
}

export async function findRing(shards: Shards, workerId: string): Promise<Ring> {
  const known = new Set([workerId])
  let border = [workerId]
  for (let step = 0; step < STEPS_MAX && border.length > 0; step += 1) {
    const found = [
      ...(await findNeighbors(shards, await readTraits(shards, border))),
      ...(await findPayers(shards, border)),
    ]
    border = [...new Set(found)].filter((id) => !known.has(id)).slice(0, FOUND_MAX - known.size)
    for (const id of border) known.add(id)
  }
  const ids = [...known].toSorted()
  return {
    workers: ids.filter((id) => id.startsWith('worker_')),
    agents: ids.filter((id) => id.startsWith('agent_')),
  }
}

interface Traits {
  inboxes: string[]
  addresses: string[]
  banks: string[]
  accounts: string[]
  devices: string[]
}

async function readTraits(shards: Shards, ids: string[]): Promise<Traits> {
  const workerIds = ids.filter((id) => id.startsWith('worker_'))
  const agentIds = ids.filter((id) => id.startsWith('agent_'))
  const people = [
    ...(await readByIds(shards, workerIds, (reader, some) => peopleIn(reader, 'workers', some))),
    ...(await readByIds(shards, agentIds, (reader, some) => peopleIn(reader, 'agents', some))),
  ]
  const accounts = await readByIds(shards, workerIds, (reader, some) =>
    reader
      .selectFrom('payout_accounts')
      .select(['account_id', 'bank_fingerprint'])
      .where('worker_id', 'in', some)
      .execute(),
  )
  const devices = await readByIds(shards, workerIds, (reader, some) =>
    reader
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('worker_id', 'in', some)
      .execute(),
  )
  return {
    inboxes: people.flatMap(({ email }) => (email === null ? [] : [inboxOf(email)])),
    addresses: people.flatMap(({ registered_from }) => registered_from ?? []),
    banks: accounts.flatMap(({ bank_fingerprint }) => bank_fingerprint ?? []),
    accounts: accounts.flatMap(({ account_id }) => account_id ?? []),
    devices: devices.map(({ endpoint }) => endpoint),
  }
}

const peopleIn = (reader: Reader, table: 'workers' | 'agents', ids: string[]) =>
  reader.selectFrom(table).select(['email', 'registered_from']).where('id', 'in', ids).execute()

async function findNeighbors(shards: Shards, traits: Traits): Promise<string[]> {
  const { inboxes, addresses, banks, accounts, devices } = traits
  const mailed = await sql<{ id: string }>`
    (select worker_id as id from worker_emails where ${INBOX} = any(${inboxes}::text[]) limit ${FOUND_MAX})
    union all
    (select agent_id from agent_emails where ${INBOX} = any(${inboxes}::text[]) limit ${FOUND_MAX})`.execute(
    shards.global.reader,
  )
  const others = await readShards(shards.readers, async (reader) => {
    const { rows } = await sql<{ id: string }>`
      (select id from workers
        where registered_from = any(${addresses}::text[]) and mode = 'live' limit ${FOUND_MAX})
      union all
      (select id from agents
        where registered_from = any(${addresses}::text[]) and mode = 'live' limit ${FOUND_MAX})
      union all
      (select worker_id from payout_accounts where bank_fingerprint = any(${banks}::text[]) limit ${FOUND_MAX})
      union all
      (select worker_id from payout_accounts where account_id = any(${accounts}::text[]) limit ${FOUND_MAX})
      union all
      (select worker_id from push_subscriptions where endpoint = any(${devices}::text[]) limit ${FOUND_MAX})`.execute(
      reader,
    )
    return rows
  })
  return [...mailed.rows, ...others.flat()].map(({ id }) => id)
}

/** Agents that have paid with the same card as one of these, unless it is a card for strangers. */
async function findPayers(shards: Shards, ids: string[]): Promise<string[]> {
  const agentIds = ids.filter((id) => id.startsWith('agent_'))
  const byCard = await agentsByCard(shards, agentIds)
  return byCard.filter((agents) => agents.length <= AGENTS_OF_CARD_MAX).flat()
}
