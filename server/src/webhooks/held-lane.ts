import type { ClaimedLane, DueDelivery } from './lanes.ts'
import type { Sign } from './sign.ts'

/** From so many failures in a row on, a receiver is paused, then tried with one delivery. */
export const FAILURES_BEFORE_PAUSE = 5

export type Ending =
  /** By its failures, or because it said that it is no longer there. */
  | 'paused'
  | 'disabled'
  /** Another process has it. */
  | 'lost'
  /** Too many others wait for its host. */
  | 'crowded'
  /** Something is wrong on our side: it is left alone for a while. */
  | 'unreadable'
  | 'unrecorded'
  | 'unexpectedly_empty'

/** A lane in the hands of this process. */
export interface HeldLane {
  readonly id: string
  readonly agentId: string
  /** Where it leads; nothing was read yet as long as there is no `url`. */
  host: string
  url: string | undefined
  until: Date
  /** In a row. */
  failures: number
  /** Its row says something else than that all is well, so that a success has to change it. */
  needsHealthUpdate: boolean
  /** What waits can't be sent, and is removed. */
  isVoid: boolean
  queue: DueDelivery[]
  /** Deliveries in the queue, under way or not recorded yet: they are not read again. */
  readonly known: Set<string>
  underWay: number
  /** More may be due than was read. */
  hasMore: boolean
  isReading: boolean
  isLeaving: boolean
  /** We wanted to let go of it, and more was due. */
  hasStayed: boolean
  /** Why nothing more is begun. */
  ending: Ending | undefined
  /** After how long a crowd at its host may be gone. */
  comeBackMs: number
  /** How much was begun since it was taken, and when that was, and when the last was begun. */
  begun: number
  since: number
  begunAt: number
  readAt: number
  /** Made from these secrets, as they are kept. */
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

/** What was read and not begun is left for later. */
export function giveBackQueue(lane: HeldLane): void {
  if (lane.queue.length === 0) return
  for (const { event_id } of lane.queue) lane.known.delete(event_id)
  lane.queue = []
  lane.hasMore = true
}
