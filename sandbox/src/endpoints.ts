/** Webhook endpoints: for our own account, for connected accounts, and for thin events. */
import type Stripe from 'stripe'
import { notFound } from './errors.ts'
import { API_VERSION } from './events.ts'
import { readPage } from './objects.ts'
import { boolean, list, metadata, paging, required, text, url } from './params.ts'
import { newId, secret as newSecret } from './random.ts'
import { route } from './route.ts'
import type { Tx } from './tx.ts'

export type EndpointKind = 'account' | 'connect' | 'v2'

export interface Endpoint {
  id: string
  kind: EndpointKind
  url: string
  secret: string
  enabled_events: string[]
}

interface EndpointParams {
  kind: EndpointKind
  url: string
  secret?: string | undefined
  enabledEvents?: string[] | undefined
  description?: string | undefined
  metadata?: Stripe.Metadata | undefined
}

/** For the control API: registering the same kind and URL again sets the new secret. */
export function putEndpoint(tx: Tx, given: EndpointParams): Stripe.WebhookEndpoint {
  const known = tx.store.one<{ id: string }>(
    'select id from endpoints where kind = ? and url = ?',
    given.kind,
    given.url,
  )
  return storeEndpoint(tx, known?.id ?? newId('we'), given)
}

function storeEndpoint(tx: Tx, id: string, given: EndpointParams): Stripe.WebhookEndpoint {
  const secret = given.secret ?? `whsec_${newSecret(32)}`
  const events = given.enabledEvents ?? ['*']
  const endpoint = {
    id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: tx.now,
    description: given.description ?? null,
    enabled_events: events,
    livemode: false,
    metadata: given.metadata ?? {},
    status: 'enabled',
    url: given.url,
  } satisfies Stripe.WebhookEndpoint
  tx.store.run(
    `insert into endpoints (id, kind, url, secret, enabled_events, created, json)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update
         set secret = excluded.secret, enabled_events = excluded.enabled_events, json = excluded.json`,
    id,
    given.kind,
    given.url,
    secret,
    JSON.stringify(events),
    tx.now,
    JSON.stringify(endpoint),
  )
  // The secret is shown only once.
  return { ...endpoint, secret }
}

export function listEndpoints(tx: Tx): Endpoint[] {
  return tx.store
    .all<Omit<Endpoint, 'enabled_events'> & { enabled_events: string }>(
      'select id, kind, url, secret, enabled_events from endpoints order by seq',
    )
    .map((row) => ({ ...row, enabled_events: JSON.parse(row.enabled_events) as string[] }))
}

export const endpointRoutes = [
  route({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: {
      url: required(url),
      enabled_events: required(list(text())),
      connect: boolean,
      api_version: text(),
      description: text(),
      metadata,
    },
    run: (tx, { params }) =>
      storeEndpoint(tx, newId('we'), {
        kind: params.connect ? 'connect' : 'account',
        url: params.url,
        enabledEvents: params.enabled_events,
        description: params.description,
        metadata: params.metadata,
      }),
  }),

  route({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: paging,
    run: (tx, { params, path }) =>
      readPage<Stripe.WebhookEndpoint>(tx, {
        from: 'endpoints',
        conditions: [`kind <> 'v2'`],
        values: [],
        paging: params,
        url: path,
        kind: 'webhook_endpoint',
      }),
  }),

  route({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const { changes } = tx.store.run('delete from endpoints where id = ?', id)
      if (changes === 0) throw notFound('webhook_endpoint', id)
      tx.store.run(`delete from deliveries where endpoint_id = ? and state = 'waiting'`, id)
      return {
        id,
        object: 'webhook_endpoint',
        deleted: true,
      } satisfies Stripe.DeletedWebhookEndpoint
    },
  }),
]
