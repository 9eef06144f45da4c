/**
 * Events, in the processor's format. An event is stored in the transaction that causes it, together with one delivery
 * for each subscribed endpoint; deliver.ts sends them.
 */
import type Stripe from 'stripe'
import { notFound } from './errors.ts'
import { addRange, readPage } from './objects.ts'
import { boolean, list, paging, range, text } from './params.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { PLATFORM, type Tx } from './tx.ts'

export const API_VERSION = '2026-10-28.endive'

const KEPT_SECONDS = 30 * 24 * 3600

/** Records a snapshot event: about our own account or, in a transaction of a connected account, about that account. */
export function recordEvent(
  tx: Tx,
  type: Stripe.Event.Type,
  object: object,
  previous?: Record<string, unknown>,
): void {
  const isOurs = tx.account === PLATFORM
  const endpoints = endpointsFor(tx, isOurs ? 'account' : 'connect', type)
  const event = {
    id: newId('evt'),
    object: 'event',
    ...(isOurs ? {} : { account: tx.account }),
    api_version: API_VERSION,
    created: tx.now,
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: tx.request,
    type,
  } satisfies Stripe.EventBase
  const objectId = 'id' in object ? String(object.id) : ''
  storeEvent(tx, { shape: 'snapshot', event, objectId, endpoints })
}

export type ThinEventType = Stripe.V2.Core.Event['type']

/** Records a thin event, which only references its object; the receiver fetches it. */
export function recordThinEvent(
  tx: Tx,
  type: ThinEventType,
  { accountId, isRelated = true, data }: { accountId: string; isRelated?: boolean; data?: object },
): void {
  const event = {
    id: newId('evt'),
    object: 'v2.core.event',
    created: new Date(tx.nowMs).toISOString(),
    livemode: false,
    ...(tx.request.id === null
      ? {}
      : {
          reason: {
            type: 'request',
            request: { id: tx.request.id, idempotency_key: tx.request.idempotency_key ?? '' },
          },
        }),
    ...(isRelated
      ? {
          related_object: {
            id: accountId,
            type: 'v2.core.account',
            url: `/v2/core/accounts/${accountId}`,
          } satisfies Stripe.V2.Core.Events.RelatedObject,
        }
      : {}),
    ...(data === undefined ? {} : { data }),
    type,
  } satisfies Stripe.V2.Core.EventBase & { related_object?: object; data?: object }
  const endpoints = endpointsFor(tx, 'v2', type)
  storeEvent(tx, { shape: 'thin', event, objectId: accountId, endpoints })
}

function endpointsFor(tx: Tx, kind: 'account' | 'connect' | 'v2', type: string): string[] {
  return tx.store
    .all<{ id: string; enabled_events: string }>(
      'select id, enabled_events from endpoints where kind = ?',
      kind,
    )
    .filter(({ enabled_events }) => {
      const wanted = JSON.parse(enabled_events) as string[]
      return wanted.includes('*') || wanted.includes(type)
    })
    .map(({ id }) => id)
}

function storeEvent(
  tx: Tx,
  {
    shape,
    event,
    objectId,
    endpoints,
  }: {
    shape: 'snapshot' | 'thin'
    event: { id: string; type: string }
    objectId: string
    endpoints: string[]
  },
): void {
  tx.store.run(
    `insert into events (id, shape, account, type, object_id, created, json) values (?, ?, ?, ?, ?, ?, ?)`,
    event.id,
    shape,
    tx.account,
    event.type,
    objectId,
    tx.now,
    JSON.stringify(event),
  )
  for (const endpointId of endpoints) queueDelivery(tx, event.id, endpointId)
}

export function queueDelivery(tx: Tx, eventId: string, endpointId: string): number {
  return tx.store.run(
    `insert into deliveries (event_id, endpoint_id, state, due_at) values (?, ?, 'waiting', ?)`,
    eventId,
    endpointId,
    Date.now(),
  ).lastId
}

/** The bytes to send: for a thin event, everything except its data. */
export function bodyOf(shape: 'snapshot' | 'thin', json: string): string {
  if (shape === 'snapshot') return json
  const { data: _, ...thin } = JSON.parse(json) as Record<string, unknown>
  return JSON.stringify(thin)
}

/** An event counts as delivered to an endpoint after one success, however many other deliveries to it failed. */
const undelivered = (eventId: string) => `
  from deliveries as missed
  where missed.event_id = ${eventId} and missed.state <> 'delivered' and not exists (
    select 1 from deliveries as taken
    where taken.event_id = missed.event_id and taken.endpoint_id = missed.endpoint_id
      and taken.state = 'delivered'
  )`

function withPendingWebhooks(tx: Tx, event: Stripe.EventBase): Stripe.EventBase {
  const { count } = tx.store.one<{ count: number }>(
    `select count(distinct missed.endpoint_id) as count ${undelivered('?')}`,
    event.id,
  )!
  return { ...event, pending_webhooks: count }
}

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/v1/events',
    params: {
      ...paging,
      created: range,
      delivery_success: boolean,
      type: text(),
      types: list(text(), { max: 20 }),
    },
    run(tx, { params: { created, delivery_success, type, types, ...page }, path }) {
      const conditions = [`shape = 'snapshot'`, 'account = ?', 'created > ?']
      const values: (string | number)[] = [tx.account, tx.now - KEPT_SECONDS]
      addRange(conditions, values, 'created', created)
      const wanted = types ?? (type === undefined ? [] : [type])
      if (wanted.length > 0) {
        conditions.push(`type in (${wanted.map(() => '?').join(', ')})`)
        values.push(...wanted)
      }
      // Undelivered means still waiting or given up. An event without a subscribed endpoint counts as delivered. The
      // query starts from the few missed deliveries.
      const isUndelivered = `id in (
        select event_id from deliveries indexed by deliveries_missed where state <> 'delivered'
      ) and exists (select 1 ${undelivered('events.id')})`
      if (delivery_success !== undefined)
        conditions.push(delivery_success ? `not (${isUndelivered})` : isUndelivered)
      const found = readPage<Stripe.EventBase>(tx, {
        from: 'events',
        conditions,
        values,
        paging: page,
        url: path,
        kind: 'event',
      })
      return { ...found, data: found.data.map((event) => withPendingWebhooks(tx, event)) }
    },
  }),

  route({
    method: 'GET',
    path: '/v1/events/:id',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const row = tx.store.one<{ json: string }>(
        `select json from events where id = ? and shape = 'snapshot' and account = ? and created > ?`,
        id,
        tx.account,
        tx.now - KEPT_SECONDS,
      )
      if (row === undefined) throw notFound('event', id)
      return withPendingWebhooks(tx, JSON.parse(row.json) as Stripe.EventBase)
    },
  }),

  route({
    method: 'GET',
    path: '/v2/core/events/:id',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const row = tx.store.one<{ json: string }>(
        `select json from events where id = ? and shape = 'thin' and created > ?`,
        id,
        tx.now - KEPT_SECONDS,
      )
      if (row === undefined) throw notFound('event', id)
      return JSON.parse(row.json) as object
    },
  }),
]
