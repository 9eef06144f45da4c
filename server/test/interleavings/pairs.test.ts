/**
 * Runs the operations that move money against each other, in every order in which their statements can interleave.
 * After each order the books, statuses and slots are valid, what the callers were told is in the database, and the
 * result equals that of some serial order.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Explored, printFinding } from './explorer.ts'
import { arenasOf, contend, OPERATIONS, scenesFor } from './operations.ts'
import { addPauses } from './pauses.ts'
import type { SceneName } from './scenes.ts'
import { factor, openStage, type Play, seed } from './stage.ts'
import { record } from '../figures.ts'

/** Schedules for a pair in a scene, for one whose SQL functions are stepped through, and for three at once. */
const SCHEDULES = 15 * factor
const SCHEDULES_INSIDE = 14 * factor
const SCHEDULES_OF_THREE = 24 * factor
const LEAST_IN_ALL = 3000 * Math.min(factor, 1)
const TIMEOUT_MS = 400_000 * Math.max(factor, 1)

const NAMES = Object.keys(OPERATIONS)

/** Operations whose work is done by a SQL function, which is a single statement for its caller. */
const INSIDE = NAMES.filter((name) => !['accept', 'release', 'time-out'].includes(name))

const OF_TWO_TASKS = [
  ['approve', 'approve the other'],
  ['approve', 'dispute the other'],
  ['approve with a tip', 'approve the other with a tip'],
  ['approve with a tip', 'dispute the other'],
  ['dispute', 'dispute the other'],
  ['auto-approve both', 'approve'],
  ['auto-approve both', 'approve the other with a tip'],
  ['auto-approve both', 'dispute the other'],
  ['auto-approve both', 'auto-approve both'],
  ['auto-approve both', 'payout requested'],
  ['auto-approve both', 'chargeback'],
  ['keyed approve', 'keyed approve of the other'],
]

const REPEATED: [SceneName, string, string][] = [
  ['open', 'accept by the same worker', 'accept by the same worker'],
  ['half taken', 'accept by the same worker', 'accept by the same worker'],
  ['open', 'keyed create', 'keyed create'],
  ['open', 'keyed accept', 'keyed accept'],
  ['held', 'keyed submit-proof', 'keyed submit-proof'],
  ['proved', 'keyed approve', 'keyed approve'],
  ['proved', 'keyed approve', 'keyed approve with a tip'],
  ['proved', 'keyed approve with a tip', 'keyed approve with a tip'],
  ['proved', 'keyed dispute', 'keyed dispute'],
  ['proved', 'keyed approve', 'keyed dispute'],
  ['held', 'keyed cancel', 'keyed cancel'],
]

/**
 * The ways to end a held dispute against each other, and against operations that must not touch it. Withdrawing a
 * dispute that was just upheld is excluded: it pays the worker through another movement (withdraw-dispute.test.ts).
 */
const HELD_SCENES: SceneName[] = ['dispute held', 'dispute of one held']
const HELD_DISPUTE = [
  ...pairsOf([
    'uphold the dispute',
    'reject the dispute',
    'lapse the dispute',
    'withdraw the dispute',
    'approve',
  ]).filter((pair) => pair.join() !== 'uphold the dispute,withdraw the dispute'),
  ...['dispute', 'cancel', 'request-revision', 'auto-approve', 'expire', 'chargeback'].flatMap(
    (name) => [
      ['uphold the dispute', name],
      ['lapse the dispute', name],
    ],
  ),
]

/**
 * Using one key for two requests on one task is a caller's mistake. They may deadlock, because move_tasks locks the
 * task first and a dispute its key first: one is rolled back and retried, and both get a response.
 */
const MAY_DEADLOCK = ['keyed approve × keyed dispute (proved)']

const FEED: [SceneName, string, string][] = [
  ['open', 'show in the feed', 'accept'],
  ['half taken', 'show in the feed', 'accept'],
  ['held', 'show in the feed', 'release'],
  ['open', 'show in the feed', 'cancel'],
  ['open', 'show in the feed', 'expire'],
]

const OF_THREE: [SceneName, string, string, string][] = [
  ['proved', 'approve', 'dispute', 'auto-approve'],
  ['all proved', 'approve', 'dispute of one proof', 'dispute'],
  ['proved', 'approve', 'request-revision', 'dispute'],
  ['proved', 'approve with a tip', 'create', 'chargeback'],
  ['half taken', 'accept', 'accept', 'cancel'],
  ['held', 'submit-proof', 'time-out', 'accept'],
  ['held', 'submit-proof', 'cancel', 'expire'],
  ['all held', 'submit-proof', 'submit-proof', 'expire'],
  ['all held', 'submit-proof', 'release', 'accept'],
  ['dispute held', 'uphold the dispute', 'reject the dispute', 'lapse the dispute'],
  ['dispute of one held', 'withdraw the dispute', 'approve', 'lapse the dispute'],
]

const totals = { schedules: 0, ms: 0 }

