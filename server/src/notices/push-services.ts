/**
 * Sends messages to a device's push service: encrypted, so that only the device can read them (RFC 8291), and signed,
 * so that the service can identify us (VAPID, RFC 8292). The service's URL comes from a browser and is untrusted, so
 * the connection's address is checked, as for agents' servers.
 */
import { createECDH } from 'node:crypto'
import type { Selectable } from 'kysely'
import webPush, { type Urgency } from 'web-push'
import type { Config } from '../config.ts'
import type { Schema } from '../kit/schema.ts'
import { type Caller, openCaller, type Reply } from '../webhooks/call.ts'

export type Device = Pick<
  Selectable<Schema['push_subscriptions']>,
  'id' | 'endpoint' | 'p256dh' | 'auth' | 'server_key'
>

export interface Message {
  content: object
  /** How long the service keeps the message for a device that is off. */
  seconds: number
  urgency: Urgency
  /** Replaces a message with the same topic that the service has not delivered yet. */
  topic: string
}

/**
 * `gone`: the subscription no longer exists. `refused`: the service rejects this message permanently. `failed`: a retry
 * may succeed.
 */
export type Outcome =
  | { outcome: 'accepted' | 'gone' | 'refused' }
  | { outcome: 'failed'; retryAfterMs?: number }

const opened = new WeakMap<Config, Caller>()

export const canPush = ({ PUSH_PUBLIC_KEY }: Config) => PUSH_PUBLIC_KEY !== undefined

/** Call on shutdown: connections stay open between pushes. */
export async function closePush(config: Config): Promise<void> {
  await opened.get(config)?.close()
  opened.delete(config)
}

export async function pushTo(config: Config, device: Device, message: Message): Promise<Outcome> {
  const caller = opened.get(config) ?? openCaller(config)
  opened.set(config, caller)
  const pair = pairFor(config, device)
  if (pair === undefined) return { outcome: 'gone' }
  const { headers, body } = seal(
    device,
    // Tells a device with an old key to subscribe again with the current one.
    pair.publicKey === config.PUSH_PUBLIC_KEY
      ? message
      : { ...message, content: { ...message.content, server_key: config.PUSH_PUBLIC_KEY } },
    { ...pair, subject: config.PUSH_SUBJECT },
  )
  return judge(await caller.post({ url: device.endpoint, headers, body }))
}

interface Pair {
  publicKey: string
  privateKey: string
}

/**
 * A push service accepts only signatures of the key pair with which the device subscribed; undefined if we no longer
 * have it.
 */
function pairFor(config: Config, { server_key }: Device): Pair | undefined {
  const current = { publicKey: config.PUSH_PUBLIC_KEY!, privateKey: config.PUSH_PRIVATE_KEY! }
  const old = oldPair(config)
  // Subscriptions from before this column used the pair that was replaced first.
  if (server_key === null) return old ?? current
  return [current, old].find((pair) => pair?.publicKey === server_key)
}

/** The pair that PUSH_PUBLIC_KEY replaced. */
export function oldPair({ PUSH_OLD_PRIVATE_KEY: privateKey }: Config): Pair | undefined {
  if (privateKey === undefined) return undefined
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'base64url')
  return { publicKey: pair.getPublicKey('base64url'), privateKey }
}

function seal(
  device: Device,
  { content, seconds, urgency, topic }: Message,
  vapidDetails: Pair & { subject: string },
) {
  const { endpoint, p256dh, auth } = device
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(content),
    {
      vapidDetails,
      TTL: seconds,
      urgency,
      topic,
    },
  )
  const named = Object.entries(headers as Record<string, string | number>).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ])
  return {
    headers: { ...Object.fromEntries(named), 'user-agent': 'Legwork-Push/1' },
    body: body!,
  }
}

function judge(reply: Reply): Outcome {
  if (reply.status === undefined) return { outcome: 'failed' }
  const { status, retryAfterMs } = reply
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status === 429 || status >= 500)
    return { outcome: 'failed', ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { outcome: 'refused' }
}
