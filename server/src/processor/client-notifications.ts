/** Reads the processor's notifications after verifying their signature. */
import type Stripe from 'stripe'

/** Older notifications could be a replay attack. */
const AGE_MAX_SECONDS = 300

/** A notification only says where to look: its subject is always fetched again. */
export interface Notification {
  id: string
  type: string
  /** The worker's account in which it happened; undefined for our own. */
  account: string | undefined
  /** Stripe also sends test-mode events to the live endpoint for connected accounts. */
  livemode: boolean
  createdAt: Date
  /** Undefined for events without an object id: `balance.available`, `v2.core.account_link.returned`. */
  objectId: string | undefined
  objectType: string
  payload: unknown
}

export interface Receipt {
  /** Any of these may have signed it, so that a secret can be rotated without a gap. */
  secrets: readonly string[]
  now: Date
}

interface Related {
  id?: string
  type: string
}

/** Undefined if it is not signed by any of the secrets, too old, or not of this kind. */
export function readSnapshot(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  { secrets, now }: Receipt,
): Notification | undefined {
  return firstOf(secrets, (secret) =>
    fromSnapshot(
      stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        AGE_MAX_SECONDS,
        undefined,
        now.getTime(),
      ),
    ),
  )
}

/** Like `readSnapshot`, for thin events, which carry no object. */
export function readThin(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  { secrets, now }: Receipt,
): Notification | undefined {
  return firstOf(secrets, (secret) => {
    const event = stripe.parseEventNotification(
      body,
      signature,
      secret,
      AGE_MAX_SECONDS,
      undefined,
      now.getTime(),
    )
    // Some types have none, and the package does not declare it for types that it does not know.
    const { related_object: related } = event as { related_object?: Related | null }
    return checked({
      id: event.id,
      type: event.type,
      account: event.context?.toString() || undefined,
      livemode: event.livemode,
      createdAt: new Date(event.created),
      objectId: related?.id,
      objectType: related?.type ?? 'unknown',
      payload: JSON.parse(body.toString('utf8')) as unknown,
    })
  })
}

export function fromSnapshot(event: Stripe.Event): Notification {
  const object = event.data.object as { id?: string; object?: string }
  return checked({
    id: event.id,
    type: event.type,
    account: event.account,
    livemode: event.livemode,
    createdAt: new Date(event.created * 1000),
    objectId: object.id,
    objectType: object.object ?? 'unknown',
    payload: event,
  })
}

function checked(notification: Notification): Notification {
  const { id, type, livemode, createdAt } = notification
  const isWhole =
    typeof id === 'string' && typeof type === 'string' && typeof livemode === 'boolean'
  if (!isWhole || Number.isNaN(createdAt.getTime())) throw new TypeError('not a notification')
  return notification
}

function firstOf<T>(secrets: readonly string[], read: (secret: string) => T): T | undefined {
  for (const secret of secrets) {
    try {
      return read(secret)
    } catch {
      // Try the next secret.
    }
  }
  return undefined
}
