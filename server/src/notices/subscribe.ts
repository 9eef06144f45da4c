/**
 * List, add and remove a worker's devices. A browser belongs to one worker at a time: the next worker who logs in on it
 * takes it over. A worker has at most ten devices; adding another removes the oldest.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { ECDH } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { type Db, isUnreachable, type Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { idPattern, mintId, shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { checkField, WebhookUrl } from '../webhooks/addresses.ts'
import { pushUnavailable, subscriptionNotFound } from './errors.ts'
import { canPush } from './push-services.ts'
import { isLetIn } from './queries.ts'

const DEVICES_MAX = 10
/** An arbitrary first half of an advisory lock key; nothing else in this database may use it. */
const LOCK = 70_114

export const SubscriptionId = z.string().regex(idPattern('psh'), 'is not the id of a subscription')

const SubscriptionView = named(
  'PushSubscription',
  z.object({
    id: z.string(),
    label: z.string().nullable(),
    created_at: z.iso.datetime(),
  }),
)

const Subscription = named(
  'PushSubscriptionInput',
  z.object({
    endpoint: WebhookUrl.describe(
      'The endpoint of the browser’s PushSubscription; the keys are from there, too',
    ),
    keys: z.object({
      p256dh: z.string().max(100).refine(isPoint, 'must be a P-256 point in base64url'),
      auth: z
        .string()
        .max(50)
        .refine((auth) => bytesOf(auth).length === 16, 'must be 16 bytes in base64url'),
    }),
    public_key: z
      .string()
      .max(100)
      .refine(isPoint, 'must be a P-256 point in base64url')
      .optional()
      .describe(
        'The applicationServerKey of the subscription; by default the current `public_key` of GET /worker/push',
      ),
    replaces: z
      .string()
      .max(2048)
      .optional()
      .describe(
        'The endpoint that this one replaces on the same device; its subscription keeps its id',
      ),
    label: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('A name that helps you recognize the device'),
  }),
)

export const getPush = endpoint({
  method: 'GET',
  path: '/worker/push',
  name: 'listPushSubscriptions',
  auth: 'worker',
  summary: 'List your devices with notifications',
  success: {
    status: 200,
    body: z.object({
      public_key: z
        .string()
        .nullable()
        .describe(
          'The applicationServerKey for subscriptions; null if this server sends no push messages',
        ),
      subscriptions: z.array(SubscriptionView),
    }),
  },
  errors: [],

  async handler({ db, worker, config }) {
    const rows = await db
      .selectFrom('push_subscriptions')
      .select(['id', 'label', 'created_at'])
      .where('worker_id', '=', worker.id)
      .where(isLetIn)
      .orderBy('id', 'desc')
      .execute()
    return {
      public_key: config.PUSH_PUBLIC_KEY ?? null,
      subscriptions: rows.map(viewSubscription),
    }
  },
})

export const subscribe = endpoint({
  method: 'POST',
  path: '/worker/push',
  name: 'createPushSubscription',
  auth: 'worker',
  summary: 'Turn on notifications on this device',
  description:
    'Sending the same endpoint again updates the keys of its subscription. You can have ' +
    `${DEVICES_MAX} devices: another one replaces the oldest.`,
  body: Subscription,
  success: { status: 201, body: z.object({ subscription: SubscriptionView }) },
  errors: [pushUnavailable],

  check: ({ body, config }) => checkField(config, 'endpoint', body.endpoint),

  transaction: 'own',
  async handler({ db, worker, body, config, now, warnings, once }) {
    if (!canPush(config)) throw pushUnavailable()
    const { id: workerId, sessionId } = worker
    const serverKey = body.public_key ?? config.PUSH_PUBLIC_KEY!
    return asOnlyOwner(db, body.endpoint, () =>
      once(async (tx) => {
        const row = await addDevice(tx, { workerId, sessionId, device: body, serverKey, now })
        return answerWith(201, { subscription: viewSubscription(row) }, warnings)
      }),
    )
  },
})

/**
 * Removes the browser from workers of other shards, then runs `add`. A lock in the global schema makes concurrent
 * registrations of one browser wait for each other: otherwise both could remove first and then add.
 */
