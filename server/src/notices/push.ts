/**
 * Push a notice to its worker's devices. Failed pushes are retried a few times; a device that is gone is deleted. If no
 * device accepts the notice, an email is sent if its kind warrants one.
 *
 *   called by   the clock, when `push_at` has passed, through the event notice.push
 *   moves       nothing
 *   money       none
 *   event       none; notice.mail (ours) if no device has accepted it
 */
import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Urgency } from 'web-push'
import type { Reader, Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import type { Schema } from '../kit/schema.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { type NoticeKind, type Wanted, wantedBy } from '../workers/notify.ts'
import { byId } from '../workers/queries.ts'
import { isLetIn, unreadOf } from './queries.ts'
import { canPush, type Device, type Message, type Outcome, pushTo } from './push-services.ts'
import { pushTime } from './quiet-hours.ts'
import { isMailed } from './tell.ts'

type Notice = Selectable<Schema['notices']>

const MINUTE_MS = 60_000
const HOUR_S = 3600
/** Longer than a push can be in flight: after this, a lost push is sent again. */
const UNDER_WAY_MS = 5 * MINUTE_MS
const PAUSES_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS]
const PAUSE_MS_MAX = 60 * MINUTE_MS

/** How long a push service keeps a notice for a device that is off, and whether it may wake the device. */
const CARE: Record<NoticeKind, { seconds: number; urgency: Urgency }> = {
  new_task: { seconds: HOUR_S, urgency: 'normal' },
  half_time: { seconds: HOUR_S / 4, urgency: 'high' },
  check_in: { seconds: HOUR_S / 4, urgency: 'high' },
  revision_requested: { seconds: 24 * HOUR_S, urgency: 'high' },
  cancelled: { seconds: 24 * HOUR_S, urgency: 'high' },
  disputed: { seconds: 72 * HOUR_S, urgency: 'high' },
  dispute_held: { seconds: 72 * HOUR_S, urgency: 'normal' },
  decided: { seconds: 72 * HOUR_S, urgency: 'normal' },
  level_lowered: { seconds: 72 * HOUR_S, urgency: 'low' },
  paid: { seconds: 72 * HOUR_S, urgency: 'normal' },
  payout_paid: { seconds: 72 * HOUR_S, urgency: 'low' },
  payout_failed: { seconds: 72 * HOUR_S, urgency: 'normal' },
  question_answered: { seconds: 72 * HOUR_S, urgency: 'normal' },
}

export const push = job({
  name: 'notices.push',
  payload: Work,
  attemptsMax: 5,
  events: ['notice.push'],

  async run({ payload, ...background }) {
    await pushNotice(background, payload.data.id)
  },
})

export const pushesDue = askWhenDue({
  name: 'notices.push-due',

  due: (db, { now, limit }) =>
    db
      .selectFrom('notices')
      .select('id')
      .where('push_at', '<=', now)
      .orderBy('push_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('notices')
      .set({ push_at: after(now, UNDER_WAY_MS) })
      .where('id', 'in', ids)
      .where('push_at', '<=', now)
      .returning('id')
      .execute()
    return due.map(({ id }) => ({ type: 'notice.push', id }))
  },
})

/** Idempotent: skips devices that already have the notice. */
export async function pushNotice(background: Background, noticeId: string): Promise<void> {
  const { db, config, clock, metrics } = background
  const now = clock.now()
  const notice = await findWaiting(db.reader, noticeId)
  if (notice === undefined) return
  const worker = await byId(db.reader, notice.worker_id)
  const wanted = worker === undefined || worker.status === 'closed' ? undefined : wantedBy(worker)
  const isOver = notice.until !== null && notice.until <= now
  if (wanted === undefined || !wanted[notice.kind] || isOver)
    return db.transaction((tx) => setPush(tx, notice, { push_at: null }))
  // The worker may have changed the quiet hours meanwhile.
  const at = timeFor(notice, wanted, now)
  if (at > now) return db.transaction((tx) => setPush(tx, notice, { push_at: at }))

  // If the VAPID keys were removed meanwhile, act as if there were no device.
  const devices = canPush(config) ? await devicesWithout(db.reader, notice) : []
  const unread = await unreadOf(db.reader, notice.worker_id)
  const outcomes = await Promise.all(
    devices.map(async (device) => ({
      device,
      ...(await pushTo(config, device, messageOf(notice, { unread, now }))),
    })),
  )
  for (const { outcome } of outcomes) metrics.pushes.inc({ outcome })
  await db.transaction((tx) => record(tx, notice, { outcomes, wanted, now: clock.now() }))
}

