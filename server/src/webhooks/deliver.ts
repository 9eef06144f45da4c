/**
 * The deliverer sends events to agents' servers. It claims the lanes that have been due longest, sends a few deliveries
 * of each lane concurrently, and records the results of all lanes in batches. A slow or dead receiver delays only its
 * own lane.
 *
 * Delivery is at least once: nothing is marked before it is sent. If a process dies or loses the database after
 * sending, another one sends the event again under the same id.
 */
import { randomBytes } from 'node:crypto'
import { batcher } from '../kit/batch.ts'
import type { Mode } from '../kit/endpoint.ts'
import { ApiError } from '../kit/errors.ts'
import type { Background } from '../kit/job.ts'
import { type Caller, openCaller, type Reply } from './call.ts'
import { renderEvent } from './event-view.ts'
import {
  beginLane,
  type Ending,
  FAILURES_BEFORE_PAUSE,
  giveBackQueue,
  type HeldLane,
} from './held-lane.ts'
import { hostTurns } from './host-turns.ts'
import { addressOf, judge } from './judge.ts'
import {
  claimLanes,
  type ClaimedLane,
  type DueDelivery,
  readDue,
  type Release,
  releaseLanes,
  renewLanes,
} from './lanes.ts'
import { type Attempt, isAnswered, openRecorder } from './record-attempts.ts'
import { type Sign, signer } from './sign.ts'
import { rejectedForgery, isTampered, noteChecked, tamper } from './tampered.ts'

