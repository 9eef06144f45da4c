/** The sandbox itself: its clock, webhooks, faults and settings, and a view of all its data. */
import type Stripe from 'stripe'
import { balanceOf, viewTransaction } from './balance.ts'
import { advanceClock } from './clock.ts'
import { type ControlRoute, control, inTx } from './control-route.ts'
import { listEndpoints, putEndpoint } from './endpoints.ts'
import { notFound } from './errors.ts'
import { queueDelivery } from './events.ts'
import { addFault, clearFaults, faultParams, listFaults } from './faults.ts'
import {
  countAll,
  countDeliveries,
  findAny,
  isKind,
  listBodies,
  listDeliveries,
  listEvents,
  listKind,
} from './inspect.ts'
import { KINDS } from './objects.ts'
import { boolean, integer, list, oneOf, probability, required, text, url } from './params.ts'
import type { Sandbox } from './sandbox.ts'
import { readSetting, readSettings, writeSetting } from './settings.ts'
import { PLATFORM, type Tx } from './tx.ts'

const SEED = integer({ min: 0 })
const LIMIT = integer({ min: 1 })

const viewClock = (sandbox: Sandbox) => ({
  now: new Date(sandbox.now()).toISOString(),
  seconds: Math.floor(sandbox.now() / 1000),
  skew_seconds: readSetting(sandbox.store, 'skew_ms') / 1000,
})

export const machineRoutes: ControlRoute[] = [
  control('GET', 'clock', {}, viewClock),
  control('POST', 'clock/advance', { seconds: required(integer({ min: 0 })) }, (sandbox, call) => {
    sandbox.transaction((tx) => advanceClock(tx, call.params.seconds))
    // Run what has become due now, before the next request.
    sandbox.transaction(() => {})
    return viewClock(sandbox)
  }),
  control(
    'POST',
    'endpoints',
    {
      kind: required(oneOf('account', 'connect', 'v2')),
      url: required(url),
      secret: required(text()),
      enabled_events: list(text()),
    },
    inTx((tx, { params: { enabled_events, ...params } }) =>
      putEndpoint(tx, { ...params, enabledEvents: enabled_events }),
    ),
  ),
  control(
    'GET',
    'endpoints',
    {},
    inTx((tx) => ({ data: listEndpoints(tx) })),
  ),
  control(
    'GET',
    'events',
    { limit: LIMIT, starting_after: text(), object: text(), id: text() },
    inTx((tx, { params }) => ({
      data: listEvents(tx, {
        limit: params.limit,
        startingAfter: params.starting_after,
        objectId: params.object,
        id: params.id,
      }),
    })),
  ),
  control(
    'POST',
    'events/:id/resend',
    {},
    inTx((tx, { id }) => resend(tx, id)),
  ),
  control(
    'GET',
    'deliveries',
    { limit: LIMIT, event: text(), state: oneOf('waiting', 'delivered', 'failed') },
    (sandbox, { params: { limit, event, state } }) =>
      sandbox.transaction((tx) => ({
        mode: modeOf(sandbox),
        policy: readSetting(tx.store, 'delivery_policy'),
        counts: countDeliveries(tx),
        data: listDeliveries(tx, { limit, eventId: event, state }),
      })),
  ),
  control(
    'POST',
    'deliveries',
    { mode: required(oneOf('normal', 'hold')) },
    (sandbox, { params: { mode } }) => {
      sandbox.transaction((tx) => writeSetting(tx.store, 'hold_deliveries', mode === 'hold'))
      return { mode: modeOf(sandbox) }
    },
  ),
  control(
    'POST',
    'deliveries/release',
    {
      order: oneOf('fifo', 'lifo', 'shuffle'),
      times: integer({ min: 1, max: 100 }),
      drop: probability,
      seed: SEED,
    },
    (sandbox, { params: { order = 'fifo', times = 1, drop = 0, seed = 1 } }) =>
      sandbox.deliveries.release({ order, times, drop, seed }),
  ),
  control(
    'POST',
    'deliveries/policy',
    { duplicate: probability, shuffle: boolean, drop: probability, seed: SEED },
    (sandbox, { params: { duplicate = 0, shuffle = false, drop = 0, seed = 1 } }) => {
      const policy = { duplicate, shuffle, drop, seed }
      sandbox.transaction((tx) => writeSetting(tx.store, 'delivery_policy', policy))
      sandbox.deliveries.seed(seed)
      return policy
    },
  ),
  control('POST', 'deliveries/flush', {}, async (sandbox) => {
    await sandbox.deliveries.flush()
    return sandbox.store.one<{ waiting: number }>(
      `select count(*) as waiting from deliveries indexed by deliveries_waiting where state = 'waiting'`,
    )!
  }),
  control('GET', 'faults', {}, (sandbox) => ({ data: listFaults(sandbox.store) })),
  control('POST', 'faults', faultParams, (sandbox, { params }) =>
    sandbox.transaction((tx) => addFault(tx.store, params)),
  ),
  control('DELETE', 'faults', {}, (sandbox) => {
    sandbox.transaction((tx) => clearFaults(tx.store))
    return { data: [] }
  }),
  control('GET', 'settings', {}, (sandbox) => readSettings(sandbox.store)),
  control(
    'POST',
    'settings',
    {
      available_delay_seconds: integer({ min: 0 }),
      asynchronous_capture: boolean,
      pending_refunds: boolean,
      countered_fee: integer({ min: 0 }),
    },
    (sandbox, { params }) => {
      sandbox.transaction((tx) => {
        for (const [name, value] of Object.entries(params))
          if (value !== undefined) writeSetting(tx.store, name as keyof typeof params, value)
      })
      return readSettings(sandbox.store)
    },
  ),
  control('POST', 'reset', {}, (sandbox) => {
    sandbox.transaction(reset)
    return {}
  }),
  control(
    'GET',
    'state',
    {},
    inTx((tx) => ({
      now: tx.now,
      balance: balanceOf(tx),
      counts: countAll(tx),
      deliveries: countDeliveries(tx),
      settings: readSettings(tx.store),
      endpoints: listEndpoints(tx),
      faults: listFaults(tx.store),
      objects: Object.fromEntries(KINDS.map((kind) => [kind, listKind(tx, kind)])),
      balance_transactions: balanceTransactions(tx),
    })),
  ),
  control(
    'GET',
    'objects/:kind',
    { limit: LIMIT, starting_after: text(), account: text() },
    inTx((tx, { id: kind, params: { limit, starting_after, account } }) => {
      if (kind === 'event') return { data: listBodies(tx) }
      if (kind === 'balance_transaction') return { data: balanceTransactions(tx, account) }
      if (!isKind(kind)) throw notFound('kind of object', kind)
      return { data: listKind(tx, kind, { limit, startingAfter: starting_after, account }) }
    }),
  ),
  control(
    'GET',
    'object/:id',
    {},
    inTx((tx, { id }) => {
      const found = findAny(tx, id)
      if (found === undefined) throw notFound('object', id)
      return found
    }),
  ),
]

