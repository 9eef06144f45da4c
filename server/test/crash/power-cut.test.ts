/**
 * Power cuts under load: PostgreSQL's disk stops in the middle of its work, and everything that was not flushed is
 * gone. A kill -9 can't show that, because the page cache survives it. `npm test` cuts twice; `npm run test:powercut`
 * cuts 10 times, or POWER_CUTS times within POWER_CUT_SECONDS.
 */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge, picture, seeded } from '../figures.ts'
import { checkLives } from '../lives/check.ts'
import { type Lives, startLives } from '../lives/load.ts'
import { targetsOf } from '../lives/targets.ts'
import { chanceOf } from '../processor/chance.ts'
import { type Disk, openDisk } from './disk.ts'
import { openStand, type Stand } from './stand.ts'

const CUTS_MAX = Number(process.env.POWER_CUTS ?? 2)
const CUTTING_MAX_MS = Number(process.env.POWER_CUT_SECONDS ?? 30) * 1000
const CLIENTS = 6
const LOAD_MS = { from: 500, to: 2500 }
const DISK_MB = 1500
const TOLD_EVERY = 10
const CONTROL_CUTS_MAX = 6
const TIMEOUT_MS = 300_000 + CUTTING_MAX_MS

describe('power cuts under load', () => {
  const seed = seeded('powercut', process.env.POWER_CUT_SEED ?? randomBytes(4).toString('hex'))
  const recoveries: number[] = []
  let disk: Disk
  let stand: Stand
  let lives: Lives

  before(
    async () => {
      disk = await openDisk(DISK_MB)
      stand = await openStand({ dataDir: path.join(disk.folder, 'data'), apis: 1, jobs: 0 })
    },
    { timeout: TIMEOUT_MS },
  )
  after(async () => {
    await lives?.stop()
    await stand?.stop()
    await disk?.remove()
  })

  test('loses and doubles nothing', { timeout: TIMEOUT_MS }, async () => {
    const chance = chanceOf(seed)
    lives = startLives({ ...ofStand(), clients: CLIENTS, seed })
    const deadline = performance.now() + CUTTING_MAX_MS
    let cuts = 0
    while (cuts < CUTS_MAX && (cuts === 0 || performance.now() < deadline)) {
      await sleep(chance.integer(LOAD_MS.from, LOAD_MS.to))
      lives.timeline.mark('power cut')
      recoveries.push(await cutPower())
      cuts += 1
      if (cuts % TOLD_EVERY === 0) console.log(`… ${cuts} power cuts`)
    }
    await lives.stop()
    const verdict = await checkLives(stand.database.url, lives.log)

    picture('powercut', `${cuts} power cuts of the database`, lives.timeline.series())
    console.log(JSON.stringify({ seed, ...lives.counts }), stand.fleet.errors())
    judge(
      'powercut',
      [
        { figure: 'power cuts', value: cuts },
        ...targetsOf(verdict),
        {
          figure: 'slowest recovery of disk and database',
          value: Math.max(...recoveries),
          unit: 'ms',
        },
      ],
      verdict.details,
    )
  })

  test('control: without waiting for the disk, acknowledged requests are lost', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const settings = { synchronous_commit: 'off' }
    await cutPower(settings)
    const hasty = startLives({ ...ofStand(), clients: CLIENTS, seed })
    let lost = 0
    for (let n = 0; n < CONTROL_CUTS_MAX && lost === 0; n += 1) {
      await sleep(LOAD_MS.to)
      await cutPower(settings)
      lost = (await checkLives(stand.database.url, hasty.log)).lost
    }
    await hasty.stop()

    judge('powercut', [
      { figure: 'control: lost without waiting for the disk', value: lost, min: 1 },
    ])
  })

  const ofStand = () => ({ bases: stand.fleet.bases, cast: stand.cast })

  /** Milliseconds until the database has recovered and every process is ready again. */
  async function cutPower(settings = {}): Promise<number> {
    const begun = performance.now()
    await disk.cutPower()
    stand.database.kill()
    await disk.repower()
    await stand.database.start(settings)
    await stand.fleet.untilReady()
    return performance.now() - begun
  }
})
