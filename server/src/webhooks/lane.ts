/**
 * The state machine of a lane that this process holds. It decides what to read, send and record, and when to release
 * the lane. It is pure: it has no clock, timer or I/O. The driver (deliver.ts) performs each action and reports the
 * result as the next event:
 *
 *   read            page_read, read_postponed or read_failed
 *   take_turn       turn_taken or turn_refused
 *   send            attempt_ended
 *   give_back_turn  turn_given_back
 *   record          attempt_recorded
 *   release         released
 *   forget          nothing: the lane is released
 */
import { addressOf } from './judge.ts'
import type { ClaimedLane, DueDelivery, Release } from './lanes.ts'
import { type Attempt, isAnswered, type Recorded } from './record-attempts.ts'
import { isTampered } from './tampered.ts'

/** After this many consecutive failures a receiver is paused, then probed with one delivery at a time. */
export const FAILURES_BEFORE_PAUSE = 5
/** When every slot is taken, a lane yields its slot after this many deliveries or this long. */
export const SLICE = { deliveries: 100, ms: 2000 }
/** Read-ahead limits for one lane and for all lanes, because bodies take memory. */
export const PAGE = { max: 256, min: 4, ofAllLanes: 2048, ofVoid: 1000 }
/** Backpressure: when recording is slow, don't send more than we can keep track of. */
export const KNOWN_MAX = 3 * PAGE.max
/** Queued rows older than this are read again, because the agent's address may have changed. */
export const READ_MS_MAX = 2000
/** While requests are in flight, their lane is checked for new deliveries this often. */
const LOOK_AGAIN_MS = 500
/** A lane that waits this long for a response leaves its slot to another one. */
const HANGING_AFTER_MS = 1000
/** How long a lane is paused after a problem on our side. */
export const PAUSES_MS = { unexpectedly_empty: 1000, unreadable: 60_000, unrecorded: 60_000 }

export interface LaneState {
  /** Requests in flight at once. */
  readonly concurrency: number
  /** End of the lease. */
  readonly until: Date
  /** Consecutive failures. */
  readonly failures: number
  /** The lane's row records failures or is disabled, so a success has to update it. */
  readonly needsHealthUpdate: boolean
  /** The lane is disabled or has no address: waiting deliveries can't be sent and are removed. */
  readonly isVoid: boolean
  /** Deliveries that were read and not started. */
  readonly queue: readonly Queued[]
  /** Event ids of the deliveries in flight. */
  readonly sending: readonly string[]
  /** Event ids of the deliveries whose result is not recorded yet. */
  readonly recording: readonly string[]
  /** More deliveries may be due than were read. */
  readonly hasMore: boolean
  /** We tried to release the lane, but more was due. */
  readonly hasStayed: boolean
  readonly activity: 'none' | 'reading' | 'releasing' | 'released'
  /** Why no more deliveries are started. */
  readonly ending: Ending | undefined
  /** Deliveries started since the lane was claimed. */
  readonly startedCount: number
  /** When the lane was claimed, a delivery was last started, and a page was last read, as in `Now.ms`. */
  readonly claimedMs: number
  readonly startedMs: number
  readonly readMs: number
}

export interface Queued {
  readonly row: DueDelivery
  readonly host: string
}

export type Ending =
  /** The receiver failed too often (paused or disabled) or responded 410 (disabled). */
  | { reason: 'paused' | 'disabled' }
  /** Another process holds the lane. */
  | { reason: 'lost' }
  /** Too many other lanes wait for the same host. */
  | { reason: 'crowded'; comeBackMs: number }
  /** A problem on our side; the lane is paused for a while. */
  | { reason: keyof typeof PAUSES_MS }

export interface Page {
  rows: Queued[]
  hasMore: boolean
  /** No rows at all were found, not even ones that can't be sent. */
  isEmpty: boolean
}

