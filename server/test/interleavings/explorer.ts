/**
 * Runs operations against a real PostgreSQL with one statement in flight at a time, and decides whose statement is
 * next. Every interleaving of the statements of two or three callers can be tried, and replayed. A statement that waits
 * for a lock stays blocked, and the others continue.
 *
 * The operations are the server's own, each on its own `Db` as if in its own process. The gate is at the connection
 * below it: BEGIN and COMMIT, Kysely's queries, the batches' queries, and retries.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Db, openDb } from '../../src/kit/db.ts'
import { NAME as CONTENDER } from './pauses.ts'

export interface Contender<Scene, Told> {
  name: string
  run(db: Db, scene: Scene): Promise<Told>
  /**
   * Its result when it skips what another contender has locked and leaves it to the next pass; it may then have no
   * effect.
   */
  skipped?: Told
}

export interface Run<Told> {
  /** The contender that advanced at each step, by index. */
  schedule: number[]
  /** The same in readable form: the contender and its statement. */
  steps: string[]
  /** The contenders that could have advanced instead, at each step. */
  choices: number[][]
  told: Told[]
  deadlocks: number
  /** A step of the requested schedule could not be taken. */
  hasDiverged: boolean
}

type Choose = (able: number[], last: number | undefined, step: number) => number | undefined

const POLL_MS = 2
const SCHEDULE_MAX_MS = 20_000
const DEADLOCK = '40P01'

/** The state of one contender: `away` means at the database, or on its way from there to its next statement. */
interface Seat {
  db: Db
  pid: number | undefined
  state: 'away' | 'gate' | 'pause' | 'done'
  /** The statement it wants to send, and the function that sends it. */
  waiting: { text: string; pass(): void } | undefined
  /** Which of its two locks it waits for at a pause inside a function, and the lock to take back. */
  pausedAt: { key: number; text: string } | undefined
  lent: number | undefined
  deadlocks: number
}

export type Lane = ReturnType<typeof openLane>

/** Connections for a few contenders, and one that watches them. */
export function openLane(url: string, { seats: count = 2 } = {}) {
  // A single persistent connection, because it holds the locks of the pauses.
  const watcher = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  let isRunning = false
  let wake = () => {}

  const seats = Array.from({ length: count }, () =>
    openSeat(url, watcher, { isRunning: () => isRunning, wake: () => wake() }),
  )

  function nextChange(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), POLL_MS)
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** Waits until no contender is moving: each is at its gate, at a pause, finished, or blocked by another. */
  async function settle(taking: Seat[], until: number): Promise<void> {
    for (;;) {
      const away = taking.filter(({ state }) => state === 'away')
      if (away.length === 0) return
      if (Date.now() > until) throw new Error('a statement has been under way for too long')
      if (await nextChange()) continue
      const isBlocked = await areBlocked(watcher, { away, seats })
      const isSame = away.every(({ state }) => state === 'away')
      // If all wait for each other, the database is about to resolve the deadlock by aborting one.
      if (isBlocked && isSame && taking.some(({ state }) => state === 'gate' || state === 'pause'))
        return
    }
  }

  /** Runs the contenders once, in the order that `choose` returns. */
  async function run<Scene, Told>(
    contenders: Contender<Scene, Told>[],
    scene: Scene,
    choose: Choose,
  ): Promise<Run<Told>> {
    const taking = seats.slice(0, contenders.length)
    assert.equal(taking.length, contenders.length, 'a lane has a seat for each contender')
    const result = emptyRun<Told>()
    isRunning = true
    const ends = taking.map(async (seat, i) => {
      seat.state = 'away'
      seat.deadlocks = 0
      try {
        result.told[i] = await contenders[i]!.run(seat.db, scene)
      } finally {
        seat.state = 'done'
        wake()
      }
    })
    const ended = Promise.allSettled(ends)
    const until = Date.now() + SCHEDULE_MAX_MS

    try {
      for (let last: number | undefined; ; last = result.schedule.at(-1)) {
        await settle(taking, until)
        const able = taking.flatMap(({ state }, i) =>
          state === 'gate' || state === 'pause' ? [i] : [],
        )
        if (able.length === 0) break
        const wanted = choose(able, last, result.schedule.length)
        const isAble = wanted !== undefined && able.includes(wanted)
        if (wanted !== undefined && !isAble) result.hasDiverged = true
        const next = isAble ? wanted : goOn(able, last)
        const text = await release(watcher, taking[next]!)
        result.schedule.push(next)
        result.choices.push(able)
        result.steps.push(`${contenders[next]!.name}: ${shorten(text)}`)
      }
    } finally {
      // Whatever went wrong, release everyone who is still waiting.
      isRunning = false
      for (const seat of taking) if (seat.state === 'gate') seat.waiting?.pass()
    }
    for (const outcome of await ended) if (outcome.status === 'rejected') throw outcome.reason
    result.deadlocks = taking.reduce((sum, seat) => sum + seat.deadlocks, 0)
    return result
  }

  return {
    run,
    async close() {
      await Promise.all(seats.map(({ db }) => db.close()))
      await watcher.end()
    },
  }
}

