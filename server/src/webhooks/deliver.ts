/**
 * The deliverer sends events to agents' servers. It claims the lanes that have been due longest, sends a few deliveries
 * of each lane concurrently, and records the results of all lanes in batches. A slow or dead receiver delays only its
 * own lane. Here are the timers, database calls and requests; lane.ts decides what a lane does next.
 *
 * Delivery is at least once: nothing is marked before it is sent. If a process dies or loses the database after
 * sending, another one sends the event again under the same id.
 */
import type { Mode } from '../kit/endpoint.ts'
import type { Background } from '../kit/job.ts'
import { type Caller, openCaller } from './call.ts'
import { type HeldLane, heldLanes, type HeldLanes } from './held-lanes.ts'
import { hostTurns } from './host-turns.ts'
import {
  beginLane,
  hostOfLane,
  isHanging,
  isHeld,
  type LaneAction,
  type LaneEvent,
  type Now,
  type Queued,
  type RecordAttempt,
  type ReleaseLane,
  stepLane,
} from './lane.ts'
import type { ClaimedLane } from './lanes.ts'
import { openLeases, RENEW_MS } from './leases.ts'
import { openPageReader } from './read-pages.ts'
import { openRecorder } from './record-attempts.ts'
import { sendDelivery } from './send-delivery.ts'
import { isTampered, noteChecked, rejectedForgery } from './tampered.ts'

/** Lanes that only wait for a response free their slot for others, up to this many times the limit in total. */
const HANGING_TIMES_MAX = 8

export type Turns = ReturnType<typeof openTurns>

/** The turns of all hosts in this process. The deliverers of several shards share them. */
export const openTurns = ({ WEBHOOK_HOST_CONCURRENCY }: Background['config']) =>
  hostTurns<HeldLane>(WEBHOOK_HOST_CONCURRENCY, (lane) => lane.wake())

export function openDeliverer(
  background: Background,
  {
    caller = openCaller(background.config),
    turns = openTurns(background.config),
    mode,
  }: {
    caller?: Caller
    turns?: Turns
    /** Sends only to agents of this mode; undefined means all. */
    mode?: Mode
  } = {},
) {
  const { clock, config } = background
  const lanesMax = mode === 'test' ? config.TEST_WEBHOOK_LANES : config.WEBHOOK_LANES
  const lanes = heldLanes()
  const leases = openLeases(background, lanes, { mode })
  const driver = openDriver(background, { caller, turns, lanes, leases, now })
  const renewing = setInterval(renewOnce, RENEW_MS).unref()
  let isRenewing = false
  let slots = lanesMax
  let isStopping = false

  function now(): Now {
    const isFull = lanes.size >= slots
    return { date: clock.now(), ms: performance.now(), lanes: lanes.size, isFull, isStopping }
  }

  /** Claims due lanes and starts their deliveries. */
  async function step(): Promise<'more' | 'idle'> {
    if (isStopping) return 'idle'
    lookAgain()
    if (lanes.size >= slots) {
      await lanes.someLeft(config.WEBHOOK_INTERVAL_MS)
      return 'more'
    }
    const limit = slots - lanes.size
    const { claimed, until } = await leases.claim(limit)
    for (const lane of claimed) driver.take(lane, until)
    return claimed.length === limit ? 'more' : 'idle'
  }

  function lookAgain(): void {
    let hanging = 0
    for (const lane of lanes) {
      if (isHanging(lane.state, performance.now())) hanging += 1
      driver.feed(lane, { type: 'time_passed' })
    }
    slots = lanesMax + Math.min(hanging, (HANGING_TIMES_MAX - 1) * lanesMax)
  }

  function renewOnce(): void {
    if (isRenewing) return
    isRenewing = true
    void renew().finally(() => {
      isRenewing = false
    })
  }

  async function renew(): Promise<void> {
    for (const { lane, event } of await leases.renew()) driver.feed(lane, event)
  }

  return {
    step,
    /** Resolves when this process holds no lanes. */
    idle: lanes.allLeft,
    /** Finishes and records deliveries in flight; leaves the rest to other processes. */
    async stop(): Promise<void> {
      isStopping = true
      for (const lane of lanes) driver.feed(lane, { type: 'surroundings_changed' })
      await lanes.allLeft()
      clearInterval(renewing)
      await caller.close()
    },
  }
}

