/** Accounts that may belong to the same person: exact matches, each found by an index. */
import type { Selectable } from 'kysely'
import type { Shards } from '../../kit/db.ts'
import type { Schema } from '../../kit/schema.ts'
import type { ObjectPage } from '../views.ts'

type Links = ObjectPage['linked']

export async function linkedToWorker(
  _shards: Shards,
  _worker: Selectable<Schema['workers']>,
): Promise<Links> {
  return []
}

export async function linkedToAgent(
  _shards: Shards,
  _agent: { id: string; registered_from: string | null },
): Promise<Links> {
  return []
}
