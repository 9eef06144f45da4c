/**
 * Receive the processor's notifications: verify, store once, and leave the rest to a job. This keeps the response fast,
 * and a burst costs only one insert each.
 *
 *   called by   the processor, at three endpoints with a secret each: our own account, workers' accounts, thin events
 *   moves       nothing
 *   money       none
 *   event       processor.notified (ours, not sent to webhooks), once for each notification
 */
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../kit/db.ts'
import { type Answer, answerWith, endpoint, type Given } from '../kit/endpoint.ts'
import { bodyTooLarge } from '../kit/errors.ts'
import { reached } from '../kit/crash-points.ts'
import type { Notification } from './client-notifications.ts'
import { processorOf } from './client.ts'
import { notificationRefused, notificationsOff } from './errors.ts'
import { type EventSource, storeNotification } from './events.ts'

const BODY_MAX_BYTES = 262_144

const Received = z.object({ received: z.literal(true) })

/** Settings shared by the three endpoints. */
const TAKES = {
  auth: 'none',
  access: { by: 'signature' },
  limits: ['notify'],
  isInternal: true,
  raw: 'application/json',
  bodyMaxBytes: BODY_MAX_BYTES,
  success: { status: 200, body: Received },
  errors: [notificationsOff, notificationRefused, bodyTooLarge],
} as const

export const receiveAccount = endpoint({
  method: 'POST',
  path: '/processor/account',
  name: 'receiveAccountNotification',
  readOnlyMode: 'served',
  summary: 'Receive a notification about our own account at the processor',
  ...TAKES,
  transaction: 'own',
  handler: (request) => receive(request, 'account', request.config.STRIPE_SECRETS_ACCOUNT),
})

export const receiveConnect = endpoint({
  method: 'POST',
  path: '/processor/connect',
  name: 'receiveConnectNotification',
  readOnlyMode: 'served',
  summary: 'Receive a notification about a worker’s account at the processor',
  ...TAKES,
  transaction: 'own',
  handler: (request) => receive(request, 'connect', request.config.STRIPE_SECRETS_CONNECT),
})

export const receiveThin = endpoint({
  method: 'POST',
  path: '/processor/v2',
  name: 'receiveThinNotification',
  readOnlyMode: 'served',
  summary: 'Receive a thin notification from the processor',
  ...TAKES,
  transaction: 'own',
  handler: (request) => receive(request, 'v2', request.config.STRIPE_SECRETS_V2),
})

type Request = Pick<Given, 'now'> & {
  db: Db
  config: Config
  headers: Record<string, string | string[] | undefined>
  bytes: Readable
}

async function receive(
  { db, config, headers, bytes, now }: Request,
  source: EventSource,
  secrets: readonly string[],
): Promise<Answer> {
  const processor = processorOf(config)
  // Anyone could forge a signature with an empty secret.
  if (processor === undefined || secrets.length === 0) throw notificationsOff()

  const body = await readBody(bytes)
  const signature = String(headers['stripe-signature'] ?? '')
  const read = source === 'v2' ? processor.readThin : processor.readSnapshot
  const notification = read(body, signature, { secrets, now })
  if (notification === undefined) throw notificationRefused()

  // Test-mode events are also sent to the live endpoint for workers' accounts. If we refused them, they would be resent
  // for days and the endpoint would finally be disabled.
  if (notification.livemode === processor.livemode) {
    await store(db, { source, notification, now })
    reached(config, 'notification.stored')
  }
  return answerWith(200, { received: true } satisfies z.input<typeof Received>, [])
}

function store(
  db: Db,
  event: { source: EventSource; notification: Notification; now: Date },
): Promise<boolean> {
  return db.transaction((tx) => storeNotification(tx, event))
}

async function readBody(bytes: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes as AsyncIterable<string | Buffer>) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    length += part.length
    if (length > BODY_MAX_BYTES) throw bodyTooLarge({ limit_bytes: BODY_MAX_BYTES })
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}
