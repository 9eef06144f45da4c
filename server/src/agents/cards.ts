/** Agents that have paid with the same cards, by the processor's fingerprint. */
import { sql } from 'kysely'
import type { Shards } from '../kit/db.ts'
import { readByIds, readShards } from '../kit/everywhere.ts'

/** At most this many agents are read for each card, in each schema. */
const FOUND_MAX = 100

/** For each card that one of these agents has paid with: all agents that have paid with it, these included. */
export async function agentsByCard(shards: Shards, agentIds: string[]): Promise<string[][]> {
  const own = await readByIds(shards, agentIds, (reader, some) =>
    reader
      .selectFrom('deposits')
      .select('card_fingerprint')
      .distinct()
      .where('agent_id', 'in', some)
      .where('card_fingerprint', 'is not', null)
      .execute(),
  )
  const cards = [...new Set(own.map(({ card_fingerprint }) => card_fingerprint))]
  if (cards.length === 0) return []
  const paid = await readShards(shards.readers, async (reader) => {
    const { rows } = await sql<{ card: string; agent_id: string }>`
      select card, agent_id from unnest(${cards}::text[]) as card
       cross join lateral (select distinct agent_id from deposits
                            where card_fingerprint = card limit ${FOUND_MAX}) paid`.execute(reader)
    return rows
  })
  const byCard = Map.groupBy(paid.flat(), ({ card }) => card)
  return [...byCard.values()].map((some) => some.map(({ agent_id }) => agent_id))
}
