/** Whether what arrived at your webhook is from us: Standard Webhooks, by WebCrypto, for every runtime. */
import type { Events } from './types.ts'

const TOLERANCE_S = 300
/** We send two during a rotation; whoever sends thousands wants us to compute. */
const SIGNATURES_MAX = 10

/** An event as it is delivered; `type` tells which. */
export type WebhookEvent = Events[keyof Events]

/** Headers as a `Request` has them, or as Node's server does. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /** How old or how early a delivery may be, 300 seconds by default. */
  toleranceS?: number | undefined
  /** The time that counts as now. */
  now?: Date | undefined
}

/** What arrived is not from us, is old, or was changed on the way. Answer 401, and do nothing. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/**
 * Checks a delivery and gives its event; throws `WebhookVerificationError` otherwise. `body` must be what arrived, to
 * the byte: not parsed and written again. During a rotation pass both secrets.
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
      `The delivery is ${Math.round(Math.abs(ageS))} s ${ageS > 0 ? 'old' : 'early'}; is the clock right?`,
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
      'The signature is not of this secret; was the body read as it arrived, and is the secret that of this agent?',
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
    throw new TypeError('The webhook secret is not one: it is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
