import type { CallOptions } from './call-options.ts'
import { readEnv, type Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import {
  type HeadersLike,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
} from './webhooks.ts'

export class Webhooks {
  readonly #requests: Requests
  readonly #secret: string | undefined

  constructor(requests: Requests, { secret }: { secret: string | undefined }) {
    this.#requests = requests
    this.#secret = secret
  }

  /**
   * Verifies a webhook request and returns its event. The secret defaults to the client's `webhookSecret` or
   * LEGWORK_WEBHOOK_SECRET. Without a client, use `verifyWebhook`.
   */
  async verify(
    body: string | Uint8Array | ArrayBuffer,
    headers: HeadersLike,
    secret: string | readonly string[] | undefined = this.#secret ??
      readEnv('LEGWORK_WEBHOOK_SECRET'),
    options?: VerifyOptions,
  ): Promise<WebhookEvent> {
    if (secret === undefined)
      throw new TypeError('No webhook secret: set LEGWORK_WEBHOOK_SECRET or pass it')
    return verifyWebhook(body, headers, secret, options)
  }

  /** Delivery attempts, newest first, and the health of your receivers. */
  deliveries(
    query?: Query<'GET /webhooks/deliveries'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /webhooks/deliveries'>> {
    return this.#requests.send('GET /webhooks/deliveries', { query }, options)
  }

  /** Sends a test event. With `tampered` its signature is wrong, and your receiver should reject it. */
  ping(
    body: Body<'POST /webhooks/ping'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /webhooks/ping'>> {
    return this.#requests.send('POST /webhooks/ping', { body }, options)
  }

  /** Creates a new webhook secret, shown only once. Deliveries are signed with both secrets during the rotation. */
  rotateSecret(
    body: Body<'POST /webhooks/rotate-secret'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /webhooks/rotate-secret'>> {
    return this.#requests.send('POST /webhooks/rotate-secret', { body }, options)
  }
}

/** Your rejected and failed requests, kept for seven days. */
export class RequestLog {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** A page of rejected and failed requests, newest first. */
  list(query?: Query<'GET /requests'>, options?: CallOptions): Promise<Answer<'GET /requests'>> {
    return this.#requests.send('GET /requests', { query }, options)
  }

  /** One request by the `requestId` of its error, with both bodies. */
  async get(id: string, options?: CallOptions): Promise<Answer<'GET /requests/{id}'>['request']> {
    return (await this.#requests.send('GET /requests/{id}', { id }, options)).request
  }
}
