/**
 * Send a test push to one device, so that its owner can see it arrive.
 *
 *   called by   a worker, who gets an immediate response; then by the event push.test
 *   moves       nothing
 *   money       none
 *   event       push.test (ours)
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { job } from '../kit/job.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { pushUnavailable, subscriptionNotFound } from './errors.ts'
import { canPush, pushTo } from './push-services.ts'
import { SubscriptionId } from './subscribe.ts'

const KEPT_SECONDS = 60

export const testPush = endpoint({
  method: 'POST',
  path: '/worker/push/:id/test',
  name: 'testPushSubscription',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Send a test notification to a device',
  description: 'The push message has the kind `test`.',
  params: z.object({ id: SubscriptionId }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [pushUnavailable, subscriptionNotFound],

  async handler({ tx, worker, params, config, now }) {
    if (!canPush(config)) throw pushUnavailable()
    const device = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('id', '=', params.id)
      .where('worker_id', '=', worker.id)
      .executeTakeFirst()
    if (device === undefined) throw subscriptionNotFound()
    await requestWork(tx, [{ type: 'push.test', id: device.id }], { now })
    return { message: 'The test notification is on its way to this device' }
  },
})

export const sendTestPush = job({
  name: 'notices.test-push',
  payload: Work,
  // No retries: the waiting worker can simply try again.
  attemptsMax: 1,
  events: ['push.test'],

  async run({ db, config, metrics, payload }) {
    const device = await db.reader
      .selectFrom('push_subscriptions')
      .select(['id', 'endpoint', 'p256dh', 'auth', 'server_key'])
      .where('id', '=', payload.data.id)
      .executeTakeFirst()
    if (device === undefined || !canPush(config)) return
    const { outcome } = await pushTo(config, device, {
      content: { ...NOTHING, kind: 'test' },
      seconds: KEPT_SECONDS,
      urgency: 'high',
      topic: 'test',
    })
    metrics.pushes.inc({ outcome })
    if (outcome !== 'gone') return
    await db.transaction((tx) =>
      tx.deleteFrom('push_subscriptions').where('id', '=', device.id).execute(),
    )
  },
})

/** The payload of a notice push, without a notice. */
const NOTHING = {
  notice_id: null,
  task_id: null,
  title: null,
  agent_name: null,
  amount_cents: null,
  distance_km: null,
  until: null,
  unread: 0,
}
