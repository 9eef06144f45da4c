/**
 * Processes that serve one lane with the state machine of lane.ts, against a model of the database and of the receiver.
 * A history chooses what happens next: time passes, an operation is executed or its result arrives, a process stops or
 * crashes. Every start, read and release is checked against the promises of docs/webhooks.md.
 */
import type * as lane from '../../src/webhooks/lane.ts'
import { judge } from '../../src/webhooks/judge.ts'
import type { Reply } from '../../src/webhooks/call.ts'
import type { ClaimedLane } from '../../src/webhooks/lanes.ts'
import { type Attempt, isAnswered, type Recorded } from '../../src/webhooks/record-attempts.ts'
import { delayAfter } from '../../src/webhooks/schedule.ts'
import { isTampered } from '../../src/webhooks/tampered.ts'
import * as database from './lane-database.ts'

export type Machine = typeof lane

const CONCURRENCY = 4
const LEASE_MS = 2000
const RENEW_SOON_MS = 1750
const TURNS_MAX = 6
const FAILURES_MAX = 5
const SLICE = { deliveries: 100, ms: 2000 }
const READ_MS_MAX = 2000
/** A page is read while fewer than 768 deliveries are known; a disabled lane's pages are larger. */
const KNOWN_MAX = { usual: 768 + 256, ofVoid: 768 + 1000 }

/** A promise was broken. */
export class Violation extends Error {}

export interface World {
  machine: Machine
  db: database.LaneDatabase
  ms: number
  processes: Process[]
  minted: number
  /** How often each event was sent, and which ones got a 2xx. */
  sent: Map<string, number>
  accepted: Set<string>
  counts: Counts
}

export type Counts = Record<'sent' | 'claimed' | 'lost' | 'paused' | 'disabled' | 'crashed', number>

export interface Process {
  holder: string
  isFull: boolean
  isStopping: boolean
  /** How many lanes it holds, which decides the size of a page. */
  lanes: number
  session: Session | undefined
  /** Operations that were begun and whose results have not arrived. */
  operations: Operation[]
  /** Turns at each host that this lane and other lanes have, and whether this lane waits for one. */
  turns: Map<string, number>
  foreignTurns: number
  waitsForTurn: boolean
}

/** A held lane, with what an observer knows about it. */
interface Session {
  state: lane.LaneState
  untilMs: number
  /** The epoch of the database in which a delivery was read. */
  epochs: Map<string, number>
  claimedMs: number
  readMs: number
  started: number
  failures: number
  isVoid: boolean
  inFlight: Set<string>
  unrecorded: Set<string>
  isCrowded: boolean
  isLost: boolean
  /** The circuit breaker: the receiver failed too often, or responded 410. A success resets it. */
  breaker: 'paused' | 'gone' | undefined
  wasGone: boolean
  /** Our own failure: the lane has to be paused. */
  isBroken: boolean
  hasStayed: boolean
}

/** First `execute` happens, then the result arrives; the process may crash before, between or after. */
export type Operation = { session: Session | undefined; result?: unknown } & (
  | { kind: 'claim' | 'read' | 'renew'; untilMs: number }
  | { kind: 'send'; delivery: lane.Queued; at: Date }
  | { kind: 'record'; action: lane.RecordAttempt }
  | { kind: 'release'; action: lane.ReleaseLane }
)

/** How an operation goes. `broken` is a defect of ours, `unavailable` a database that is away. */
export type Luck = 'ok' | 'unavailable' | 'answer lost' | 'broken'

export function newWorld(machine: Machine, { isCallback = false } = {}): World {
  const world: World = {
    machine,
    db: database.laneDatabase({ isCallback }),
    ms: Date.UTC(2026, 0, 1),
    processes: [],
    minted: 0,
    sent: new Map(),
    accepted: new Set(),
    counts: { sent: 0, claimed: 0, lost: 0, paused: 0, disabled: 0, crashed: 0 },
  }
  world.processes = [newProcess(world), newProcess(world)]
  return world
}

export function newProcess(world: World): Process {
  world.minted += 1
  return {
    holder: `process ${world.minted}`,
    isFull: false,
    isStopping: false,
    lanes: 1,
    session: undefined,
    operations: [],
    turns: new Map(),
    foreignTurns: 0,
    waitsForTurn: false,
  }
}