export type LaneEvent =
  /** Something around the lane has changed: a turn may be free, or the process is stopping. */
  | { type: 'surroundings_changed' }
  /** A while has passed, so new deliveries may be due. */
  | { type: 'time_passed' }
  | { type: 'page_read'; page: Page }
  /** The database is unavailable. */
  | { type: 'read_postponed' }
  | { type: 'read_failed' }
  | { type: 'turn_taken'; host: string }
  | { type: 'turn_refused' }
  | { type: 'turn_given_back' }
  | { type: 'attempt_ended'; delivery: Queued; attempt: Attempt }
  /** `rejected`: the database refuses the record. */
  | { type: 'attempt_recorded'; record: RecordAttempt; outcome: Recorded | 'rejected' }
  | { type: 'lease_renewed'; until: Date }
  | { type: 'lease_lost' }
  /** `stays`: the lane is still held, because more is due. */
  | { type: 'released'; stays: boolean }

export type LaneAction =
  | { type: 'read' }
  | { type: 'take_turn'; host: string }
  | { type: 'send'; delivery: Queued }
  | { type: 'give_back_turn'; host: string }
  | RecordAttempt
  | ReleaseLane
  | { type: 'forget' }

export interface RecordAttempt {
  type: 'record'
  delivery: Queued
  attempt: Attempt
  touchesLane: boolean
}

export interface ReleaseLane extends Omit<Release, 'id'> {
  type: 'release'
}

/** The time and the state of the process. */
export interface Now {
  /** For leases; may jump. */
  date: Date
  /** Monotonic, for durations. */
  ms: number
  /** How many lanes this process holds, and whether that is all it may. */
  lanes: number
  isFull: boolean
  isStopping: boolean
}

export interface Step {
  state: LaneState
  actions: LaneAction[]
}

export function beginLane(
  claimed: ClaimedLane,
  {
    until,
    concurrency,
    comeBackMs,
    now,
  }: {
    until: Date
    concurrency: number
    /** Estimated time until the lane's host is no longer crowded; 0 if it isn't. */
    comeBackMs: number
    now: Now
  },
): LaneState {
  const { id, webhook_url, failures, is_failing, is_disabled } = claimed
  return {
    concurrency,
    until,
    failures,
    needsHealthUpdate: failures > 0 || is_failing || is_disabled,
    isVoid: is_disabled || (callbackHostOf(id) === undefined && webhook_url === null),
    queue: [],
    sending: [],
    recording: [],
    hasMore: true,
    hasStayed: false,
    activity: 'none',
    ending: comeBackMs > 0 ? { reason: 'crowded', comeBackMs } : undefined,
    startedCount: 0,
    claimedMs: now.ms,
    startedMs: now.ms,
    readMs: now.ms,
  }
}

const callbackHostOf = (laneId: string) => laneId.split(' ')[1]

/** The host of a lane of which nothing was read yet. */
export const hostOfLane = ({ id, webhook_url }: Pick<ClaimedLane, 'id' | 'webhook_url'>) =>
  callbackHostOf(id) ?? hostOfUrl(webhook_url ?? '')

const hostOfUrl = (url: string) => URL.parse(url)?.host ?? ''

/** Parses each URL once, because nearly all deliveries of a lane go to the same one. */
export function toQueued(rows: readonly DueDelivery[]): Queued[] {
  const hosts = new Map([...new Set(rows.map(addressOf))].map((url) => [url, hostOfUrl(url)]))
  return rows.map((row) => ({ row, host: hosts.get(addressOf(row))! }))
}

export function stepLane(state: LaneState, event: LaneEvent, now: Now): Step {
  switch (event.type) {
    case 'surroundings_changed':
    case 'turn_given_back':
      return proceed(state, now)
    case 'time_passed':
      return proceed(expectMore(state, now), now)
    case 'page_read':
      return proceed(addPage(endActivity(state), event.page, now), now)
    case 'read_postponed':
      return postponeRead(endActivity(state), now)
    case 'read_failed':
      return proceed({ ...endActivity(state), ending: { reason: 'unreadable' } }, now)
    case 'turn_taken':
      return useTurn(state, event.host, now)
    case 'turn_refused':
      return readOrRelease(state, now)
    case 'attempt_ended':
      return endAttempt(state, event)
    case 'attempt_recorded':
      return proceed(endRecording(state, event), now)
    case 'lease_renewed':
      return proceed(keepLease(state, event.until), now)
    case 'lease_lost':
      return proceed(endBecause(state, 'lost'), now)
    case 'released':
      return event.stays ? proceed(stay(state), now) : forget(state)
  }
}

