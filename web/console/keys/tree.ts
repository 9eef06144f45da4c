/** Keys in the order of a tree: each below the one that made it. Pure rules. */
import type { Answer } from '../api.ts'

export type Key = Answer<'/agents/keys'>['keys'][number]
export type Scope = Key['scopes'][number]

export const SCOPES: Record<Scope, { label: string; says: string }> = {
  create: { label: 'Create', says: 'Post tasks' },
  review: { label: 'Review', says: 'Approve, dispute, cancel, ask again' },
  read: { label: 'Read', says: 'See tasks, proofs, wallet and events' },
  manage: { label: 'Manage', says: 'Keys, webhooks, settings, deposits' },
}
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

type Node = Pick<Key, 'id' | 'parent_id'>

/** One whose parent is not seen stands at the top: a key sees only what is below it. */
export function inTree<One extends Node>(keys: readonly One[]): { key: One; depth: number }[] {
  const known = new Set(keys.map(({ id }) => id))
  const below = Map.groupBy(keys, ({ parent_id }) =>
    parent_id !== null && known.has(parent_id) ? parent_id : '',
  )
  const walk = (parent: string, depth: number): { key: One; depth: number }[] =>
    (below.get(parent) ?? []).flatMap((key) => [{ key, depth }, ...walk(key.id, depth + 1)])
  return walk('', 0)
}
