/**
 * A model of the tables of one lane: the rules of webhooks_lanes.sql, webhooks_find_due.sql and
 * webhooks_log_attempts.sql without SQL, for tests that need many thousand histories. Times are in milliseconds.
 */
import type { ClaimedLane, DueDelivery, Release } from '../../src/webhooks/lanes.ts'
import { type EndedAttempt, whatHappened } from '../../src/webhooks/record-attempts.ts'

export interface Delivery {
  event_id: string
  type: string
  data: unknown
  /** The callback_url; null if it goes to the agent's webhook_url. */
  url: string | null
  attempts: number
  attempts_max: number
  nextTryMs: number
}

export type Fate = 'waiting' | 'delivered' | 'given_up' | 'dropped'

interface LaneRow {
  failures: number
  failingSinceMs: number | null
  warnedMs: number | null
  disabledMs: number | null
  pausedUntilMs: number
  heldBy: string | null
  heldUntilMs: number
  dueMs: number | null
}

export type LaneDatabase = ReturnType<typeof laneDatabase>

const AGENT_ID = 'agent_1'
const DAY_MS = 86_400_000
const PAUSE_MS_MAX = 300_000
const HURRIED_MAX = 1000

export const dateOf = (ms: number) => new Date(ms)

export function laneDatabase({ isCallback }: { isCallback: boolean }) {
  return {
    id: isCallback ? `${AGENT_ID} one.example` : AGENT_ID,
    isCallback,
    webhookUrl: 'https://one.example/hooks' as string | null,
    lane: newRow(),
    deliveries: new Map<string, Delivery>(),
    fates: new Map<string, Fate>(),
    /** The process that changed or removed a delivery last. */
    changedBy: new Map<string, string>(),
    goneUrls: new Set<string>(),
    /** Releases find a due delivery that reads don't. */
    hasPhantom: false,
    /** Counts how often the lane has passed from one process to another. */
    epoch: 0,
  }
}

const newRow = (): LaneRow => ({
  failures: 0,
  failingSinceMs: null,
  warnedMs: null,
  disabledMs: null,
  pausedUntilMs: 0,
  heldBy: null,
  heldUntilMs: 0,
  dueMs: null,
})

export function addDelivery(
  db: LaneDatabase,
  delivery: Omit<Delivery, 'attempts' | 'nextTryMs'>,
  ms: number,
): void {
  db.deliveries.set(delivery.event_id, { ...delivery, attempts: 0, nextTryMs: ms })
  db.fates.set(delivery.event_id, 'waiting')
  wake(db, ms)
}

/** A probe also ends a pause. */
export function wake({ lane }: LaneDatabase, ms: number, { isProbe = false } = {}): void {
  if (isProbe) lane.pausedUntilMs = 0
  lane.dueMs = Math.max(
    Math.min(lane.dueMs ?? Infinity, ms),
    lane.heldBy === null ? 0 : lane.heldUntilMs,
    lane.pausedUntilMs,
  )
}

/** After a change of address. */
export function revive(db: LaneDatabase, ms: number): void {
  const { heldBy, heldUntilMs } = db.lane
  db.goneUrls.clear()
  db.lane = { ...newRow(), heldBy, heldUntilMs, dueMs: Math.max(ms, heldBy ? heldUntilMs : 0) }
  hurry(db, ms)
}

function hurry({ deliveries }: LaneDatabase, ms: number): void {
  const later = [...deliveries.values()].filter(({ nextTryMs }) => nextTryMs > ms)
  for (const delivery of later.slice(0, HURRIED_MAX)) delivery.nextTryMs = ms
}

/** An operator pauses the receiver. */
export function pauseLane(db: LaneDatabase, untilMs: number): void {
  Object.assign(db.lane, { pausedUntilMs: untilMs, dueMs: untilMs, heldBy: null, heldUntilMs: 0 })
  db.epoch += 1
}

export function claim(
  db: LaneDatabase,
  { holder, ms, untilMs }: { holder: string; ms: number; untilMs: number },
): ClaimedLane | undefined {
  const { lane } = db
  if (lane.dueMs === null || lane.dueMs > ms) return undefined
  if (lane.heldBy !== holder) db.epoch += 1
  Object.assign(lane, { heldBy: holder, heldUntilMs: untilMs, dueMs: untilMs })
  return {
    id: db.id,
    agent_id: AGENT_ID,
    webhook_url: db.webhookUrl,
    failures: lane.failures,
    is_failing: lane.failingSinceMs !== null,
    is_disabled: lane.disabledMs !== null,
  }
}

export function renew({ lane }: LaneDatabase, holder: string, untilMs: number): boolean {
  if (lane.heldBy !== holder) return false
  lane.heldUntilMs = untilMs
  lane.dueMs = Math.max(untilMs, lane.pausedUntilMs)
  return true
}

