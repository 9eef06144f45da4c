/**
 * Kill -9 of API processes, the jobs process and PostgreSQL, one after the other, while tasks live under load. Clients
 * repeat unacknowledged requests with the same key. `npm test` kills 16 times or for 45 s; `npm run test:crash` kills
 * 60 times, or CRASH_KILLS times within CRASH_SECONDS.
 */
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge, picture, seeded } from '../figures.ts'
import { checkLives } from '../lives/check.ts'
import { type Lives, startLives } from '../lives/load.ts'
import { targetsOf } from '../lives/targets.ts'
import { chanceOf } from '../processor/chance.ts'
import { openStand, type Stand } from './stand.ts'

const KILLS_MAX = Number(process.env.CRASH_KILLS ?? 16)
const KILLING_MAX_MS = Number(process.env.CRASH_SECONDS ?? 45) * 1000
const TARGETS = ['api 1', 'api 2', 'jobs 1', 'PostgreSQL'] as const
const CLIENTS = 6
/** Between two kills, so that each one hits a server under load. */
const PAUSE_MS = { from: 50, to: 400 }
const SERVES_WITHIN_MS = 3000
const DATABASE_SERVES_WITHIN_MS = 10_000
/** On a busy machine even an undisturbed start takes longer. */
const TOLERATED_STARTS = 4
const TIMEOUT_MS = 300_000 + KILLING_MAX_MS
const REPLAYS = 200
const TOLD_EVERY = 20
/** A database that acknowledges a commit before it is written keeps it in memory for up to this long. */
const FORGETFUL = { synchronous_commit: 'off', wal_writer_delay: '10s' }
const CONTROL_LOAD_MS = 1500
const CONTROL_KILLS_MAX = 5

type Target = (typeof TARGETS)[number]

describe('kill -9 under load', () => {
  const seed = seeded('crash', process.env.CRASH_SEED ?? randomBytes(4).toString('hex'))
  const times: Record<Target, number[]> = { 'api 1': [], 'api 2': [], 'jobs 1': [], PostgreSQL: [] }
  let stand: Stand
  let lives: Lives

  before(
    async () => {
      stand = await openStand()
      lives = startLives({ ...ofStand(), clients: CLIENTS, seed })
    },
    { timeout: TIMEOUT_MS },
  )
  after(async () => {
    await lives?.stop()
    await stand?.stop()
  })

  test('loses and doubles nothing', { timeout: TIMEOUT_MS }, async () => {
    const chance = chanceOf(seed)
    const deadline = performance.now() + KILLING_MAX_MS
    let kills = 0
    // In rounds, so that a run that is cut short has still killed every kind of process.
    while (kills < KILLS_MAX && (kills < TARGETS.length || performance.now() < deadline))
      for (const target of chance.shuffled(TARGETS)) {
        await sleep(chance.integer(PAUSE_MS.from, PAUSE_MS.to))
        lives.timeline.mark(target)
        times[target].push(
          await (target === 'PostgreSQL' ? killDatabase() : stand.fleet.kill(target)),
        )
        kills += 1
        if (kills % TOLD_EVERY === 0) console.log(`… ${kills} kills`)
      }
    await lives.stop()
    const replayed = await lives.replay(REPLAYS)
    const verdict = await checkLives(stand.database.url, lives.log)

    picture('crash', `${kills} kills of a server process or of PostgreSQL`, lives.timeline.series())
    console.log(JSON.stringify({ seed, ...lives.counts }), stand.fleet.errors())
    judge(
      'crash',
      [
        { figure: 'kills', value: kills },
        ...targetsOf(verdict),
        { figure: 'acknowledged requests that were replayed', value: replayed, min: 1 },
      ],
      verdict.details,
    )
  })

  test('a killed process is replaced, and serves again in time', () => {
    const tolerated = Math.max(SERVES_WITHIN_MS, TOLERATED_STARTS * stand.startMs)
    const { PostgreSQL: ofDatabase, ...ofProcesses } = times
    const ofAll = Object.values(ofProcesses).flat()

    judge('crash', [
      {
        figure: 'slowest replacement of a server process',
        value: Math.max(0, ...ofAll),
        unit: 'ms',
        max: SERVES_WITHIN_MS,
        tolerated,
      },
      { figure: 'median replacement of a server process', value: median(ofAll), unit: 'ms' },
      {
        figure: 'slowest recovery of PostgreSQL, until every process is ready',
        value: Math.max(0, ...ofDatabase),
        unit: 'ms',
        max: DATABASE_SERVES_WITHIN_MS,
        tolerated: Math.max(DATABASE_SERVES_WITHIN_MS, 2 * tolerated),
      },
      {
        figure: 'longest time without any acknowledgement',
        value: lives.timeline.longestGapMs(),
        unit: 'ms',
      },
    ])
  })

  test('control: clients without keys double tasks', { timeout: TIMEOUT_MS }, async () => {
    const unkeyed = startLives({ ...ofStand(), lostPercent: 20, isKeyed: false })
    await sleep(CONTROL_LOAD_MS)
    await unkeyed.stop()

    const { doubled } = await checkLives(stand.database.url, unkeyed.log)

    judge('crash', [{ figure: 'control: tasks doubled without keys', value: doubled, min: 1 }])
  })

  test('control: a database that acknowledges before it writes loses tasks', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await killDatabase(FORGETFUL)
    const forgotten = startLives({ ...ofStand(), clients: CLIENTS, seed })
    let lost = 0
    for (let n = 0; n < CONTROL_KILLS_MAX && lost === 0; n += 1) {
      await sleep(CONTROL_LOAD_MS)
      await killDatabase(FORGETFUL)
      lost = (await checkLives(stand.database.url, forgotten.log)).lost
    }
    await forgotten.stop()

    judge('crash', [{ figure: 'control: lost without waiting for the disk', value: lost, min: 1 }])
  })

  const ofStand = () => ({ bases: stand.fleet.bases, cast: stand.cast })

  /** Milliseconds until the database has recovered and every process is ready again. */
  async function killDatabase(settings = {}): Promise<number> {
    const begun = performance.now()
    stand.database.kill()
    await stand.database.start(settings)
    await stand.fleet.untilReady()
    return performance.now() - begun
  }
})

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
