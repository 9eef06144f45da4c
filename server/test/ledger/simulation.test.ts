import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { openDb } from '../../src/kit/db.ts'
import { auditLedger } from '../../src/ledger/audit-checks.ts'
import * as movements from '../../src/ledger/movements.ts'
import { record } from '../figures.ts'
import { freshDatabase } from '../harness.ts'
import { noCounts, play, prepare, steps } from './simulation.ts'

/** The default for every run; `npm run test:ledger` runs 50,000. */
const STEPS = Number(process.env.LEDGER_STEPS ?? 8_000)
/** Number of histories that run concurrently, each on its own connection and shards. */
const LANES = 4
const SHARDS_PER_LANE = 256
const HISTORIES_PER_AUDIT = 25
const seed = Number(process.env.LEDGER_SEED ?? 20_250_115)

const url = await freshDatabase()
await prepare(url)
const db = openDb(url, { connectionsMax: LANES, onError: assert.ifError })
after(() => db.close())

describe('the ledger under random histories', () => {
  const counts = noCounts()
  let audits = 0

  test(`matches an independent model after each of ${STEPS} steps`, {
    timeout: 600_000 + STEPS * 5,
  }, async () => {
    console.log(`LEDGER_SEED=${seed}`)
    const startedAt = performance.now()
    let isBroken = false
    const isOver = () => isBroken || counts.steps >= STEPS

    const playLane = async (lane: number) => {
      let histories = 0
      const property = fc.asyncProperty(steps, async (history) => {
        if (isOver() && !isBroken) return
        histories += 1
        const violation = await play(db, history, {
          rules: movements,
          shard: lane * SHARDS_PER_LANE + (histories % SHARDS_PER_LANE),
          hasRows: histories % 4 === 0,
          counts,
        })
        assert.equal(violation, undefined)
      })
      for (let round = 0; !isOver(); round += 1) {
        const found = await fc.check(property, {
          seed: seed + LANES * round + lane,
          numRuns: HISTORIES_PER_AUDIT,
        })
        if (found.failed) {
          isBroken = true
          throw new Error(fc.defaultReportMessage(found), { cause: found.errorInstance })
        }
        if (lane === 0) {
          audits += 1
          assert.deepEqual(await auditLedger(db.reader), [])
          console.log(`… ${counts.steps} steps`)
        }
      }
    }
    // Wait for all of them before reporting the first failure: none may keep running on a closed pool.
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_, i) => playLane(i)))

    for (const result of lanes) if (result.status === 'rejected') throw result.reason
    assert(counts.steps >= STEPS)
    assert.deepEqual(await auditLedger(db.reader), [])
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const { replayed, mismatch, insufficient, raised } = counts
    record('ledger', [
      { figure: 'steps', value: counts.steps, min: STEPS },
      { figure: 'violations', value: 0, max: 0 },
    ])
    console.log(
      `${counts.steps} steps in ${counts.worlds} worlds, ${seconds} s, ${audits + 1} audits, violations 0\n` +
        `refused: ${insufficient} not enough money, ${mismatch} other request under a used key, ` +
        `${raised} by the database; replayed: ${replayed}\n` +
        `posted: ${[...counts.posted]
          .sort(([a], [b]) => a.localeCompare(b))
          .map((pair) => pair.join(' '))
          .join(', ')}`,
    )
  })

  test('covers every movement and every kind', async () => {
    const names = Object.entries(movements)
      .filter(([name, value]) => typeof value === 'function' && !name.endsWith('Keys'))
      .map(([name]) => name)
    const kinds = await db.reader.selectFrom('transfers').select('kind').distinct().execute()

    assert.deepEqual([...counts.posted.keys()].sort(), names.sort())
    assert.deepEqual(kinds.map(({ kind }) => kind).sort(), [...movements.KINDS].sort())
    const oftenEnough = (of50000: number) => (of50000 * STEPS) / 50_000
    assert(Math.min(...counts.posted.values()) >= oftenEnough(100), 'each often enough')
    for (const outcome of ['replayed', 'mismatch', 'insufficient', 'raised'] as const)
      assert(counts[outcome] >= oftenEnough(500), outcome)
  })
})