const LEASE_MS = 2000
const RENEW_MS = 500
/** When every slot is taken, a lane yields its slot after this many deliveries or this long. */
const SLICE = { deliveries: 100, ms: 2000 }
/** Lanes that only wait for a response free their slot for others, up to `timesMax` times the limit in total. */
const HANGING = { afterMs: 1000, timesMax: 8 }
/** Read-ahead limits for one lane and for all lanes, because bodies take memory. */
const PAGE = { max: 256, min: 4, ofAllLanes: 2048, ofVoid: 1000 }
/** Queued rows older than this are read again, because the agent's address may have changed. */
const READ_MS_MAX = 2000
/** While requests are in flight, their lane is checked for new deliveries this often. */
const LOOK_AGAIN_MS = 500
const LANES_TOGETHER = 256
/** How long a lane is paused after a problem on our side. */
const PAUSES_MS: Partial<Record<Ending, number>> = {
  unexpectedly_empty: 1000,
  unreadable: 60_000,
  unrecorded: 60_000,
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the lanes' shared state is not yet split by subject
export function openDeliverer(
  background: Background,
  {
    caller = openCaller(background.config),
    mode,
  }: {
    caller?: Caller
    /** Sends only to agents of this mode; undefined means all. */
    mode?: Mode
  } = {},
) {
  const { db, clock, config, log, metrics } = background
  const lanesMax = mode === 'test' ? config.TEST_WEBHOOK_LANES : config.WEBHOOK_LANES
  const holder = `deliverer-${process.pid}-${randomBytes(6).toString('hex')}`
  const lanes = new Map<string, HeldLane>()
  const turns = hostTurns<HeldLane>(config.WEBHOOK_HOST_CONCURRENCY, pump)
  const recorder = openRecorder(background, { holder })
  const reads = batcher({ run: readPages, sizeMax: LANES_TOGETHER })
  const releases = batcher({ run: release, sizeMax: LANES_TOGETHER })
  const renewing = setInterval(renewOnce, RENEW_MS).unref()
  let isRenewing = false
  let places = lanesMax
  let isStopping = false
  let whenLeft = Promise.withResolvers<void>()

  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS)
  const isFull = () => lanes.size >= places

  /** Claims due lanes and starts their deliveries. */
  async function step(): Promise<'more' | 'idle'> {
    if (isStopping) return 'idle'
    lookAgain()
    if (isFull()) {
      await someLaneLeft(config.WEBHOOK_INTERVAL_MS)
      return 'more'
    }
    const limit = places - lanes.size
    const until = leaseEnd()
    const claimed = await claimLanes(db, { holder, now: clock.now(), until, limit, mode })
    for (const lane of claimed) take(lane, until)
    return claimed.length === limit ? 'more' : 'idle'
  }

  function lookAgain(): void {
    const at = performance.now()
    let hanging = 0
    for (const lane of lanes.values()) {
      if (lane.underWay > 0 && lane.underWay < windowOf(lane) && at - lane.readAt > LOOK_AGAIN_MS)
        lane.hasMore = true
      if (lane.underWay > 0 && at - lane.begunAt > HANGING.afterMs) hanging += 1
      pump(lane)
    }
    places = lanesMax + Math.min(hanging, (HANGING.timesMax - 1) * lanesMax)
  }

  async function someLaneLeft(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, withinMs)
    await Promise.race([promise, whenLeft.promise])
    clearTimeout(timer)
  }

  function take(claimed: ClaimedLane, until: Date): void {
    const held = lanes.get(claimed.id)
    // We renewed the lease too late, but no other process had claimed the lane.
    if (held !== undefined && !held.isLeaving) return keep(held, until)
    const lane = beginLane(claimed, until)
    lane.comeBackMs = turns.comeBackIn(lane.host)
    if (lane.comeBackMs > 0) lane.ending = 'crowded'
    lanes.set(lane.id, lane)
    pump(lane)
  }

  /** Starts as many deliveries of a lane as possible, and releases the lane when nothing is left to do. */
  function pump(lane: HeldLane): void {
    const at = performance.now()
    if (isEnding(lane, at) || at - lane.readAt > READ_MS_MAX) giveBackQueue(lane)
    while (lane.queue.length > 0 && lane.underWay < windowOf(lane) && clock.now() < lane.until) {
      const host = hostOf(lane, lane.queue[0]!)
      if (!turns.take(host, lane)) break
      void attempt(lane, lane.queue.shift()!, host)
    }
    if (lane.isReading || lane.isLeaving) return
    if (wantsMore(lane, at)) void readMore(lane)
    else if (isDone(lane, at)) void leave(lane)
  }

  const isEnding = (lane: HeldLane, at: number) =>
    isStopping ||
    lane.ending !== undefined ||
    (isFull() && (lane.begun >= SLICE.deliveries || at - lane.since >= SLICE.ms))

  const windowOf = ({ failures }: HeldLane) =>
    failures >= FAILURES_BEFORE_PAUSE ? 1 : config.WEBHOOK_CONCURRENCY

  function pageOf(lane: HeldLane): number {
    if (lane.isVoid) return PAGE.ofVoid
    if (windowOf(lane) === 1) return 1
    return Math.max(PAGE.min, Math.min(PAGE.max, Math.floor(PAGE.ofAllLanes / lanes.size)))
  }

  const wantsMore = (lane: HeldLane, at: number) =>
    lane.hasMore &&
    lane.queue.length <= pageOf(lane) / 2 &&
    // Backpressure: when recording is slow, don't send more than we can keep track of.
    lane.known.size < 3 * PAGE.max &&
    !isEnding(lane, at)

  const isDone = (lane: HeldLane, at: number) =>
    lane.known.size === 0 && (!lane.hasMore || isEnding(lane, at))

  async function readMore(lane: HeldLane): Promise<void> {
    lane.isReading = true
    try {
      const page = await reads.add(lane)
      lane.isReading = false
      // The database is unavailable; the next step retries.
      if (page === undefined && !isEnding(lane, performance.now())) return
      if (page !== undefined) putIn(lane, page)
    } catch (error) {
      log.error({ error, lane: lane.id }, 'the deliveries of a lane can not be read')
      lane.isReading = false
      lane.ending = 'unreadable'
    }
    pump(lane)
  }

  function putIn(lane: HeldLane, { rows, hasMore, isEmpty }: Page): void {
    // The release reported more deliveries but none were found. Pause the lane to avoid an endless loop.
    if (lane.hasStayed && isEmpty) lane.ending = 'unexpectedly_empty'
    lane.hasStayed = false
    lane.hasMore = hasMore
    lane.readAt = performance.now()
    for (const row of rows) lane.known.add(row.event_id)
    lane.queue.push(...rows)
    const last = rows.at(-1)
    // The agent may have rotated its secret.
    if (last !== undefined) lane.sign = signerFor(lane, last)
  }

  async function readPages(asking: HeldLane[]): Promise<(Page | undefined)[]> {
    const asked = asking.map((lane) => ({ id: lane.id, page: pageOf(lane) }))
    const known = asking.flatMap((lane) => [...lane.known])
    const found = await readDue(db, { now: clock.now(), lanes: asked, known }).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
      },
    )
    if (found === undefined) return asking.map(() => undefined)
    const byLane = Map.groupBy(found, ({ lane }) => lane)
    return asked.map(({ id, page }) => {
      const read = byLane.get(id) ?? []
      logSkipped(id, read)
      const rows = read.filter(({ is_void, is_missing }) => !is_void && !is_missing)
      return { rows, hasMore: read.length === page, isEmpty: read.length === 0 }
    })
  }

  function logSkipped(lane: string, rows: DueDelivery[]): void {
    const idsOf = (which: 'is_void' | 'is_missing') =>
      rows.flatMap((row) => (row[which] ? [row.event_id] : []))
    const events = idsOf('is_void')
    if (events.length > 0) {
      metrics.deliveries.inc({ outcome: 'dropped' }, events.length)
      log.warn({ lane, events }, 'deliveries were dropped: nothing can be sent there any more')
    }
    const missing = idsOf('is_missing')
    if (missing.length > 0) log.error({ lane, events: missing }, 'events are not in the log')
  }

  function signerFor(lane: HeldLane, row: DueDelivery): Sign {
    const secrets = `${row.webhook_secret} ${row.webhook_secret_old}`
    if (lane.secrets === secrets) return lane.sign
    lane.secrets = secrets
    return signer(row, { keys: config.WEBHOOK_SECRET_KEYS, agentId: lane.agentId })
  }

  async function attempt(lane: HeldLane, row: DueDelivery, host: string): Promise<void> {
    const at = clock.now()
    lane.underWay += 1
    lane.begun += 1
    lane.begunAt = performance.now()
    const begunAt = lane.begunAt
    const reply = await send(lane, row, at)
    const ms = performance.now() - begunAt
    lane.underWay -= 1
    metrics.deliverySeconds.observe(ms / 1000)

    const { agentId } = lane
    const ended = judge(row, reply, { agentId, at, now: clock.now(), ms: Math.round(ms) })
    const touchesLane =
      !isTampered(row) &&
      (lane.needsHealthUpdate || !isAnswered(ended) || row.type === 'webhook.ping')
    if (!isTampered(row)) notice(lane, ended)
    turns.giveBack(host)
    pump(lane)
    await record(lane, ended, touchesLane)
    if (isTampered(row) && rejectedForgery(ended.status))
      await noteChecked(db, { laneId: lane.id, now: clock.now() }).catch(sayItFailed)
    lane.known.delete(row.event_id)
    pump(lane)
  }

  async function send(lane: HeldLane, row: DueDelivery, at: Date): Promise<Reply> {
    try {
      const body = renderEvent({ ...row, id: row.event_id })
      const signed = lane.sign({ id: row.event_id, body, at })
      const headers = isTampered(row) ? tamper(signed) : signed
      return await caller.post({ url: addressOf(row), headers, body })
    } catch (error) {
      log.error({ error, event: row.event_id }, 'an event could not be sent')
      return { error: 'the event could not be sent' }
    }
  }

  /** Applies the result to the lane's next deliveries at once, before it is recorded. */
  function notice(lane: HeldLane, ended: Attempt): void {
    if (isAnswered(ended)) {
      lane.failures = 0
      lane.needsHealthUpdate = false
      if (lane.ending === 'paused') lane.ending = undefined
    } else {
      lane.failures += 1
      lane.needsHealthUpdate = true
      if (ended.outcome === 'disabled') lane.ending ??= 'disabled'
      if (lane.failures >= FAILURES_BEFORE_PAUSE) lane.ending ??= 'paused'
    }
  }

  async function record(lane: HeldLane, ended: Attempt, touchesLane: boolean): Promise<void> {
    try {
      const recorded = await recorder.add({ attempt: ended, lane: lane.id, touchesLane })
      if (recorded !== 'recorded') lane.needsHealthUpdate = true
      if (recorded === 'disabled') lane.ending ??= 'disabled'
      else if (touchesLane) lane.isVoid = false
    } catch (error) {
      // Without a pause the same event would be sent again in a tight loop.
      log.error({ error, event: ended.event_id }, 'an attempt can not be recorded')
      lane.ending = 'unrecorded'
      lane.needsHealthUpdate = true
    }
  }

  async function leave(lane: HeldLane): Promise<void> {
    lane.isLeaving = true
    const { id } = lane
    const must = isEnding(lane, performance.now())
    const stays = await releases.add({ id, must, ...pauseOf(lane, clock.now()) })
    if (stays) {
      lane.isLeaving = false
      lane.hasMore = true
      lane.hasStayed = true
      return pump(lane)
    }
    // The lane may have been claimed again before the release returned.
    if (lanes.get(id) === lane) lanes.delete(id)
    whenLeft.resolve()
    whenLeft = Promise.withResolvers()
  }

  async function release(leaving: Release[]): Promise<boolean[]> {
    const released = releaseLanes(db, { holder, now: clock.now(), lanes: leaving })
    // If the release fails, the leases expire.
    const staying = await released.catch(sayItFailed)
    return leaving.map(({ id }) => staying?.has(id) ?? false)
  }

  function renewOnce(): void {
    if (isRenewing) return
    isRenewing = true
    void renew().finally(() => {
      isRenewing = false
    })
  }

  async function renew(): Promise<void> {
    const soon = clock.now().getTime() + LEASE_MS - RENEW_MS / 2
    const held = [...lanes.values()].filter(
      (lane) => !lane.isLeaving && lane.until.getTime() < soon,
    )
    if (held.length === 0) return
    const until = leaseEnd()
    const ids = held.map(({ id }) => id)
    const ours = await renewLanes(db, { holder, until, ids }).catch(sayItFailed)
    if (ours === undefined) return
    for (const lane of held) {
      if (ours.get(lane.id) === 'renewed') keep(lane, until)
      else if (!ours.has(lane.id)) lose(lane)
    }
  }

  function sayItFailed(error: unknown): undefined {
    log.warn({ error, lanes: lanes.size }, 'lanes could not be renewed or let go of')
  }

  function keep(lane: HeldLane, until: Date): void {
    lane.until = until
    if (lane.ending === 'lost') lane.ending = undefined
    pump(lane)
  }

  function lose(lane: HeldLane): void {
    lane.ending ??= 'lost'
    pump(lane)
  }

  async function idle(): Promise<void> {
    while (lanes.size > 0) await whenLeft.promise
  }

  return {
    step,
    /** Resolves when this process holds no lanes. */
    idle,
    /** Finishes and records deliveries in flight; leaves the rest to other processes. */
    async stop(): Promise<void> {
      isStopping = true
      for (const lane of lanes.values()) pump(lane)
      await idle()
      clearInterval(renewing)
      await caller.close()
    },
  }
}

interface Page {
  rows: DueDelivery[]
  hasMore: boolean
  /** No rows at all were found, not even ones that can't be sent. */
  isEmpty: boolean
}

export type Deliverer = ReturnType<typeof openDeliverer>

/** Caches the parsed host, because nearly all deliveries of a lane go to the same URL. */
function hostOf(lane: HeldLane, row: DueDelivery): string {
  const url = addressOf(row)
  if (lane.url !== url) {
    lane.url = url
    lane.host = URL.parse(url)?.host ?? ''
  }
  return lane.host
}

function pauseOf({ ending, comeBackMs }: HeldLane, now: Date): Pick<Release, 'not_before'> {
  const ms = ending === 'crowded' ? comeBackMs : ending && PAUSES_MS[ending]
  return ms === undefined ? {} : { not_before: new Date(now.getTime() + ms) }
}
