/** A database in which operations run against each other, and the lanes to run them on. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { openDb } from '../../src/kit/db.ts'
import { auditPatiently } from '../../src/ledger/audit-patiently.ts'
import { freshDatabase } from '../harness.ts'
import { brokenRules, describeEnd, readState, type State, type Told } from './checks.ts'
import {
  type Contender,
  type Exploration,
  type Explored,
  explore,
  type Finding,
  openLane,
  replay,
  serialOrders,
} from './explorer.ts'
import { makeScenes, type Scene, type SceneName } from './scenes.ts'

export interface Player extends Contender<Scene, Told> {
  /** Whether the reported result is in the database. */
  stands?: ((told: Told, state: State, scene: Scene) => boolean) | undefined
}

export interface Play {
  name: string
  players: Player[]
  scene: SceneName
  /** Maximum number of schedules. */
  schedules: number
}

export const seed = Number(process.env.INTERLEAVINGS_SEED ?? 20_250_115)
/**
 * The default runs a fifth of the schedules; `npm run test:interleavings` runs all, and a nightly run can raise the
 * factor.
 */
export const factor = Number(process.env.INTERLEAVINGS_FACTOR ?? 1 / 5)

/** The test runner treats a long silence as a stuck test. */
const TOLD_EVERY = 50

export async function openStage({
  lanes: laneCount = 6,
  seats = 2,
  prepare,
}: {
  lanes?: number
  seats?: number
  /** Customizes this database, as its owner. */
  prepare?: (owner: pg.Pool) => Promise<unknown>
}) {
  const url = await freshDatabase()
  const owner = new pg.Pool({ connectionString: url, max: laneCount })
  const db = openDb(url, { connectionsMax: laneCount, onError: assert.ifError })
  // Detects deadlocks quickly, and adds an index to find a scene's rows.
  await owner.query(
    `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '20ms'`,
  )
  await owner.query('create index on outbox (agent_id)')
  await prepare?.(owner)
  const lanes = Array.from({ length: laneCount }, () => openLane(url, { seats }))

  async function prepared({ name, players, scene, schedules }: Play, more: number) {
    const scenes = await makeScenes(db, scene, schedules + more)
    const exploration: Exploration<Scene, Told> = {
      name,
      contenders: players,
      scenes,
      seed,
      async judge(of, told) {
        const state = await readState(owner, of)
        const lost = players.flatMap(({ name: who, stands }, i) =>
          told[i]!.status < 300 && stands?.(told[i]!, state, of) === false
            ? [`${who} was told ${told[i]!.status}, and it does not stand`]
            : [],
        )
        return {
          problems: [...brokenRules(of, state, told), ...lost],
          end: describeEnd(of, state, told),
        }
      },
    }
    return exploration
  }

  return {
    /** Explores each of the plays, several at once; they are independent of each other. */
    async explore(plays: Play[]): Promise<Explored[]> {
      const left = [...plays]
      const explored: Explored[] = []
      await Promise.all(
        lanes.map(async (lane) => {
          for (let play = left.shift(); play; play = left.shift()) {
            const serial = serialOrders(play.players).length
            explored.push(await explore(lane, await prepared(play, serial)))
            if (explored.length % TOLD_EVERY === 0) console.log(`… ${explored.length} plays`)
          }
        }),
      )
      return explored
    },

    /** Replays one schedule. */
    async replay(play: Play, schedule: number[]): Promise<Finding> {
      return replay(lanes[0]!, await prepared({ ...play, schedules: 1 }, 0), schedule)
    },

    audit: () => auditPatiently(url),

    async close() {
      for (const lane of lanes) await lane.close()
      await db.close()
      await owner.end()
    },
  }
}