const emptyRun = <Told>(): Run<Told> => ({
  schedule: [],
  steps: [],
  choices: [],
  told: [],
  deadlocks: 0,
  hasDiverged: false,
})

interface GatedClient {
  processID: number
  query(...args: unknown[]): unknown
  on(event: 'notice', hear: (notice: { message?: string }) => void): void
}

/** The part of a lane that its seats use. */
interface LaneState {
  isRunning(): boolean
  wake(): void
}

function openSeat(url: string, watcher: pg.Pool, lane: LaneState): Seat {
  const named = new URL(url)
  named.searchParams.set('application_name', CONTENDER)
  const db = openDb(named.href, { connectionsMax: 1, onError: assert.ifError })
  const seat: Seat = {
    db,
    pid: undefined,
    state: 'done',
    waiting: undefined,
    pausedAt: undefined,
    lent: undefined,
    deadlocks: 0,
  }
  db.pool.on('connect', (client) =>
    gate(client as unknown as GatedClient, seat, {
      ready: holdPauses(watcher, (client as unknown as GatedClient).processID),
      ...lane,
    }),
  )
  return seat
}

/** Holds each statement of a connection until it is released. */
function gate(
  client: GatedClient,
  seat: Seat,
  { ready, isRunning, wake }: LaneState & { ready: Promise<void> },
): void {
  const query = client.query.bind(client)
  // After an error the pool opens a new connection, which has not been lent a lock.
  seat.pid = client.processID
  seat.lent = undefined
  client.on('notice', ({ message = '' }: { message?: string }) => {
    const [, key, text] = /^pause ([01]) (.*)$/s.exec(message) ?? []
    if (key === undefined) return
    seat.state = 'pause'
    seat.pausedAt = { key: Number(key), text: text! }
    wake()
  })
  client.query = (...args: unknown[]) => {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text: string }).text
    const passed = new Promise<void>((resolve) => {
      seat.state = 'gate'
      seat.waiting = { text, pass: resolve }
      wake()
      if (!isRunning()) resolve()
    })
    const count = (error: unknown) => {
      if ((error as { code?: unknown } | undefined)?.code === DEADLOCK) seat.deadlocks += 1
    }
    const all = Promise.all([passed, ready])
    const done = args.at(-1)
    if (typeof done !== 'function')
      return all
        .then(() => query(...args))
        .catch((error: unknown) => {
          count(error)
          throw error
        })
    // The pool's own queries pass a callback and expect no promise.
    const counted = (error: unknown, result: unknown) => {
      count(error)
      done(error, result)
    }
    return void all.then(() => query(...args.slice(0, -1), counted))
  }
}

/** Takes both locks that stop the connection alternately at its pauses (pauses.ts). */
async function holdPauses(watcher: pg.Pool, pid: number): Promise<void> {
  await watcher.query('select pg_advisory_lock($1, 0), pg_advisory_lock($1, 1)', [pid])
}