const check = (isSo: boolean, violation: string) => {
  if (!isSo) throw new Violation(violation)
}

const nowOf = ({ ms }: World, { lanes, isFull, isStopping }: Process): lane.Now => ({
  date: database.dateOf(ms),
  ms,
  lanes,
  isFull,
  isStopping,
})

/** Between deliveries, the deliverer checks its lane again and claims it if it is due. */
export function tick(world: World, process: Process): void {
  if (process.isStopping) return
  if (process.session) feed(world, process, process.session, { type: 'time_passed' })
  if (process.operations.some(({ kind }) => kind === 'claim')) return
  const untilMs = world.ms + LEASE_MS
  process.operations.push({ kind: 'claim', untilMs, session: undefined })
}

export function beginRenewal(world: World, process: Process): void {
  const { session } = process
  if (session === undefined || process.operations.some(({ kind }) => kind === 'renew')) return
  if (!world.machine.isHeld(session.state)) return
  if (session.state.until.getTime() >= world.ms + RENEW_SOON_MS) return
  process.operations.push({ kind: 'renew', untilMs: world.ms + LEASE_MS, session })
}

export function stop(world: World, process: Process): void {
  process.isStopping = true
  if (process.session) feed(world, process, process.session, { type: 'surroundings_changed' })
}

export function crash(world: World, process: Process): Process {
  world.counts.crashed += 1
  const next = newProcess(world)
  world.processes[world.processes.indexOf(process)] = next
  return next
}

/** Other lanes take turns at the same host, or give them back. */
export function shareTurns(world: World, process: Process, count: number): void {
  process.foreignTurns = count
  if (!process.waitsForTurn || count >= TURNS_MAX || !process.session) return
  process.waitsForTurn = false
  feed(world, process, process.session, { type: 'surroundings_changed' })
}

function feed(world: World, process: Process, session: Session, event: lane.LaneEvent): void {
  const step = world.machine.stepLane(session.state, event, nowOf(world, process))
  session.state = frozen(step.state)
  if (event.type === 'page_read') checkMemory(session)
  for (const action of step.actions) perform(world, process, session, action)
}

/** A machine that changes a state instead of returning the next one throws. */
function frozen(state: lane.LaneState): lane.LaneState {
  for (const list of [state.queue, state.sending, state.recording]) Object.freeze(list)
  return Object.freeze(state)
}

function checkMemory({ state, isVoid }: Session): void {
  const { queue, sending, recording } = state
  const ids = [...queue.map(({ row }) => row.event_id), ...sending, ...recording]
  check(new Set(ids).size === ids.length, 'a delivery is known twice')
  check(ids.length < (isVoid ? KNOWN_MAX.ofVoid : KNOWN_MAX.usual), 'too much is kept in memory')
}

/** Once everything that follows from an event was done, nothing waits that could be started. */
function checkProgress({ ms }: World, { waitsForTurn, session }: Process): void {
  if (session === undefined || waitsForTurn) return
  const canStart = ms < session.untilMs && session.inFlight.size < limitOf(session)
  check(!canStart || session.state.queue.length === 0, 'a delivery waits that could be started')
}

const limitOf = ({ failures }: Session) => (failures >= FAILURES_MAX ? 1 : CONCURRENCY)

function perform(world: World, process: Process, session: Session, action: lane.LaneAction): void {
  switch (action.type) {
    case 'take_turn':
      return takeTurn(world, process, session, action.host)
    case 'give_back_turn':
      addTurn(process, action.host, -1)
      return feed(world, process, session, { type: 'turn_given_back' })
    case 'send':
      return beginSend(world, process, session, action.delivery)
    case 'read':
      checkIdle(process, session)
      return void process.operations.push({ kind: 'read', untilMs: 0, session })
    case 'record':
      checkRecord(action)
      return void process.operations.push({ kind: 'record', action, session })
    case 'release':
      checkRelease(world, process, session, action)
      return void process.operations.push({ kind: 'release', action, session })
    case 'forget':
      if (process.session === session) process.session = undefined
  }
}

function beginSend(world: World, process: Process, session: Session, delivery: lane.Queued): void {
  checkSend(world, process, session, delivery)
  const { event_id } = delivery.row
  session.inFlight.add(event_id)
  session.started += 1
  world.counts.sent += 1
  world.sent.set(event_id, (world.sent.get(event_id) ?? 0) + 1)
  process.operations.push({ kind: 'send', delivery, at: database.dateOf(world.ms), session })
}

