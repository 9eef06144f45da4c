/** Reads the sandbox's data directly, bypassing the API: for the control API, the operator's dashboard and tests. */
import { bodyOf } from './events.ts'
import { type Kind, KINDS } from './objects.ts'
import { PLATFORM, type Tx } from './tx.ts'

export interface Found {
  kind: Kind
  /** The account whose books it is on. */
  account: string
  object: { id: string; created: number; [field: string]: unknown }
}

const ALL = Number.MAX_SAFE_INTEGER

export const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name)

/** Finds any object by its id, whichever account it belongs to. */
export function findAny(tx: Tx, id: string): Found | undefined {
  const row = tx.store.one<{ kind: Kind; account: string; json: string }>(
    'select kind, account, json from objects where id = ?',
    id,
  )
  if (row === undefined) return undefined
  return { kind: row.kind, account: row.account, object: JSON.parse(row.json) as Found['object'] }
}

export const ownerOf = (tx: Tx, id: string) => findAny(tx, id)?.account ?? PLATFORM

/** Lists objects of a kind, newest first; for all accounts unless one is given. */
export function listKind(
  tx: Tx,
  kind: Kind,
  {
    limit = ALL,
    startingAfter,
    account,
  }: {
    limit?: number | undefined
    startingAfter?: string | undefined
    account?: string | undefined
  } = {},
): Found['object'][] {
  return tx.store
    .all<{ json: string }>(
      `select json from objects where kind = ?
         and (? is null or account = ?)
         and seq < coalesce((select seq from objects where id = ?), 9e15)
       order by seq desc limit ?`,
      kind,
      account ?? null,
      account ?? null,
      startingAfter ?? null,
      limit,
    )
    .map(({ json }) => JSON.parse(json) as Found['object'])
}

export interface StoredEvent {
  id: string
  shape: 'snapshot' | 'thin'
  account: string
  type: string
  object_id: string
  created: number
  event: Record<string, unknown>
  /** Number of its deliveries in each state. */
  waiting: number
  delivered: number
  failed: number
}

/** Lists events, newest first; for one object if given. */
export function listEvents(
  tx: Tx,
  {
    limit = 100,
    startingAfter,
    objectId,
    id,
  }: {
    limit?: number | undefined
    startingAfter?: string | undefined
    objectId?: string | undefined
    id?: string | undefined
  } = {},
): StoredEvent[] {
  const counted = (state: string) =>
    `(select count(*) from deliveries where event_id = events.id and state = '${state}') as ${state}`
  return tx.store
    .all<Omit<StoredEvent, 'event'> & { json: string }>(
      `select id, shape, account, type, object_id, created, json,
           ${counted('waiting')}, ${counted('delivered')}, ${counted('failed')}
         from events
         where (? is null or object_id = ?) and (? is null or id = ?)
           and seq < coalesce((select seq from events where id = ?), 9e15)
         order by seq desc limit ?`,
      objectId ?? null,
      objectId ?? null,
      id ?? null,
      id ?? null,
      startingAfter ?? null,
      limit,
    )
    .map(({ json, ...row }) => ({ ...row, event: JSON.parse(json) as Record<string, unknown> }))
}

export interface Delivery {
  id: number
  event_id: string
  type: string
  endpoint_id: string
  kind: string | null
  url: string | null
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  /** Time of the next attempt, in milliseconds of the machine's clock. */
  next_try_at: number | null
  attempts: { at: number; outcome: string; status: number | null; ms: number; answer: string }[]
}

/** Lists deliveries with their attempts, newest first; for one event if given. */
export function listDeliveries(
  tx: Tx,
  {
    limit = 100,
    eventId,
    state,
  }: { limit?: number | undefined; eventId?: string | undefined; state?: string | undefined } = {},
): Delivery[] {
  const rows = tx.store.all<Omit<Delivery, 'attempts' | 'next_try_at'> & { due_at: number }>(
    `select deliveries.id, event_id, events.type, endpoint_id, endpoints.kind, endpoints.url, state, tries, due_at
       from deliveries
       join events on events.id = event_id
       left join endpoints on endpoints.id = endpoint_id
       where (? is null or event_id = ?) and (? is null or state = ?)
       order by deliveries.id desc limit ?`,
    eventId ?? null,
    eventId ?? null,
    state ?? null,
    state ?? null,
    limit,
  )
  return rows.map(({ due_at, ...row }) => ({
    ...row,
    next_try_at: row.state === 'waiting' ? due_at : null,
    attempts: tx.store.all(
      'select at, outcome, status, ms, answer from attempts where delivery_id = ? order by seq',
      row.id,
    ),
  }))
}

export function countAll(tx: Tx): Record<string, number> {
  const kinds = tx.store.all<{ name: string; count: number }>(
    'select kind as name, count(*) as count from objects group by kind',
  )
  const tables = ['balance_transactions', 'events', 'deliveries', 'idempotency_keys'].map(
    (name) => ({
      name,
      count: tx.store.one<{ count: number }>(`select count(*) as count from ${name}`)!.count,
    }),
  )
  return Object.fromEntries([...kinds, ...tables].map(({ name, count }) => [name, count]))
}

/** Counts deliveries by state, and attempts by outcome. */
export function countDeliveries(tx: Tx): Record<string, number> {
  const states = tx.store.all<{ name: string; count: number }>(
    'select state as name, count(*) as count from deliveries group by state',
  )
  const outcomes = tx.store.all<{ name: string; count: number }>(
    `select outcome || '_tries' as name, count(*) as count from attempts group by outcome`,
  )
  const counts = Object.fromEntries(
    [...states, ...outcomes].map(({ name, count }) => [name, count]),
  )
  return {
    waiting: 0,
    delivered: 0,
    failed: 0,
    delivered_tries: 0,
    refused_tries: 0,
    unreachable_tries: 0,
    dropped_tries: 0,
    ...counts,
    duplicates: (counts.delivered_tries ?? 0) - (counts.delivered ?? 0),
  }
}

/** Every event with the exact bytes that were sent for it. */
export function listBodies(tx: Tx): { id: string; type: string; account: string; body: string }[] {
  return tx.store
    .all<{ id: string; type: string; account: string; shape: 'snapshot' | 'thin'; json: string }>(
      'select id, type, account, shape, json from events order by seq desc',
    )
    .map(({ shape, json, ...row }) => ({ ...row, body: bodyOf(shape, json) }))
}