/** Starts as many deliveries as possible, and releases the lane when nothing is left to do. */
function proceed(state: LaneState, now: Now): Step {
  const isStale = now.ms - state.readMs > READ_MS_MAX
  return startNext(isEnding(state, now) || isStale ? giveBackQueue(state) : state, now)
}

function startNext(state: LaneState, now: Now): Step {
  if (!canStart(state, now)) return readOrRelease(state, now)
  return { state, actions: [{ type: 'take_turn', host: state.queue[0]!.host }] }
}

const canStart = (state: LaneState, now: Now) =>
  state.queue.length > 0 && state.sending.length < windowOf(state) && now.date < state.until

function readOrRelease(state: LaneState, now: Now): Step {
  if (state.activity !== 'none') return { state, actions: [] }
  if (wantsMore(state, now))
    return { state: { ...state, activity: 'reading' }, actions: [{ type: 'read' }] }
  if (isDone(state, now)) return release(state, now)
  return { state, actions: [] }
}

const isEnding = ({ ending, startedCount, claimedMs }: LaneState, now: Now) =>
  now.isStopping ||
  ending !== undefined ||
  (now.isFull && (startedCount >= SLICE.deliveries || now.ms - claimedMs >= SLICE.ms))

const wantsMore = (state: LaneState, now: Now) =>
  state.hasMore &&
  state.queue.length <= pageOf(state, now.lanes) / 2 &&
  knownCount(state) < KNOWN_MAX &&
  !isEnding(state, now)

const isDone = (state: LaneState, now: Now) =>
  knownCount(state) === 0 && (!state.hasMore || isEnding(state, now))

const windowOf = ({ failures, concurrency }: LaneState) =>
  failures >= FAILURES_BEFORE_PAUSE ? 1 : concurrency

/** How many rows to read at once. */
export function pageOf(state: LaneState, lanes: number): number {
  if (state.isVoid) return PAGE.ofVoid
  if (windowOf(state) === 1) return 1
  return Math.max(PAGE.min, Math.min(PAGE.max, Math.floor(PAGE.ofAllLanes / lanes)))
}

const knownCount = ({ queue, sending, recording }: LaneState) =>
  queue.length + sending.length + recording.length

/** Event ids of the deliveries that must not be read again. */
export const knownIds = ({ queue, sending, recording }: LaneState): string[] => [
  ...queue.map(({ row }) => row.event_id),
  ...sending,
  ...recording,
]

/** Drops deliveries that were read but not started; they will be read again. */
const giveBackQueue = (state: LaneState): LaneState =>
  state.queue.length === 0 ? state : { ...state, queue: [], hasMore: true }

function expectMore(state: LaneState, now: Now): LaneState {
  const isWaiting = state.sending.length > 0 && state.sending.length < windowOf(state)
  return isWaiting && now.ms - state.readMs > LOOK_AGAIN_MS ? { ...state, hasMore: true } : state
}

const endActivity = (state: LaneState): LaneState => ({ ...state, activity: 'none' })

function addPage(state: LaneState, { rows, hasMore, isEmpty }: Page, now: Now): LaneState {
  // The release reported more deliveries but none were found. Pause the lane to avoid an endless loop.
  const isUnexpected = state.hasStayed && isEmpty
  return {
    ...state,
    ending: isUnexpected ? { reason: 'unexpectedly_empty' } : state.ending,
    hasStayed: false,
    hasMore,
    readMs: now.ms,
    queue: [...state.queue, ...rows],
  }
}

/** The driver's next `time_passed` retries. */
const postponeRead = (state: LaneState, now: Now): Step =>
  isEnding(state, now) ? proceed(state, now) : { state, actions: [] }

function useTurn(state: LaneState, host: string, now: Now): Step {
  const [delivery] = state.queue
  if (delivery?.host !== host || !canStart(state, now))
    return { state, actions: [{ type: 'give_back_turn', host }] }
  const started: LaneState = {
    ...state,
    queue: state.queue.slice(1),
    sending: [...state.sending, delivery.row.event_id],
    startedCount: state.startedCount + 1,
    startedMs: now.ms,
  }
  const next = startNext(started, now)
  return { state: next.state, actions: [{ type: 'send', delivery }, ...next.actions] }
}

