/**
 * Signs that an agent may not be what it says: reasons for an operator to look, which refuse nothing. They are read
 * when they are shown, so they are never out of date.
 */
import type { Shards } from '../kit/db.ts'
import { readShards } from '../kit/everywhere.ts'
import { agentsByCard } from './cards.ts'
import { DISPOSABLE_DOMAINS } from './disposable-domains.ts'

const DAY_MS = 86_400_000
/** A team may register a few agents from one network on one day. */
const REGISTRATIONS_MANY = 5
const COUNTED_MAX = 100

interface Registered {
  id: string
  mode: string
  email: string | null
  registered_from: string | null
  created_at: Date
}

/** Each as a short text; empty in test mode. */
export async function signsOf(shards: Shards, agent: Registered): Promise<string[]> {
  if (agent.mode === 'test') return []
  const near = await registeredNear(shards, agent)
  const payers = await othersWithCard(shards, agent)
  return [
    ...(isDisposable(agent.email) ? ['disposable email address'] : []),
    ...(near >= REGISTRATIONS_MANY
      ? [`${near} agents from its network within a day of its registration`]
      : []),
    ...(payers > 0
      ? [`paid with a card of ${payers === 1 ? 'another agent' : `${payers} other agents`}`]
      : []),
  ]
}

/** Also of subdomains: the services hand these out as well. */
export function isDisposable(email: string | null): boolean {
  const labels = (email?.split('@').at(-1) ?? '').toLowerCase().split('.')
  return labels.some((_, i) => DISPOSABLE_DOMAINS.has(labels.slice(i).join('.')))
}

/** Live agents, this one included, that were registered from the same network a day before or after it. */
async function registeredNear(
  { readers }: Shards,
  { registered_from, created_at }: Registered,
): Promise<number> {
  if (registered_from === null) return 0
  const found = await readShards(readers, (reader) =>
    reader
      .selectFrom('agents')
      .select('id')
      .where('registered_from', '=', registered_from)
      .where('mode', '=', 'live')
      .where('created_at', '>', new Date(created_at.getTime() - DAY_MS))
      .where('created_at', '<', new Date(created_at.getTime() + DAY_MS))
      .limit(COUNTED_MAX)
      .execute(),
  )
  return found.flat().length
}

async function othersWithCard(shards: Shards, { id }: Registered): Promise<number> {
  const payers = new Set((await agentsByCard(shards, [id])).flat())
  payers.delete(id)
  return payers.size
}