/** Feeds events to the state machines of the held lanes and performs their actions. */
function openDriver(
  background: Background,
  {
    caller,
    turns,
    lanes,
    leases,
    now,
  }: {
    caller: Caller
    turns: Turns
    lanes: HeldLanes
    leases: ReturnType<typeof openLeases>
    now(): Now
  },
) {
  const { db, clock, config, log } = background
  const pages = openPageReader(background, lanes)
  const recorder = openRecorder(background, { holder: leases.holder })

  function take(claimed: ClaimedLane, until: Date): void {
    const held = lanes.get(claimed.id)
    // We renewed the lease too late, but no other process had claimed the lane.
    if (held !== undefined && isHeld(held.state))
      return feed(held, { type: 'lease_renewed', until })
    const comeBackMs = turns.comeBackIn(hostOfLane(claimed))
    const concurrency = config.WEBHOOK_CONCURRENCY
    const state = beginLane(claimed, { until, concurrency, comeBackMs, now: now() })
    const lane: HeldLane = {
      id: claimed.id,
      agentId: claimed.agent_id,
      state,
      sign: signNothing,
      secrets: '',
      wake: () => feed(lane, { type: 'surroundings_changed' }),
    }
    lanes.add(lane)
    lane.wake()
  }

  function feed(lane: HeldLane, event: LaneEvent): void {
    const { state, actions } = stepLane(lane.state, event, now())
    lane.state = state
    for (const action of actions) perform(lane, action)
  }

  function perform(lane: HeldLane, action: LaneAction): void {
    switch (action.type) {
      case 'read':
        return void read(lane)
      case 'take_turn': {
        const { host } = action
        const isTaken = turns.take(host, lane)
        return feed(lane, isTaken ? { type: 'turn_taken', host } : { type: 'turn_refused' })
      }
      case 'send':
        return void send(lane, action.delivery)
      case 'give_back_turn':
        turns.giveBack(action.host)
        return feed(lane, { type: 'turn_given_back' })
      case 'record':
        return void record(lane, action)
      case 'release':
        return void release(lane, action)
      case 'forget':
        return lanes.remove(lane)
    }
  }

  async function read(lane: HeldLane): Promise<void> {
    feed(lane, await pages.read(lane))
  }

  async function send(lane: HeldLane, delivery: Queued): Promise<void> {
    const attempt = await sendDelivery(background, caller, { lane, row: delivery.row })
    feed(lane, { type: 'attempt_ended', delivery, attempt })
  }

  async function record(lane: HeldLane, action: RecordAttempt): Promise<void> {
    const { delivery, attempt, touchesLane } = action
    const outcome = await recorder
      .add({ attempt, lane: lane.id, touchesLane })
      .catch((error: unknown) => {
        log.error({ error, event: attempt.event_id }, 'could not record an attempt')
        return 'rejected' as const
      })
    if (isTampered(delivery.row) && rejectedForgery(attempt.status))
      await noteChecked(db, { laneId: lane.id, now: clock.now() }).catch(leases.logFailure)
    feed(lane, { type: 'attempt_recorded', record: action, outcome })
  }

  async function release(lane: HeldLane, { must, not_before }: ReleaseLane): Promise<void> {
    const stays = await leases.release({ id: lane.id, must, ...(not_before && { not_before }) })
    feed(lane, { type: 'released', stays })
  }

  return { take, feed }
}

function signNothing(): never {
  throw new Error('nothing was read yet')
}
