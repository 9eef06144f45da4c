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
   * Checks what arrived at your webhook and gives its event. The secret is the client's `webhookSecret`, or
   * LEGWORK_WEBHOOK_SECRET, unless you pass another. Without a client, use `verifyWebhook`.
   */
  async verify(
    body: string | Uint8Array | ArrayBuffer,
    headers: HeadersLike,
    secret: string | readonly string[] | undefined = this.#secret ??
      readEnv('LEGWORK_WEBHOOK_SECRET'),
    options?: VerifyOptions,
  ): Promise<WebhookEvent> {
    if (secret === undefined)
      throw new TypeError('There is no webhook secret: set LEGWORK_WEBHOOK_SECRET or pass it')
    return verifyWebhook(body, headers, secret, options)
  }

  /** The tries to send you events, newest first, and how your receivers are. */
  deliveries(
    query?: Query<'GET /webhooks/deliveries'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /webhooks/deliveries'>> {
    return this.#requests.send('GET /webhooks/deliveries', { query }, options)
  }

  /** Sends you an event to try. With `tampered`, one whose signature is wrong: your receiver should refuse it. */
  ping(
    body: Body<'POST /webhooks/ping'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /webhooks/ping'>> {
    return this.#requests.send('POST /webhooks/ping', { body }, options)
  }

  /** Makes a new secret, shown this once; deliveries are signed with both for a while. */
  rotateSecret(
    body: Body<'POST /webhooks/rotate-secret'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /webhooks/rotate-secret'>> {
    return this.#requests.send('POST /webhooks/rotate-secret', { body }, options)
  }
}

/** Your calls that were refused or failed, for seven days. */
export class RequestLog {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** A page of them, newest first. */
  list(query?: Query<'GET /requests'>, options?: CallOptions): Promise<Answer<'GET /requests'>> {
    return this.#requests.send('GET /requests', { query }, options)
  }

  /** One of them whole, by the `requestId` of the error: what was sent, and what was answered. */
  async get(id: string, options?: CallOptions): Promise<Answer<'GET /requests/{id}'>['request']> {
    return (await this.#requests.send('GET /requests/{id}', { id }, options)).request
  }
}
