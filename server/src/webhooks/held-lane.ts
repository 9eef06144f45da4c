import type { ClaimedLane, DueDelivery } from './lanes.ts'
import type { Sign } from './sign.ts'

/** After this many consecutive failures a receiver is paused, then probed with one delivery at a time. */
export const FAILURES_BEFORE_PAUSE = 5

export type Ending =
  /** The receiver failed too often (paused or disabled) or responded 410 (disabled). */
  | 'paused'
  | 'disabled'
  /** Another process holds the lane. */
  | 'lost'
  /** Too many other lanes wait for the same host. */
  | 'crowded'
  /** A problem on our side; the lane is paused for a while. */
  | 'unreadable'
  | 'unrecorded'
  | 'unexpectedly_empty'

/** A lane that this process holds. */
export interface HeldLane {
  readonly id: string
  readonly agentId: string
  /** The target host. `url` is undefined until the first delivery was read. */
  host: string
  url: string | undefined
  until: Date
  /** Consecutive failures. */
  failures: number
  /** The lane's row records failures or is disabled, so a success has to update it. */
  needsHealthUpdate: boolean
  /** The lane is disabled or has no address: waiting deliveries can't be sent and are removed. */
  isVoid: boolean
  queue: DueDelivery[]
  /** Deliveries that are queued, in flight or not recorded yet. They must not be read again. */
  readonly known: Set<string>
  underWay: number
  /** More deliveries may be due than were read. */
  hasMore: boolean
  isReading: boolean
  isLeaving: boolean
  /** We tried to release the lane, but more was due. */
  hasStayed: boolean
  /** Why no more deliveries are started. */
  ending: Ending | undefined
  /** Estimated time until the lane's host is no longer crowded. */
  comeBackMs: number
  /** Deliveries started since the lane was claimed, when it was claimed, and when the last delivery started. */
  begun: number
  since: number
  begunAt: number
  readAt: number
  /** Built from `secrets`, which are kept here in their stored form. */
  sign: Sign
  secrets: string
}

export function beginLane(claimed: ClaimedLane, until: Date): HeldLane {
  const { id, agent_id, webhook_url, failures, is_failing, is_disabled } = claimed
  const callbackHost = id.split(' ')[1]
  const now = performance.now()
  return {
    id,
    agentId: agent_id,
    host: callbackHost ?? URL.parse(webhook_url ?? '')?.host ?? '',
    url: undefined,
    until,
    failures,
    needsHealthUpdate: failures > 0 || is_failing || is_disabled,
    isVoid: is_disabled || (callbackHost === undefined && webhook_url === null),
    queue: [],
    known: new Set(),
    underWay: 0,
    hasMore: true,
    isReading: false,
    isLeaving: false,
    hasStayed: false,
    ending: undefined,
    comeBackMs: 0,
    begun: 0,
    since: now,
    begunAt: now,
    readAt: now,
    sign() {
      throw new Error('nothing was read yet')
    },
    secrets: '',
  }
}

/** Drops deliveries that were read but not started; they will be read again. */
export function giveBackQueue(lane: HeldLane): void {
  if (lane.queue.length === 0) return
  for (const { event_id } of lane.queue) lane.known.delete(event_id)
  lane.queue = []
  lane.hasMore = true
}
