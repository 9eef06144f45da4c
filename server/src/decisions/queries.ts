/** Reads decisions: they are with their subjects, in the schemas of shards and in the global one. */
import type { Selectable } from 'kysely'
import { placesOf, readShards } from '../kit/everywhere.ts'
import type { Db, Reader, Shards } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { shardOf } from '../kit/ids.ts'
import type { AnyDecisionKind } from './decision.ts'
import { decisionNotFound } from './errors.ts'

export type DecisionRow = Selectable<Schema['operator_decisions']>

export interface FoundDecision {
  row: DecisionRow
  kind: AnyDecisionKind
  home: Db
}

/** Where a decision is recorded: with the rows that it changes, so that these can ask for it. */
export function homeOf(
  shards: Shards,
  kind: Pick<AnyDecisionKind, 'home'>,
  given: { subject: string; input: unknown },
): { home: Db; shard: number } {
  const at = kind.home?.(given) ?? shardOf(given.subject)
  return at === 'global' ? { home: shards.global, shard: 0 } : { home: shards.of(at), shard: at }
}

/** The id has the shard of the decision; one without a shard is in the global schema. */
export async function findDecision(
  shards: Shards,
  kinds: readonly AnyDecisionKind[],
  id: string,
): Promise<FoundDecision> {
  for (const home of new Set([shards.at(id), shards.global])) {
    const row = await findRow(home.reader, id)
    const kind = kinds.find((one) => one.kind === row?.kind)
    if (row !== undefined && kind !== undefined) return { row, kind, home }
  }
  throw decisionNotFound()
}

export const findRow = (reader: Reader, id: string): Promise<DecisionRow | undefined> =>
  reader.selectFrom('operator_decisions').selectAll().where('id', '=', id).executeTakeFirst()

/** Newest first; of one subject, or all. */
export async function listDecisions(
  shards: Shards,
  {
    state,
    subject,
    before,
    limit,
  }: {
    state?: 'waiting' | undefined
    subject?: string | undefined
    /** Only decisions older than the one with this id. */
    before?: string | undefined
    limit: number
  },
): Promise<DecisionRow[]> {
  const places = placesOf({ shards: shards.readers, global: shards.global.reader })
  const parts = await readShards(places, (reader) => {
    let query = reader.selectFrom('operator_decisions').selectAll()
    if (state !== undefined) query = query.where('state', '=', state)
    if (subject !== undefined) query = query.where('subject', '=', subject)
    if (before !== undefined) query = query.where('id', '<', before)
    return query.orderBy('id', 'desc').limit(limit).execute()
  })
  // Ids sort by time.
  return parts
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit)
}

/** The names of the operators of these decisions. */
export async function namesOf(
  global: Reader,
  rows: readonly Pick<DecisionRow, 'proposed_by' | 'second_by'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(rows.flatMap(({ proposed_by, second_by }) => [proposed_by, second_by]))
  const known = [...ids].filter((id) => id !== null)
  if (known.length === 0) return new Map()
  const found = await global
    .selectFrom('operators')
    .select(['id', 'name'])
    .where('id', 'in', known)
    .execute()
  return new Map(found.map(({ id, name }) => [id, name]))
}