/** Whether all of these wait for a lock that another contender holds. */
async function areBlocked(
  watcher: pg.Pool,
  { away, seats }: { away: Seat[]; seats: Seat[] },
): Promise<boolean> {
  const { rows } = await watcher.query<{ is_blocked: boolean }>({
    name: 'blocked',
    text: `select pg_blocking_pids(pid) && $2::integer[] as is_blocked from unnest($1::integer[]) pid`,
    values: [away.map(({ pid }) => pid ?? 0), seats.map(({ pid }) => pid ?? 0)],
  })
  return rows.every(({ is_blocked }) => is_blocked)
}

/** Lets a contender take its next step, and returns its text. */
async function release(watcher: pg.Pool, seat: Seat): Promise<string> {
  const { waiting, pausedAt, pid } = seat
  if (seat.lent !== undefined) {
    await watcher.query('select pg_advisory_lock($1, $2)', [pid, seat.lent])
    seat.lent = undefined
  }
  const wasPaused = seat.state === 'pause'
  seat.state = 'away'
  if (wasPaused) {
    seat.lent = pausedAt!.key
    await watcher.query('select pg_advisory_unlock($1, $2)', [pid, pausedAt!.key])
    return pausedAt!.text
  }
  seat.waiting = undefined
  waiting!.pass()
  return waiting!.text
}

