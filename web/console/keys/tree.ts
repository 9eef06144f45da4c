/** Sorts keys as a tree: each below its parent. Pure rules. */
import type { Answer } from '../api.ts'

export type Key = Answer<'/agents/keys'>['keys'][number]
export type Scope = Key['scopes'][number]

export const SCOPES: Record<Scope, { label: string; says: string }> = {
  create: { label: 'Create', says: 'Post tasks' },
  review: { label: 'Review', says: 'Approve or dispute work, request revisions, cancel tasks' },
  read: { label: 'Read', says: 'View tasks, proofs, the wallet and events' },
  manage: { label: 'Manage', says: 'Manage keys, webhooks, settings and deposits' },
}
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

type Node = Pick<Key, 'id' | 'parent_id'>

/** A key sees only its descendants, so a key whose parent isn't in the list becomes a root. */
export function inTree<One extends Node>(keys: readonly One[]): { key: One; depth: number }[] {
  const known = new Set(keys.map(({ id }) => id))
  const below = Map.groupBy(keys, ({ parent_id }) =>
    parent_id !== null && known.has(parent_id) ? parent_id : '',
  )
  const walk = (parent: string, depth: number): { key: One; depth: number }[] =>
    (below.get(parent) ?? []).flatMap((key) => [{ key, depth }, ...walk(key.id, depth + 1)])
  return walk('', 0)
}