async function record(
  tx: Tx,
  notice: Notice,
  { outcomes, wanted, now }: { outcomes: Sent[]; wanted: Wanted; now: Date },
): Promise<void> {
  const those = (outcome: Outcome['outcome']) =>
    outcomes.filter((one) => one.outcome === outcome).map(({ device }) => device.id)
  const gone = those('gone')
  if (gone.length > 0) await tx.deleteFrom('push_subscriptions').where('id', 'in', gone).execute()

  const pushed_to = [...notice.pushed_to, ...those('accepted')]
  const pauseMs = pauseAfter(notice, outcomes)
  const push_at = pauseMs === undefined ? null : timeFor(notice, wanted, after(now, pauseMs))
  await setPush(tx, notice, { push_at, push_attempts: notice.push_attempts + 1, pushed_to })
  if (push_at === null && pushed_to.length === 0 && isMailed(notice.kind))
    await requestWork(tx, [{ type: 'notice.mail', id: notice.id }], { now })
}

type Sent = Outcome & { device: Device }

/** The delay until the next retry; undefined if every device has it or never will, or the retries are used up. */
function pauseAfter({ push_attempts }: Notice, outcomes: Sent[]): number | undefined {
  const asked = outcomes.flatMap((one) =>
    one.outcome === 'failed' ? [Math.min(one.retryAfterMs ?? 0, PAUSE_MS_MAX)] : [],
  )
  const pauseMs = PAUSES_MS[push_attempts]
  return asked.length === 0 || pauseMs === undefined ? undefined : Math.max(pauseMs, ...asked)
}

const timeFor = ({ is_pressing, until }: Notice, { quiet }: Wanted, at: Date) =>
  pushTime(at, { quiet, isPressing: is_pressing, until })

const findWaiting = (db: Reader, id: string): Promise<Notice | undefined> =>
  db
    .selectFrom('notices')
    .selectAll()
    .where('id', '=', id)
    .where('push_at', 'is not', null)
    .executeTakeFirst()

const devicesWithout = (db: Reader, { worker_id, pushed_to }: Notice): Promise<Device[]> =>
  db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth', 'server_key'])
    .where('worker_id', '=', worker_id)
    .where(isLetIn)
    .where('id', '<>', sql<string>`all(${pushed_to})`)
    .execute()

async function setPush(
  tx: Tx,
  { id }: Notice,
  becomes: Partial<Pick<Notice, 'push_at' | 'push_attempts' | 'pushed_to'>>,
): Promise<void> {
  await tx.updateTable('notices').set(becomes).where('id', '=', id).execute()
}

/** Contains only data: the service worker has the texts. */
function messageOf(notice: Notice, { unread, now }: { unread: number; now: Date }): Message {
  const { id, kind, task_id, title, agent_name, amount_cents, distance_km, until, reason } = notice
  const { tip_cents, question_id } = notice
  const { seconds, urgency } = CARE[kind]
  const leftS = until === null ? seconds : (until.getTime() - now.getTime()) / 1000
  return {
    content: {
      notice_id: id,
      kind,
      task_id,
      title,
      agent_name,
      amount_cents,
      distance_km,
      until: until?.toISOString() ?? null,
      unread,
      ...(tip_cents === null ? {} : { tip_cents }),
      ...(question_id === null ? {} : { question_id }),
      ...(kind === 'level_lowered' ? { level: Number(reason) } : {}),
    },
    seconds: Math.ceil(Math.min(seconds, leftS)),
    urgency,
    topic: topicOf(notice),
  }
}

/** For new tasks, only the latest notice waits for a device that is off. A hash, so the push service learns nothing. */
const topicOf = ({ kind, worker_id, cause }: Notice) =>
  hash(
    'sha256',
    kind === 'new_task' ? `${kind} ${worker_id}` : `${kind} ${cause}`,
    'base64url',
  ).slice(0, 32)

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)