const shorten = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replace(/^\s*(select) .*? (from "?\w+)/, '$1 … $2')
    .replace(/^\s*(insert into "?\w+"?) .*/, '$1 …')
    .trim()
    .slice(0, 100)

/** Does not interrupt a contender that can continue. */
const goOn = (able: number[], last: number | undefined) =>
  last !== undefined && able.includes(last) ? last : able[0]!

export interface Exploration<Scene, Told> {
  name: string
  contenders: Contender<Scene, Told>[]
  /** One for each schedule and each of `serialOrders`; they are independent of each other. */
  scenes: Scene[]
  /** Returns the problems of the scene after the run, and its whole visible state. */
  judge(scene: Scene, told: Told[]): Promise<Judgement>
  seed: number
}

export interface Judgement {
  problems: string[]
  /** The same text for all scenes that ended alike. */
  end: string
}

export interface Finding {
  problems: string[]
  schedule: number[]
  steps: string[]
  told: unknown[]
}

export interface Explored {
  name: string
  schedules: number
  /** Every possible order was run. */
  isExhaustive: boolean
  deadlocks: number
  diverged: number
  /** Number of distinct end states. */
  ends: number
  findings: Finding[]
}

/** The share of planned schedules, if not all can be run; the rest are random. */
const PLANNED_PART = 0.7
/** Schedules with this many interruptions or more share one bucket. */
const INTERRUPTIONS_MAX = 30

/**
 * Runs as many schedules as there are scenes: first the contenders one after the other in every order, then with one
 * interruption at every place, then with two, and so on, which finds most bugs with few schedules. When there would be
 * too many, the rest are random. Each result must satisfy the invariants (`judge`) and equal the result of some serial
 * order.
 */
export async function explore<Scene, Told>(
  lane: Lane,
  { name, contenders, scenes, judge, seed }: Exploration<Scene, Told>,
): Promise<Explored> {
  const random = chance(`${seed} ${name}`)
  const left = [...scenes]
  const seen = new Set<string>()
  const ends = new Set<string>()
  const explored: Explored = {
    name,
    schedules: 0,
    isExhaustive: false,
    deadlocks: 0,
    diverged: 0,
    ends: 0,
    findings: [],
  }

  // The results of serial execution, including those where a contender leaves its work to the next pass.
  const allowed = new Set<string>()
  for (const order of serialOrders(contenders)) {
    const scene = left.pop()!
    const told: Told[] = contenders.map(({ skipped }) => skipped as Told)
    for (const i of order) told[i] = (await lane.run([contenders[i]!], scene, goOn)).told[0]!
    const { end, problems } = await judge(scene, told)
    allowed.add(end)
    if (problems.length > 0)
      explored.findings.push({ problems, schedule: order, steps: ['one after the other'], told })
  }

  /** Prefixes of schedules not run yet, by number of interruptions. */
  const planned: number[][][] = Array.from({ length: INTERRUPTIONS_MAX + 1 }, () => [])
  planned[0]!.push(...contenders.map((_, i) => [i]))
  const plannedMost = Math.floor(left.length * PLANNED_PART)
  for (let played = 0; left.length > 0; played += 1) {
    const waiting = planned.reduce((sum, some) => sum + some.length, 0)
    if (waiting === 0) break
    const isChance = played >= plannedMost && waiting > left.length
    const prefix = isChance ? [] : planned.find((some) => some.length > 0)!.shift()!
    const scene = left.pop()!
    const run = await lane.run(contenders, scene, (able, last, step) =>
      isChance ? able[Math.floor(random() * able.length)] : (prefix[step] ?? goOn(able, last)),
    )
    const { schedule, steps, choices, told } = run
    const { end, problems } = await judge(scene, told)
    if (!allowed.has(end)) problems.push(`no order of one after the other ends like this: ${end}`)
    if (problems.length > 0 && !seen.has(String(schedule)))
      explored.findings.push({ problems, schedule, steps, told })
    seen.add(String(schedule))
    ends.add(end)
    explored.deadlocks += run.deadlocks
    explored.diverged += run.hasDiverged ? 1 : 0
    if (isChance) continue
    for (let step = prefix.length; step < schedule.length; step += 1)
      for (const other of choices[step]!) {
        if (other === schedule[step]) continue
        const next = [...schedule.slice(0, step), other]
        planned[Math.min(interruptions(next, choices), INTERRUPTIONS_MAX)]!.push(next)
      }
  }
  explored.isExhaustive = planned.every((some) => some.length === 0)
  explored.schedules = seen.size
  explored.ends = ends.size
  return explored
}

/** Replays one schedule: the same problem must be found again. */
export async function replay<Scene, Told>(
  lane: Lane,
  { contenders, scenes, judge }: Exploration<Scene, Told>,
  schedule: number[],
): Promise<Finding> {
  const scene = scenes.pop()!
  const {
    steps,
    told,
    schedule: taken,
  } = await lane.run(contenders, scene, (_, __, step) => schedule[step])
  const { problems } = await judge(scene, told)
  return { problems, schedule: taken, steps, told }
}

/** Counts how often a contender was stopped that could have continued. */
function interruptions(schedule: number[], choices: number[][]): number {
  return schedule.filter(
    (who, i) => i > 0 && who !== schedule[i - 1] && choices[i]!.includes(schedule[i - 1]!),
  ).length
}

/** The contenders one after the other, in every order, with and without those that may have nothing to do. */
export function serialOrders(contenders: { skipped?: unknown }[]): number[][] {
  const able = contenders.flatMap(({ skipped }, i) => (skipped === undefined ? [] : [i]))
  const absences = able.reduce<number[][]>(
    (sets, i) => [...sets, ...sets.map((set) => [...set, i])],
    [[]],
  )
  return absences.flatMap((absent) =>
    permutations(contenders.map((_, i) => i).filter((i) => !absent.includes(i))),
  )
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items]
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}

/** Reproducible numbers from 0 to 1 for a seed. */
function chance(seed: string): () => number {
  let state = 2166136261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Formats a finding as a list of steps that reproduces it. */
export function printFinding(name: string, { problems, schedule, steps, told }: Finding): string {
  return [
    `${name}:`,
    ...problems.map((problem) => `  ! ${problem}`),
    `  schedule ${schedule.join('')}`,
    ...steps.map((step, i) => `  ${String(i + 1).padStart(3)} ${step}`),
    ...told.map((answer) => `  told ${JSON.stringify(answer)?.slice(0, 300)}`),
  ].join('\n')
}