async function asOnlyOwner<T>(db: Db, endpoint: string, add: () => Promise<T>): Promise<T> {
  const { all, global } = db.shards
  // A single shard has a unique constraint.
  if (all.length === 1) return add()
  const remove = (tx: Tx) =>
    tx.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
  return global.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${endpoint}))`.execute(tx)
    const others = all.filter((other) => other !== db)
    await Promise.all(
      others.map((other) =>
        other.transaction(remove).catch((error: unknown) => {
          // While its database is away, it sends no pushes, either.
          if (!isUnreachable(error)) throw error
        }),
      ),
    )
    return add()
  })
}

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/worker/push/:id',
  name: 'deletePushSubscription',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Turn off notifications on a device',
  params: z.object({ id: SubscriptionId }),
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [subscriptionNotFound],

  async handler({ tx, worker, params }) {
    const { numDeletedRows } = await tx
      .deleteFrom('push_subscriptions')
      .where('id', '=', params.id)
      .where('worker_id', '=', worker.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw subscriptionNotFound()
    return { message: 'Notifications are off on this device' }
  },
})

async function addDevice(
  tx: Tx,
  {
    workerId,
    sessionId,
    device,
    serverKey,
    now,
  }: {
    workerId: string
    sessionId: string | undefined
    device: z.output<typeof Subscription>
    serverKey: string
    now: Date
  },
) {
  const { endpoint, keys, label, replaces } = device
  if (replaces !== undefined && replaces !== endpoint)
    await tx
      .updateTable('push_subscriptions')
      .set({ endpoint })
      .where('endpoint', '=', replaces)
      .where('worker_id', '=', workerId)
      .where((not) =>
        not.not(
          not.exists(
            not
              .selectFrom('push_subscriptions as other')
              .select('other.id')
              .where('other.endpoint', '=', endpoint),
          ),
        ),
      )
      .execute()
  await tx
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('worker_id', '<>', workerId)
    .execute()
  const row = await tx
    .insertInto('push_subscriptions')
    .columns([
      'id',
      'worker_id',
      'endpoint',
      'p256dh',
      'auth',
      'server_key',
      'label',
      'session_version',
      'session_id',
      'created_at',
    ])
    .expression((from) =>
      from
        .selectFrom('workers')
        .select(({ val }) => [
          val(mintId('psh', now, shardOf(workerId))).as('id'),
          val(workerId).as('worker_id'),
          val(endpoint).as('endpoint'),
          val(keys.p256dh).as('p256dh'),
          val(keys.auth).as('auth'),
          val(serverKey).as('server_key'),
          val(label ?? null).as('label'),
          'session_version',
          val(sessionId ?? null).as('session_id'),
          val(now).as('created_at'),
        ])
        .where('id', '=', workerId),
    )
    .onConflict((conflict) =>
      conflict.constraint('push_subscriptions_endpoint').doUpdateSet((row) => ({
        worker_id: row.ref('excluded.worker_id'),
        p256dh: row.ref('excluded.p256dh'),
        auth: row.ref('excluded.auth'),
        server_key: row.ref('excluded.server_key'),
        session_version: row.ref('excluded.session_version'),
        session_id: row.ref('excluded.session_id'),
        label: row.fn.coalesce('excluded.label', 'push_subscriptions.label'),
      })),
    )
    .returning(['id', 'label', 'created_at'])
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('push_subscriptions')
    .where('worker_id', '=', workerId)
    .where('id', 'not in', (newest) =>
      newest
        .selectFrom('push_subscriptions')
        .select('id')
        .where('worker_id', '=', workerId)
        .orderBy((order) => order('id', '=', row.id), 'desc')
        .orderBy('id', 'desc')
        .limit(DEVICES_MAX),
    )
    .execute()
  return row
}

const viewSubscription = ({
  id,
  label,
  created_at,
}: Pick<Selectable<Schema['push_subscriptions']>, 'id' | 'label' | 'created_at'>) => ({
  id,
  label,
  created_at: created_at.toISOString(),
})

/** Browsers send base64url; validate it here, because Node skips invalid characters. */
const bytesOf = (text: string) =>
  /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)

/** The key must be a point on the curve, or nothing can be encrypted for it. */
function isPoint(text: string): boolean {
  const bytes = bytesOf(text)
  if (bytes.length !== 65) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}