export function readDue(
  db: LaneDatabase,
  { holder, ms, page, known }: { holder: string; ms: number; page: number; known: string[] },
): DueDelivery[] {
  const exceptions = new Set(known)
  const due = [...db.deliveries.values()]
    .filter(({ event_id, nextTryMs }) => nextTryMs <= ms && !exceptions.has(event_id))
    .sort((a, b) => a.nextTryMs - b.nextTryMs)
    .slice(0, page)
  return due.map((delivery) => {
    const is_void = isVoid(db, delivery)
    if (is_void) {
      remove(db, delivery, 'dropped')
      db.changedBy.set(delivery.event_id, holder)
    }
    return rowOf(db, delivery, is_void)
  })
}

const isVoid = ({ lane, webhookUrl, goneUrls }: LaneDatabase, { type, url }: Delivery) =>
  (url ?? webhookUrl) === null ||
  (type !== 'webhook.ping' && (lane.disabledMs !== null || (url !== null && goneUrls.has(url))))

function remove(db: LaneDatabase, { event_id }: Delivery, fate: Fate): void {
  db.deliveries.delete(event_id)
  db.fates.set(event_id, fate)
}

const rowOf = (
  { id, webhookUrl }: LaneDatabase,
  { event_id, type, data, url, attempts, attempts_max }: Delivery,
  is_void: boolean,
): DueDelivery => ({
  lane: id,
  webhook_url: webhookUrl,
  webhook_secret: 'whsec_',
  webhook_secret_old: null,
  webhook_secret_old_until: null,
  event_id,
  url,
  attempts,
  attempts_max,
  is_void,
  is_missing: false,
  type,
  task_id: null,
  sequence: null,
  created_at: new Date(0),
  data,
})

/** Returns whether the lane is disabled, if its row was to be updated. */
export function recordAttempts(
  db: LaneDatabase,
  { holder, ms, ended }: { holder: string; ms: number; ended: EndedAttempt[] },
): boolean {
  const [happened] = whatHappened(ended, dateOf(ms))
  const isHolder = happened !== undefined && db.lane.heldBy === holder
  if (isHolder) updateLane(db, happened, ms)
  for (const { attempt } of ended) {
    const delivery = db.deliveries.get(attempt.event_id)
    if (attempt.outcome === 'disabled' && attempt.is_callback) db.goneUrls.add(attempt.url)
    if (attempt.outcome === 'delivered' && attempt.type === 'webhook.ping')
      db.goneUrls.delete(attempt.url)
    if (delivery === undefined) continue
    const isNext = delivery.attempts === attempt.number - 1
    if (isNext || attempt.outcome === 'delivered') db.changedBy.set(attempt.event_id, holder)
    if (attempt.outcome === 'failed' && isNext) {
      delivery.attempts = attempt.number
      delivery.nextTryMs = attempt.next_try_at!.getTime()
    } else if (attempt.outcome === 'delivered') remove(db, delivery, 'delivered')
    else if (isNext && attempt.outcome !== 'failed')
      remove(db, delivery, attempt.outcome === 'given_up' ? 'given_up' : 'dropped')
  }
  return isHolder && db.lane.disabledMs !== null
}

function updateLane(
  db: LaneDatabase,
  { succeeded, failed, is_gone, is_pinged }: ReturnType<typeof whatHappened>[number],
  ms: number,
): void {
  const { lane } = db
  if (succeeded)
    Object.assign(lane, { failures: 0, failingSinceMs: null, warnedMs: null, pausedUntilMs: 0 })
  if (is_pinged) {
    lane.disabledMs = null
    hurry(db, ms)
  }
  if (failed > 0) {
    lane.failures += failed
    lane.failingSinceMs ??= ms
    if (lane.failures >= 5)
      lane.pausedUntilMs = ms + Math.min(1000 * 2 ** Math.min(lane.failures - 5, 20), PAUSE_MS_MAX)
    if (lane.disabledMs === null) warnOrDisable(lane, ms)
  }
  if (is_gone) lane.disabledMs ??= ms
  if (lane.dueMs !== null) lane.dueMs = Math.max(lane.dueMs, lane.pausedUntilMs)
}

function warnOrDisable(lane: LaneRow, ms: number): void {
  if (lane.warnedMs === null && lane.failingSinceMs! <= ms - 3 * DAY_MS) lane.warnedMs = ms
  else if (lane.failingSinceMs! <= ms - 5 * DAY_MS && lane.warnedMs! <= ms - 2 * DAY_MS)
    lane.disabledMs = ms
}

/** Returns whether the lane stays held because more is due. */
export function releaseLane(
  { lane, deliveries, hasPhantom }: LaneDatabase,
  { holder, ms, how }: { holder: string; ms: number; how: Omit<Release, 'id'> },
): boolean {
  if (lane.heldBy !== holder) return false
  const next = Math.min(
    ...[...deliveries.values()].map(({ nextTryMs }) => nextTryMs),
    hasPhantom ? 0 : Infinity,
  )
  if (!how.must && Math.max(next, lane.pausedUntilMs) <= ms) return true
  const dueMs = Math.max(next, lane.pausedUntilMs, how.not_before?.getTime() ?? 0, ms)
  Object.assign(lane, { heldBy: null, heldUntilMs: 0, dueMs: next === Infinity ? null : dueMs })
  return false
}
