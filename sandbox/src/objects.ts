/** The objects of the API: stored as the API shows them, found by id and listed newest first. */
import type Stripe from 'stripe'
import type { AccountRecord } from './account-record.ts'
import { invalidRequest, notFound } from './errors.ts'
import type { Range } from './params.ts'
import { indexOf, isIndexed } from './store.ts'
import type { Tx } from './tx.ts'

export interface Objects {
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  transfer: Stripe.Transfer
  transfer_reversal: Stripe.TransferReversal
  payout: Stripe.Payout
  topup: Stripe.Topup
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning
  /** Both API versions' views of a connected account are derived from this. */
  account: AccountRecord
}
export type Kind = keyof Objects

export const KINDS = [
  'checkout.session',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'transfer',
  'transfer_reversal',
  'payout',
  'topup',
  'radar.early_fraud_warning',
  'account',
] as const satisfies Kind[]

export function insertObject<K extends Kind>(
  tx: Tx,
  kind: K,
  object: Objects[K],
  hidden?: unknown,
): Objects[K] {
  tx.store.run(
    'insert into objects (id, kind, account, created, json, hidden) values (?, ?, ?, ?, ?, ?)',
    object.id,
    kind,
    tx.account,
    tx.now,
    JSON.stringify(object),
    hidden === undefined ? null : JSON.stringify(hidden),
  )
  return object
}

export function updateObject<K extends Kind>(
  tx: Tx,
  kind: K,
  object: Objects[K],
  changes: Partial<Objects[K]>,
): Objects[K] {
  const changed = { ...object, ...changes }
  tx.store.run(
    'update objects set json = ? where id = ? and kind = ?',
    JSON.stringify(changed),
    object.id,
    kind,
  )
  return changed
}

export function findObject<K extends Kind>(tx: Tx, kind: K, id: string): Objects[K] | undefined {
  const row = tx.store.one<{ json: string }>(
    'select json from objects where id = ? and kind = ? and account = ?',
    id,
    kind,
    tx.account,
  )
  return row === undefined ? undefined : (JSON.parse(row.json) as Objects[K])
}

/** With `param`, the id came from that parameter; without it, from the path. */
export function getObject<K extends Kind>(tx: Tx, kind: K, id: string, param?: string): Objects[K] {
  const found = findObject(tx, kind, id)
  if (found === undefined) throw notFound(kind, id, param)
  return found
}

/** Data stored with the object that is never shown. */
export function hiddenOf<T>(tx: Tx, id: string): T {
  const row = tx.store.one<{ hidden: string | null }>('select hidden from objects where id = ?', id)
  return JSON.parse(row?.hidden ?? '{}') as T
}

export interface Paging {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

interface ListOptions extends Paging {
  /** Object fields that must be equal; an undefined one is ignored. */
  where?: Record<string, string | boolean | undefined>
  created?: Range | undefined
}

export function listObjects<K extends Kind>(
  tx: Tx,
  kind: K,
  url: string,
  { where = {}, created, ...paging }: ListOptions,
): Stripe.ApiList<Objects[K]> {
  const filters = Object.entries(where).filter(([, value]) => value !== undefined)
  const [indexed] = filters.filter(([field]) => isIndexed(kind, field))
  const conditions = [`kind = '${kind}'`, 'account = ?']
  const values: (string | number)[] = [tx.account]
  for (const [field, value] of filters) {
    conditions.push(`json_extract(json, '$.${field}') = ?`)
    values.push(typeof value === 'boolean' ? Number(value) : value!)
  }
  addRange(conditions, values, 'created', created)
  const from = indexed === undefined ? 'objects' : `objects indexed by ${indexOf(kind, indexed[0])}`
  return readPage<Objects[K]>(tx, { from, conditions, values, paging, url, kind })
}

export function addRange(
  conditions: string[],
  values: (string | number)[],
  column: string,
  range: Range | undefined,
): void {
  const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
  for (const [name, operator] of Object.entries(operators)) {
    const bound = range?.[name as keyof Range]
    if (bound === undefined) continue
    conditions.push(`${column} ${operator} ?`)
    values.push(bound)
  }
}

const LIMIT_DEFAULT = 10

/** Reads one page of any table with `seq`, `id` and `json`, newest first. */
export function readPage<T>(
  tx: Tx,
  {
    from,
    conditions,
    values,
    paging: { limit = LIMIT_DEFAULT, starting_after: after, ending_before: before },
    url,
    kind,
  }: {
    from: string
    conditions: string[]
    values: (string | number)[]
    paging: Paging
    url: string
    kind: string
  },
): Stripe.ApiList<T> {
  if (after !== undefined && before !== undefined)
    throw invalidRequest(
      'You may only specify one of these parameters: ending_before, starting_after.',
    )
  const table = from.split(' ')[0]!
  const isBackwards = before !== undefined
  const cursor = after ?? before
  const where = [...conditions]
  const bound = [...values]
  if (cursor !== undefined) {
    const row = tx.store.one<{ seq: number }>(`select seq from ${table} where id = ?`, cursor)
    if (row === undefined)
      throw notFound(kind, cursor, isBackwards ? 'ending_before' : 'starting_after')
    where.push(`seq ${isBackwards ? '>' : '<'} ?`)
    bound.push(row.seq)
  }
  const rows = tx.store.all<{ json: string }>(
    `select json from ${from} where ${where.join(' and ')}
       order by seq ${isBackwards ? 'asc' : 'desc'} limit ?`,
    ...bound,
    limit + 1,
  )
  const page = rows.slice(0, limit)
  if (isBackwards) page.reverse()
  return {
    object: 'list',
    data: page.map(({ json }) => JSON.parse(json) as T),
    has_more: rows.length > limit,
    url,
  } satisfies Stripe.ApiList<T>
}