function takeTurn(world: World, process: Process, session: Session, host: string): void {
  const taken = process.turns.get(host) ?? 0
  if (taken + process.foreignTurns >= TURNS_MAX) {
    process.waitsForTurn = true
    return feed(world, process, session, { type: 'turn_refused' })
  }
  addTurn(process, host, 1)
  feed(world, process, session, { type: 'turn_taken', host })
}

function addTurn({ turns }: Process, host: string, by: 1 | -1): void {
  turns.set(host, (turns.get(host) ?? 0) + by)
  check(turns.get(host)! >= 0, 'a turn is given back twice')
}

function checkSend(world: World, process: Process, session: Session, { row }: lane.Queued): void {
  const { db, ms } = world
  const { inFlight, breaker } = session
  check(!process.isStopping, 'a delivery is started while the process stops')
  check(ms < session.untilMs, 'a delivery is started without a valid lease')
  check(!session.isLost, 'a delivery is started after the lease was lost')
  check(breaker !== 'paused', 'a delivery is started while the receiver is paused')
  check(breaker !== 'gone', 'a delivery is started after the receiver was disabled')
  check(!session.isCrowded, 'a delivery is started at a crowded host')
  check(!session.isBroken, 'a delivery is started after our own failure')
  check(!inFlight.has(row.event_id), 'a delivery is in flight twice')
  check(!session.unrecorded.has(row.event_id), 'a delivery is started before it was recorded')
  const limit = limitOf(session)
  check(inFlight.size < limit, `more than ${limit} in flight`)
  check(ms - session.readMs <= READ_MS_MAX, 'a delivery is started that was read too long ago')
  if (process.isFull) {
    const isOver = session.started >= SLICE.deliveries + CONCURRENCY
    check(!isOver && ms - session.claimedMs < SLICE.ms, 'a lane keeps its slot from others')
  }
  // After another process had the lane, or recorded this delivery, it may be sent twice.
  const changedBy = db.changedBy.get(row.event_id)
  const isTakenOver = session.epochs.get(row.event_id) !== db.epoch
  if (isTakenOver || (changedBy !== undefined && changedBy !== process.holder)) return
  const delivery = db.deliveries.get(row.event_id)
  check(delivery !== undefined, 'a delivery is sent that was done')
  check(delivery!.attempts === row.attempts, 'a delivery is sent twice for one attempt')
  check(delivery!.nextTryMs <= ms, 'a delivery is sent before it is due')
}

function checkRecord({ delivery, attempt, touchesLane }: lane.RecordAttempt): void {
  if (isTampered(delivery.row)) check(!touchesLane, 'a tampered ping counts')
  else check(touchesLane || isAnswered(attempt), 'a failure is not counted')
}

/** At most one read or release at a time. */
function checkIdle({ operations }: Process, session: Session): void {
  const isBusy = operations.some(
    (one) => one.session === session && (one.kind === 'read' || one.kind === 'release'),
  )
  check(!isBusy, 'a lane is read or released twice at once')
}

function checkRelease(
  { ms }: World,
  process: Process,
  session: Session,
  { must, not_before }: lane.ReleaseLane,
): void {
  checkIdle(process, session)
  check(session.inFlight.size === 0, 'a lane is released with requests in flight')
  check(session.unrecorded.size === 0, 'a lane is released with results to record')
  check(!must || mayRelease(process, session, ms), 'a lane is released for no reason')
  const isPaused = must && not_before !== undefined && not_before.getTime() > ms
  check(!session.isBroken || isPaused, 'a lane is not paused after our own failure')
}

function mayRelease({ isFull, isStopping }: Process, session: Session, ms: number): boolean {
  const { isLost, isCrowded, isBroken, wasGone, breaker, started, claimedMs } = session
  const isOver = isFull && (started >= SLICE.deliveries || ms - claimedMs >= SLICE.ms)
  const isEnded = isLost || isCrowded || isBroken || wasGone || breaker !== undefined
  return isStopping || isEnded || isOver
}

