/** Random histories of a lane, and what must be true after each of them. */
import fc from 'fast-check'
import type { Reply } from '../../src/webhooks/call.ts'
import { ATTEMPTS_MAX } from '../../src/webhooks/schedule.ts'
import { TAMPERED } from '../../src/webhooks/tampered.ts'
import { addDelivery, pauseLane, revive, wake } from './lane-database.ts'
import {
  advance,
  beginRenewal,
  type Counts,
  crash,
  type Luck,
  type Machine,
  newProcess,
  newWorld,
  type Process,
  shareTurns,
  stop,
  tick,
  Violation,
  type World,
} from './lane-world.ts'

type Mood = keyof typeof REPLIES

interface Play {
  world: World
  mood: Mood
}

/** The receiver's possible responses; each request picks one. */
const REPLIES = {
  well: [{ status: 200, answer: '' }],
  faulty: [
    { status: 204, answer: '' },
    { status: 500, answer: '' },
    { status: 503, answer: '', retryAfterMs: 8000 },
  ],
  dead: [{ error: 'no response within 10 seconds' }, { error: 'the connection was refused' }],
  leaving: [
    { status: 410, answer: '' },
    { status: 410, answer: '' },
    { status: 200, answer: '' },
    { status: 500, answer: '' },
  ],
} as const satisfies Record<string, readonly Reply[]>

const MOODS: Mood[] = ['well', 'faulty', 'faulty', 'dead', 'dead', 'leaving']
const LUCK: Luck[] = [...Array<Luck>(20).fill('ok'), 'unavailable', 'answer lost', 'broken']
const PASSING_MS = [1, 20, 300, 600, 1100, 2100, 5000, 60_000, 1_800_000, 36_000_000, 172_800_000]
const URLS = ['https://one.example/hooks', 'https://two.example/hooks']
const PATHS = ['https://one.example/a', 'https://one.example/b']
const OVERLOAD = 2000
const ROUNDS_MAX = 3000
const OPERATIONS_MAX = 30_000

/** Each with its weight. `a` chooses the process, `b` the rest. */
const STEPS: Record<string, [weight: number, (play: Play, process: Process, b: number) => void]> = {
  advance: [150, advanceOne],
  settle: [4, ({ world, mood }, process, b) => settle(world, process, replyOf(mood, b))],
  tick: [20, ({ world }, process) => tick(world, process)],
  renew: [12, ({ world }, process) => beginRenewal(world, process)],
  'pass time': [10, ({ world }, _, b) => void (world.ms += PASSING_MS[b % 5]!)],
  'pass a long time': [2, ({ world }, _, b) => void (world.ms += pick(PASSING_MS, b))],
  add: [12, ({ world }, _, b) => add(world, 1 + (b % 9))],
  'add many': [1, ({ world }, _, b) => add(world, 50 + (b % 250))],
  ping: [1, ({ world }, _, b) => addPing(world, b % 2 === 0)],
  'change mood': [5, (play, _, b) => void (play.mood = pick(MOODS, b))],
  'fill slots': [2, (_, process, b) => void (process.isFull = b % 2 === 0)],
  'hold more lanes': [1, (_, process, b) => void (process.lanes = 1 + (b % 600))],
  'share turns': [3, ({ world }, process, b) => shareTurns(world, process, b % 8)],
  'show a phantom': [1, ({ world }, _, b) => void (world.db.hasPhantom = b % 3 === 0)],
  'stop process': [1, ({ world }, process) => stop(world, process)],
  crash: [1, ({ world }, process) => void crash(world, process)],
  'pause receiver': [1, ({ world }, _, b) => pauseLane(world.db, world.ms + pick(PASSING_MS, b))],
  'resume receiver': [1, ({ world }) => wake(world.db, world.ms, { isProbe: true })],
  'disable receiver': [1, ({ world }) => void (world.db.lane.disabledMs ??= world.ms)],
  'change address': [1, changeAddress],
  'remove address': [1, ({ world }) => void (world.db.webhookUrl = null)],
}

export type History = { isCallback: boolean; steps: [name: string, a: number, b: number][] }

export const histories: fc.Arbitrary<History> = fc.noBias(
  fc.record({
    isCallback: fc.boolean(),
    steps: fc.array(
      fc.tuple(
        fc.oneof(
          ...Object.entries(STEPS).map(([name, [weight]]) => ({
            weight,
            arbitrary: fc.constant(name),
          })),
        ),
        fc.nat(1_000_000),
        fc.nat(1_000_000),
      ),
      { minLength: 1, maxLength: 600, size: 'max' },
    ),
  }),
)

/** Returns the violation of a history, if there is one. */
export function play(
  machine: Machine,
  { isCallback, steps }: History,
): { violation?: string; counts: Counts } {
  const world = newWorld(machine, { isCallback })
  const current: Play = { world, mood: 'well' }
  try {
    for (const [name, a, b] of steps) STEPS[name]![1](current, pick(world.processes, a), b)
    bringToAnEnd(world)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    return { violation: error.message, counts: world.counts }
  }
  return { counts: world.counts }
}