/** Applies the result to the lane's next deliveries at once, before it is recorded. */
function endAttempt(
  state: LaneState,
  { delivery, attempt }: Extract<LaneEvent, { type: 'attempt_ended' }>,
): Step {
  const { row, host } = delivery
  const ended: LaneState = {
    ...state,
    sending: without(state.sending, row.event_id),
    recording: [...state.recording, row.event_id],
  }
  const touchesLane =
    !isTampered(row) &&
    (state.needsHealthUpdate || !isAnswered(attempt) || row.type === 'webhook.ping')
  return {
    state: isTampered(row) ? ended : updateHealth(ended, attempt),
    actions: [
      // First: other lanes may have waited longer for this turn, and take it before this lane proceeds.
      { type: 'give_back_turn', host },
      { type: 'record', delivery, attempt, touchesLane },
    ],
  }
}

function updateHealth(state: LaneState, attempt: Attempt): LaneState {
  if (isAnswered(attempt)) {
    const ending = state.ending?.reason === 'paused' ? undefined : state.ending
    return { ...state, failures: 0, needsHealthUpdate: false, ending }
  }
  const failed = { ...state, failures: state.failures + 1, needsHealthUpdate: true }
  if (attempt.outcome === 'disabled') return endBecause(failed, 'disabled')
  return failed.failures >= FAILURES_BEFORE_PAUSE ? endBecause(failed, 'paused') : failed
}

function endRecording(
  state: LaneState,
  { record, outcome }: Extract<LaneEvent, { type: 'attempt_recorded' }>,
): LaneState {
  const { delivery, touchesLane } = record
  const recorded = { ...state, recording: without(state.recording, delivery.row.event_id) }
  const enabled = touchesLane ? { ...recorded, isVoid: false } : recorded
  switch (outcome) {
    case 'recorded':
      return enabled
    case 'lost':
      return { ...enabled, needsHealthUpdate: true }
    case 'disabled':
      return endBecause({ ...recorded, needsHealthUpdate: true }, 'disabled')
    case 'rejected':
      // Without a pause the same event would be sent again in a tight loop.
      return { ...recorded, needsHealthUpdate: true, ending: { reason: 'unrecorded' } }
  }
}

function without(ids: readonly string[], id: string): readonly string[] {
  const at = ids.indexOf(id)
  return at < 0 ? ids : ids.toSpliced(at, 1)
}

/** The first reason counts. */
const endBecause = (state: LaneState, reason: 'paused' | 'disabled' | 'lost'): LaneState => ({
  ...state,
  ending: state.ending ?? { reason },
})

const keepLease = (state: LaneState, until: Date): LaneState => ({
  ...state,
  until,
  ending: state.ending?.reason === 'lost' ? undefined : state.ending,
})

function release(state: LaneState, now: Now): Step {
  const pauseMs = pauseOf(state.ending)
  const action: LaneAction = {
    type: 'release',
    must: isEnding(state, now),
    ...(pauseMs !== undefined && { not_before: new Date(now.date.getTime() + pauseMs) }),
  }
  return { state: { ...state, activity: 'releasing' }, actions: [action] }
}

function pauseOf(ending: Ending | undefined): number | undefined {
  switch (ending?.reason) {
    case 'crowded':
      return ending.comeBackMs
    case 'unexpectedly_empty':
    case 'unreadable':
    case 'unrecorded':
      return PAUSES_MS[ending.reason]
    case 'paused':
    case 'disabled':
    case 'lost':
    case undefined:
      return undefined
  }
}

const stay = (state: LaneState): LaneState => ({
  ...endActivity(state),
  hasMore: true,
  hasStayed: true,
})

const forget = (state: LaneState): Step => ({
  state: { ...state, activity: 'released' },
  actions: [{ type: 'forget' }],
})

/** Whether the lane is still this process's to serve: not when its release has begun. */
export const isHeld = ({ activity }: LaneState) => activity === 'none' || activity === 'reading'

/** Whether the lane only waits for a response. */
export const isHanging = ({ sending, startedMs }: LaneState, ms: number) =>
  sending.length > 0 && ms - startedMs > HANGING_AFTER_MS