/** Executes an operation, or lets its result arrive if it has been executed. */
export function advance(
  world: World,
  process: Process,
  operation: Operation,
  { luck, reply }: { luck: Luck; reply: Reply },
): void {
  if (!('result' in operation)) {
    operation.result = execute(world, process, operation, { luck, reply })
    return
  }
  process.operations.splice(process.operations.indexOf(operation), 1)
  arrive(world, process, operation)
  checkProgress(world, process)
}

function execute(
  world: World,
  { holder, lanes, operations }: Process,
  operation: Operation,
  { luck, reply }: { luck: Luck; reply: Reply },
): unknown {
  const { db, ms, machine } = world
  const { kind, session } = operation
  if (kind === 'send') {
    if (isAccepted(reply)) world.accepted.add(operation.delivery.row.event_id)
    return reply
  }
  if (luck === 'unavailable') return 'unavailable'
  if (luck === 'broken' && (kind === 'read' || kind === 'record')) return 'broken'
  switch (kind) {
    case 'claim': {
      if (isReleasing(operations)) return undefined
      const claimed = database.claim(db, { holder, ms, untilMs: operation.untilMs })
      return luck === 'answer lost' ? 'unavailable' : claimed
    }
    case 'renew': {
      const isRenewed = database.renew(db, holder, operation.untilMs)
      return luck === 'answer lost' ? 'unavailable' : isRenewed
    }
    case 'read': {
      const page = machine.pageOf(session!.state, lanes)
      const known = machine.knownIds(session!.state)
      const rows = database.readDue(db, { holder, ms, page, known })
      for (const { event_id } of rows) session!.epochs.set(event_id, db.epoch)
      // Rows that can't be sent have been removed, whether or not the answer arrives.
      return luck === 'answer lost' ? 'unavailable' : pageFrom(machine, rows, page)
    }
    case 'record': {
      const { attempt, touchesLane } = operation.action
      const ended = [{ attempt, lane: db.id, touchesLane }]
      const isDisabled = database.recordAttempts(db, { holder, ms, ended })
      return luck === 'answer lost' ? 'unavailable' : isDisabled ? 'disabled' : 'recorded'
    }
    case 'release': {
      for (const one of operations) if (one.kind === 'claim') one.result = undefined
      const stays = database.releaseLane(db, { holder, ms, how: operation.action })
      return luck === 'answer lost' ? 'unavailable' : stays
    }
  }
}

/** A process that claims the lane while it releases it is outside of this model. */
const isReleasing = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'release' && (!('result' in one) || one.result === true))

const isAccepted = ({ status = 0 }: Reply) => status >= 200 && status < 300

function pageFrom(
  machine: Machine,
  read: ReturnType<typeof database.readDue>,
  page: number,
): lane.Page {
  const rows = machine.toQueued(read.filter(({ is_void }) => !is_void))
  return { rows, hasMore: read.length === page, isEmpty: read.length === 0 }
}

function arrive(world: World, process: Process, operation: Operation): void {
  const { result, session } = operation
  const isUnavailable = result === 'unavailable'
  switch (operation.kind) {
    case 'claim':
      if (isUnavailable || result === undefined || isReleasing(process.operations)) return
      return take(world, process, result as ClaimedLane, operation.untilMs)
    case 'renew':
      if (isUnavailable) return
      return result
        ? keep(world, process, session!, operation.untilMs)
        : lose(world, process, session!)
    case 'read':
      return arriveRead(world, process, session!, result as lane.Page | 'unavailable' | 'broken')
    case 'send':
      return arriveReply(world, process, session!, operation, result as Reply)
    case 'record':
      return arriveRecord(world, process, session!, operation.action, result)
    case 'release': {
      const stays = result === true
      session!.hasStayed = stays
      feed(world, process, session!, { type: 'released', stays })
      return check(!stays || process.session === session, 'a lane is forgotten that is still held')
    }
  }
}

