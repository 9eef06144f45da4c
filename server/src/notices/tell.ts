/** Writes a notice to the worker's inbox, and schedules its push or email. */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { type NoticeKind, wantedBy } from '../workers/notify.ts'
import { isShutOut } from '../workers/decisions.ts'
import { byId } from '../workers/queries.ts'
import { canPush } from './push-services.ts'
import { pushTime } from './quiet-hours.ts'
import { isLetIn } from './queries.ts'

export interface News {
  workerId: string
  kind: NoticeKind
  /** The id of the cause: a worker gets one notice per kind and cause. */
  cause: string
  task?: { id: string; title: string; agentName: string }
  amountCents?: number | null | undefined
  /** On top of the amount. */
  tipCents?: number | null
  distanceKm?: number | null
  reason?: string | null
  questionId?: string
  until?: Date | null
  /** About work in progress: sent even in quiet hours. */
  isPressing?: boolean
}

/** Notices that a worker must get even without a reachable device. */
const MAILED: NoticeKind[] = [
  'disputed',
  'dispute_held',
  'decided',
  'payout_failed',
  'question_answered',
]
export const isMailed = (kind: NoticeKind) => MAILED.includes(kind)

/** Idempotent. Workers are on different shards, so use one transaction per worker. */
export async function tellWorker(
  tx: Tx,
  news: News,
  { config, now }: { config: Config; now: Date },
): Promise<void> {
  const { workerId, kind, cause, task, until, isPressing = false } = news
  const worker = await byId(tx, workerId)
  if (worker === undefined) return
  // Test-mode notices stay in the app.
  const isReal = worker.mode === 'live'
  if (worker.status === 'closed' && !(isReal && isMailed(kind))) return
  const wanted = wantedBy(worker)
  // A suspended or closed worker can't open the app, so notices that they must get are always mailed.
  const isWanted = wanted[kind] || (isShutOut(worker) && isMailed(kind))
  const isPushed = isReal && isWanted && canPush(config) && (await hasDevice(tx, workerId))
  const told = await tx
    .insertInto('notices')
    .values({
      id: mintId('ntc', now, shardOf(workerId)),
      worker_id: workerId,
      kind,
      cause,
      task_id: task?.id ?? null,
      title: task?.title ?? null,
      agent_name: task?.agentName ?? null,
      amount_cents: news.amountCents ?? null,
      tip_cents: news.tipCents ?? null,
      distance_km: news.distanceKm ?? null,
      reason: news.reason ?? null,
      question_id: news.questionId ?? null,
      until: until ?? null,
      created_at: now,
      is_pressing: isPressing,
      push_at: isPushed ? pushTime(now, { quiet: wanted.quiet, isPressing, until }) : null,
    })
    .onConflict((conflict) => conflict.constraint('notices_told_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (told !== undefined && isReal && isWanted && !isPushed && isMailed(kind))
    await requestWork(tx, [{ type: 'notice.mail', id: told.id }], { now })
}

async function hasDevice(tx: Tx, workerId: string): Promise<boolean> {
  const device = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('worker_id', '=', workerId)
    .where(isLetIn)
    .limit(1)
    .executeTakeFirst()
  return device !== undefined
}
