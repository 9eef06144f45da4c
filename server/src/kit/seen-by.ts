import { sql } from 'kysely'

/**
 * Restricts rows to those that an API key and its child keys have created. Null: no restriction. The query must contain
 * only one table with a `key_path`.
 */
export const isSeenBy = (visibleKeyId: string | null) =>
  visibleKeyId === null ? sql<boolean>`true` : sql<boolean>`key_path @> array[${visibleKeyId}]`
