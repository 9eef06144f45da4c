/** Verifies webhooks (Standard Webhooks) with WebCrypto, in every runtime. */
import type { Events } from './types.ts'

const TOLERANCE_S = 300
/** We send two signatures during a rotation. More than this many is an attack on your CPU. */
const SIGNATURES_MAX = 10

/** The body of a webhook; `type` tells the event. */
export type WebhookEvent = Events[keyof Events]

/** Headers of a `Request`, or of Node's `IncomingMessage`. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /** Maximum difference between the webhook's timestamp and now, 300 seconds by default. */
  toleranceS?: number | undefined
  /** The current time, for tests. */
  now?: Date | undefined
}

/** The webhook has a wrong signature, is too old, or was modified. Respond with 401 and ignore it. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/**
 * Verifies a webhook and returns its event, or throws `WebhookVerificationError`. `body` must be the raw bytes of the
 * request, not parsed and serialized again. During a rotation pass both secrets.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[],
  { toleranceS = TOLERANCE_S, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id')
  const sentAt = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ', SIGNATURES_MAX)
  if (!/^\d+$/.test(sentAt)) throw new WebhookVerificationError('webhook-timestamp is not a number')
  const ageS = now.getTime() / 1000 - Number(sentAt)
  if (Math.abs(ageS) > toleranceS)
    throw new WebhookVerificationError(
      `The delivery is ${Math.round(Math.abs(ageS))} s ${ageS > 0 ? 'old' : 'early'}; check your server's clock`,
    )

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const content = new TextEncoder().encode(`${id}.${sentAt}.${text}`)
  let isOurs = false
  for (const one of [secret].flat()) {
    const key = await importKey(one)
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
      // Compares in constant time, whatever the signature.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) isOurs = true
    }
  }
  if (!isOurs)
    throw new WebhookVerificationError(
      'The signature does not match; check that the body is unmodified and the secret belongs to this agent',
    )
  return JSON.parse(text) as WebhookEvent
}

function readHeader(headers: HeadersLike, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as { get(name: string): string | null }).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '')
    throw new WebhookVerificationError(`The header ${name} is missing`)
  return text
}

function importKey(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('Invalid webhook secret: it must be whsec_ followed by base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