function take(world: World, process: Process, claimed: ClaimedLane, untilMs: number): void {
  const { machine, ms } = world
  const held = process.session
  if (held !== undefined && machine.isHeld(held.state)) return keep(world, process, held, untilMs)
  world.counts.claimed += 1
  const comeBackMs = process.foreignTurns > TURNS_MAX ? 50 : 0
  const state = machine.beginLane(claimed, {
    until: database.dateOf(untilMs),
    concurrency: CONCURRENCY,
    comeBackMs,
    now: nowOf(world, process),
  })
  process.session = {
    state: frozen(state),
    untilMs,
    epochs: new Map(),
    claimedMs: ms,
    readMs: ms,
    started: 0,
    failures: claimed.failures,
    isVoid: claimed.is_disabled || claimed.webhook_url === null,
    inFlight: new Set(),
    unrecorded: new Set(),
    isCrowded: comeBackMs > 0,
    isLost: false,
    breaker: undefined,
    wasGone: false,
    isBroken: false,
    hasStayed: false,
  }
  feed(world, process, process.session, { type: 'surroundings_changed' })
}

function keep(world: World, process: Process, session: Session, untilMs: number): void {
  session.untilMs = untilMs
  session.isLost = false
  feed(world, process, session, { type: 'lease_renewed', until: database.dateOf(untilMs) })
}

function lose(world: World, process: Process, session: Session): void {
  world.counts.lost += 1
  // An open breaker stops the lane already. If a success resets it, the lane runs until its lease ends.
  session.isLost = session.breaker === undefined
  feed(world, process, session, { type: 'lease_lost' })
}

function arriveRead(
  world: World,
  process: Process,
  session: Session,
  page: lane.Page | 'unavailable' | 'broken',
): void {
  if (page === 'unavailable') return feed(world, process, session, { type: 'read_postponed' })
  if (page === 'broken' || (session.hasStayed && page.isEmpty)) session.isBroken = true
  session.hasStayed = false
  if (page === 'broken') return feed(world, process, session, { type: 'read_failed' })
  session.readMs = world.ms
  feed(world, process, session, { type: 'page_read', page })
}

function arriveReply(
  world: World,
  process: Process,
  session: Session,
  { delivery, at }: Extract<Operation, { kind: 'send' }>,
  reply: Reply,
): void {
  const attempt = attemptOf(world, delivery, { reply, at })
  session.inFlight.delete(delivery.row.event_id)
  session.unrecorded.add(delivery.row.event_id)
  if (!isTampered(delivery.row)) observeHealth(world, session, attempt)
  const isRecorded = () =>
    process.operations.some((one) => one.kind === 'record' && one.action.attempt === attempt)
  feed(world, process, session, { type: 'attempt_ended', delivery, attempt })
  check(isRecorded(), 'a result is not recorded')
  const taken = [...process.turns.values()].reduce((sum, count) => sum + count, 0)
  const inFlight = process.operations.filter(({ kind }) => kind === 'send').length
  check(taken === inFlight, 'a turn is not given back')
}

/** Without jitter, so that a history can be repeated. */
function attemptOf(
  { ms, db }: World,
  { row }: lane.Queued,
  { reply, at }: { reply: Reply; at: Date },
): Attempt {
  const now = database.dateOf(ms)
  const attempt = judge(row, reply, { agentId: db.id, at, now, ms: ms - at.getTime() })
  const delayMs = delayAfter(attempt.number, { random: 0.5 })
  return { ...attempt, next_try_at: attempt.next_try_at && database.dateOf(ms + delayMs) }
}

function observeHealth({ counts }: World, session: Session, attempt: Attempt): void {
  if (isAnswered(attempt)) {
    session.failures = 0
    session.breaker = undefined
    return
  }
  session.failures += 1
  if (attempt.outcome === 'disabled') {
    counts.disabled += 1
    open(session, 'gone')
  } else if (session.failures >= FAILURES_MAX) {
    counts.paused += 1
    open(session, 'paused')
  }
}

/** The first reason to stop counts: if a lost lease caused the stop, regaining the lease ends it. */
function open(session: Session, breaker: 'paused' | 'gone'): void {
  if (session.isLost || session.breaker !== undefined) return
  session.breaker = breaker
  session.wasGone ||= breaker === 'gone'
}

function arriveRecord(
  world: World,
  process: Process,
  session: Session,
  record: lane.RecordAttempt,
  result: unknown,
): void {
  session.unrecorded.delete(record.attempt.event_id)
  if (result === 'broken') session.isBroken = true
  if (result === 'disabled') open(session, 'gone')
  const outcome =
    result === 'unavailable' ? 'lost' : result === 'broken' ? 'rejected' : (result as Recorded)
  feed(world, process, session, { type: 'attempt_recorded', record, outcome })
}