/** Returns the violation when many deliveries are sent while recording hangs, if there is one. */
export function playOverload(machine: Machine): string | undefined {
  const world = newWorld(machine)
  const [process] = world.processes
  try {
    add(world, OVERLOAD)
    for (let round = 0; round < OVERLOAD; round += 1) {
      tick(world, process!)
      beginRenewal(world, process!)
      const able = process!.operations.filter(({ kind }) => kind !== 'record')
      for (const one of able) advance(world, process!, one, { luck: 'ok', reply: REPLIES.well[0] })
      world.ms += 50
    }
    bringToAnEnd(world)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    return error.message
  }
  return undefined
}

const pick = <Item>(from: readonly Item[], by: number) => from[by % from.length]!

const replyOf = (mood: Mood, b: number): Reply => pick<Reply>(REPLIES[mood], b)

function advanceOne({ world, mood }: Play, chosen: Process, b: number): void {
  const hasSome = chosen.operations.length > 0
  const process = hasSome ? chosen : world.processes.find((one) => one !== chosen)!
  const { operations } = process
  // Results are recorded in the order in which attempts ended.
  const firstRecord = operations.find(({ kind }) => kind === 'record')
  const able = operations.filter((one) => one.kind !== 'record' || one === firstRecord)
  if (able.length === 0) return
  const luck = pick(LUCK, Math.floor(b / 1000))
  advance(world, process, pick(able, b), { luck, reply: replyOf(mood, b) })
}

/** Lets all operations of a process succeed, with those that follow from them. */
function settle(world: World, process: Process, reply: Reply): void {
  for (let count = 0; process.operations.length > 0; count += 1) {
    if (count > OPERATIONS_MAX) throw new Violation('a lane never comes to rest')
    advance(world, process, process.operations[0]!, { luck: 'ok', reply })
  }
}

function add(world: World, count: number): void {
  for (let i = 0; i < count; i += 1) {
    world.minted += 1
    const { isCallback } = world.db
    const event_id = `evt_${world.minted}`
    const url = isCallback ? pick(PATHS, i) : null
    if (!isEnabled(world, url)) continue
    const delivery = { event_id, type: 'task.completed', data: {}, url }
    addDelivery(world.db, { ...delivery, attempts_max: ATTEMPTS_MAX }, world.ms)
  }
}

const isEnabled = ({ db }: World, url: string | null) =>
  db.lane.disabledMs === null && (url ?? db.webhookUrl) !== null && !db.goneUrls.has(url ?? '')

function addPing(world: World, isTampered: boolean): void {
  world.minted += 1
  const { db, ms, minted } = world
  const url = db.isCallback ? PATHS[0]! : null
  if ((url ?? db.webhookUrl) === null) return
  const data = isTampered ? TAMPERED : {}
  const ping = { event_id: `evt_${minted}`, type: 'webhook.ping', data, url, attempts_max: 1 }
  addDelivery(db, ping, ms)
  wake(db, ms, { isProbe: true })
}

function changeAddress({ world }: Play, _: Process, b: number): void {
  world.db.webhookUrl = pick(URLS, b)
  revive(world.db, world.ms)
}

/** The receiver and our side are well again: everything is sent, was given up or can't be sent. */
function bringToAnEnd(world: World): void {
  const { db } = world
  db.hasPhantom = false
  for (const process of world.processes) {
    process.isFull = false
    shareTurns(world, process, 0)
    if (process.isStopping) finishStop(world, process)
  }
  db.webhookUrl ??= URLS[0]!
  runUntilRest(world)
  // A failure may have been recorded last; the next success ends it.
  if (db.lane.disabledMs !== null || db.goneUrls.size > 0) revive(db, world.ms)
  add(world, 1)
  runUntilRest(world)
  checkFates(world)
}

function runUntilRest(world: World): void {
  wake(world.db, world.ms, { isProbe: true })
  for (let round = 0; !isAtRest(world); round += 1) {
    if (round > ROUNDS_MAX)
      throw new Violation('a delivery is never sent, or a lane never released')
    runOnce(world)
  }
}

function finishStop(world: World, process: Process): void {
  settle(world, process, REPLIES.well[0])
  if (process.session) throw new Violation('a stopping process keeps its lane')
  world.processes[world.processes.indexOf(process)] = newProcess(world)
}

const isAtRest = ({ db, processes }: World) =>
  db.deliveries.size === 0 && db.lane.heldBy === null && processes.every(({ session }) => !session)

function runOnce(world: World): void {
  for (const process of world.processes) {
    tick(world, process)
    beginRenewal(world, process)
    settle(world, process, REPLIES.well[0])
  }
  const { dueMs } = world.db.lane
  const isUnclaimed = world.processes.every(({ session }) => !session)
  world.ms = Math.max(world.ms + 250, isUnclaimed ? (dueMs ?? 0) : 0)
}

function checkFates({ db, sent, accepted }: World): void {
  for (const [id, fate] of db.fates) {
    const isRight = {
      waiting: false,
      delivered: accepted.has(id),
      given_up: sent.has(id),
      dropped: true,
    }[fate]
    if (!isRight) throw new Violation(`a delivery is lost: ${id} is ${fate}`)
  }
  const { failures, failingSinceMs, pausedUntilMs } = db.lane
  if (failures > 0 || failingSinceMs !== null || pausedUntilMs > 0)
    throw new Violation('a receiver that is well is recorded as failing')
}
