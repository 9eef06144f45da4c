/** What the processor tells us, once it is certain that the processor has said it. */
import type Stripe from 'stripe'

/** Older ones could be a recording. */
const AGE_MAX_SECONDS = 300

/** It only says where to look: whatever it is about is fetched anew. */
export interface Notification {
  id: string
  type: string
  /** The worker's account that it happened in; undefined for our own. */
  account: string | undefined
  /** Stripe sends what happens in test mode to the live address of connected accounts, too. */
  livemode: boolean
  createdAt: Date
  /** Undefined for what has no id: `balance.available`, `v2.core.account_link.returned`. */
  objectId: string | undefined
  objectType: string
  payload: unknown
}

export interface Receipt {
  /** Any of them may have signed, so that a secret can be exchanged without a gap. */
  secrets: readonly string[]
  now: Date
}

interface Related {
  id?: string
  type: string
}

/** Undefined: not signed by any of the secrets, too old, or not one of this kind. */
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

/** As `readSnapshot`, for the kind that carries no object. */
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
    // Some kinds have none, and of the kinds that this version does not know nothing is said.
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
  if (!isWhole || Number.isNaN(createdAt.getTime())) throw new TypeError('no notification')
  return notification
}

function firstOf<T>(secrets: readonly string[], read: (secret: string) => T): T | undefined {
  for (const secret of secrets) {
    try {
      return read(secret)
    } catch {
      // Another secret may have signed it.
    }
  }
  return undefined
}