describe('the interleavings of statements are correct', { timeout: TIMEOUT_MS }, () => {
  const stages: { pairs?: Stage; inside?: Stage; three?: Stage } = {}
  before(async () => {
    stages.pairs = await openStage({})
    stages.inside = await openStage({
      prepare: async (owner) => assert((await addPauses(owner)) > 30, 'the functions have pauses'),
    })
    stages.three = await openStage({ lanes: 3, seats: 3 })
  })
  after(async () => {
    for (const stage of Object.values(stages)) await stage?.close()
  })

  test('for every pair of operations', { timeout: TIMEOUT_MS }, async () => {
    console.log(`INTERLEAVINGS_SEED=${seed}`)
    const plays = pairsOf(NAMES).flatMap(([a, b]) =>
      scenesFor(a, b).map((scene) => play([a, b], scene, SCHEDULES)),
    )

    const explored = await holds(stages.pairs!, plays)

    console.log(matrix(explored))
  })

  test('between the statements of the SQL functions', { timeout: TIMEOUT_MS }, async () => {
    const plays = pairsOf(INSIDE).flatMap(([a, b]) =>
      arenasOf(a, b)
        .slice(0, 1)
        .map((scene) => play([a, b], scene, SCHEDULES_INSIDE)),
    )

    await holds(stages.inside!, plays)
  })

  test('for two tasks of one agent with the same workers', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const plays = OF_TWO_TASKS.map((names) => play(names, 'two proved', SCHEDULES))

    await holds(stages.inside!, plays)
  })

  test('for a duplicate request', { timeout: TIMEOUT_MS }, async () => {
    const plays = REPEATED.map(([scene, ...names]) => play(names, scene, SCHEDULES))

    await holds(stages.inside!, plays)
  })

  test('for the ends of a held dispute', { timeout: TIMEOUT_MS }, async () => {
    const plays = HELD_SCENES.flatMap((scene) =>
      HELD_DISPUTE.map((names) => play(names, scene, SCHEDULES)),
    )

    await holds(stages.inside!, plays)
  })

  test('for the feed, which shows no full task', { timeout: TIMEOUT_MS }, async () => {
    const plays = FEED.map(([scene, ...names]) => play(names, scene, SCHEDULES))

    await holds(stages.pairs!, plays)
  })

  test('for three concurrent operations', { timeout: TIMEOUT_MS }, async () => {
    const plays = OF_THREE.map(([scene, ...names]) => play(names, scene, SCHEDULES_OF_THREE))

    await holds(stages.three!, plays)
  })

  test(`in at least ${LEAST_IN_ALL} schedules, with a consistent ledger after all of them`, async () => {
    assert(totals.schedules >= LEAST_IN_ALL, `${totals.schedules} schedules`)
    for (const stage of Object.values(stages)) assert.deepEqual(await stage?.audit(), [])
    record('interleavings', [
      { figure: 'schedules', value: totals.schedules, min: LEAST_IN_ALL },
      { figure: 'wrong outcomes', value: 0, max: 0 },
    ])
    console.log(`${totals.schedules} schedules in ${Math.round(totals.ms / 1000)} s, none is wrong`)
  })
})

type Stage = Awaited<ReturnType<typeof openStage>>

const play = (names: string[], scene: SceneName, schedules: number): Play => ({
  name: `${names.join(' × ')} (${scene})`,
  players: contend(names),
  scene,
  schedules,
})

function pairsOf(names: string[]): [string, string][] {
  return names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as [string, string]))
}

async function holds(stage: Stage, plays: Play[]): Promise<Explored[]> {
  const startedAt = performance.now()
  const explored = await stage.explore(plays)
  const ms = performance.now() - startedAt

  const wrong = explored.flatMap(({ name, findings }) =>
    findings.slice(0, 1).map((finding) => printFinding(name, finding)),
  )
  assert.equal(wrong.length, 0, `\n${wrong.join('\n')}`)
  const waits = explored
    .filter(({ name, deadlocks }) => deadlocks > 0 && !MAY_DEADLOCK.includes(name))
    .map(({ name }) => name)
  assert.deepEqual(waits, [], 'no deadlock')
  const astray = explored.filter(({ diverged }) => diverged > 0).map(({ name }) => name)
  assert.deepEqual(astray, [], 'a schedule can be replayed')

  const sum = (of: (one: Explored) => number) => explored.reduce((total, one) => total + of(one), 0)
  const schedules = sum((one) => one.schedules)
  const whole = sum(({ isExhaustive }) => (isExhaustive ? 1 : 0))
  totals.schedules += schedules
  totals.ms += ms
  console.log(
    `${explored.length} plays, ${schedules} schedules in ${(ms / 1000).toFixed(1)} s; ` +
      `of ${whole} plays every order there is`,
  )
  return explored
}

/** Schedules per pair, with a star where all possible ones were run. */
function matrix(explored: Explored[]): string {
  const cell = (a: string, b: string) => {
    const found = explored.filter(({ name }) => name.startsWith(`${a} × ${b} (`))
    const isWhole = found.every(({ isExhaustive }) => isExhaustive)
    const count = found.reduce((sum, { schedules }) => sum + schedules, 0)
    return `${count}${isWhole ? '*' : ' '}`
  }
  const width = Math.max(...NAMES.map(({ length }) => length)) + 4
  return [
    ' '.repeat(width) + NAMES.map((_, i) => String(i + 1).padStart(5)).join(''),
    ...NAMES.map((a, i) => {
      const cells = NAMES.map((b, j) => (j < i ? '' : cell(a, b)).padStart(5))
      return `${String(i + 1).padStart(2)} ${a}`.padEnd(width) + cells.join('')
    }),
  ].join('\n')
}