function modeOf(sandbox: Sandbox): 'hold' | 'normal' {
  return readSetting(sandbox.store, 'hold_deliveries') ? 'hold' : 'normal'
}

function balanceTransactions(tx: Tx, account?: string): object[] {
  return tx.store
    .all<{ account: string; json: string }>(
      `select account, json from balance_transactions where (? is null or account = ?)
         order by seq desc`,
      account ?? null,
      account ?? null,
    )
    .map((row) => ({
      account: row.account,
      ...viewTransaction(tx, JSON.parse(row.json) as Stripe.BalanceTransaction),
    }))
}

/** Sends an event again to its original endpoints. */
function resend(tx: Tx, eventId: string): object {
  const [event] = listEvents(tx, { id: eventId })
  if (event === undefined) throw notFound('event', eventId)
  const kind = event.shape === 'thin' ? 'v2' : event.account === PLATFORM ? 'account' : 'connect'
  const endpoints = listEndpoints(tx).filter((endpoint) => endpoint.kind === kind)
  for (const endpoint of endpoints) queueDelivery(tx, eventId, endpoint.id)
  return { id: eventId, deliveries: endpoints.length }
}

/** Deletes everything except the endpoints, which keep receiving events. */
function reset(tx: Tx): void {
  for (const table of [
    'objects',
    'balance_transactions',
    'balances',
    'events',
    'deliveries',
    'attempts',
    'idempotency_keys',
    'links',
    'faults',
    'settings',
  ])
    tx.store.run(`delete from ${table}`)
}
