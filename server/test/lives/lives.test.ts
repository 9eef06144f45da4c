/** The load and the checker of every fault test: they find nothing without a fault, and each planted one. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplace } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { eventually } from '../jobs-child.ts'
import { recruit } from './cast.ts'
import { checkLives, type Verdict } from './check.ts'
import { type Lives, startLives } from './load.ts'
import { type Acknowledged, readLog } from './log.ts'
import { openTimeline } from './timeline.ts'

const FINDINGS = ['lost', 'doubled', 'mismatched', 'other5xx', 'refused', 'breaks'] as const

const market = await marketplace({ clock: 'real' })
const base = market.server.addresses.api!
const cast = await recruit({
  databaseUrl: market.url,
  base,
  workerTokenKeys: market.server.config.WORKER_TOKEN_KEYS!,
  agents: 2,
  workers: 4,
})

/** By count and not by time: on a busy machine a task takes longer. */
const untilBegun = (lives: Lives, count: number) =>
  eventually(`${count} tasks have begun`, 60_000, async () =>
    lives.log.lines.filter(({ kind }) => kind === 'begun').length >= count ? true : undefined,
  )

const findings = (verdict: Verdict) =>
  Object.fromEntries(FINDINGS.map((name) => [name, verdict[name]]).filter(([, count]) => count))

const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-lives-'))
atEnd(() => rm(folder, { recursive: true }))

describe('the load of lives', () => {
  const logFile = path.join(folder, 'log.jsonl')
  let calm: Lives
  before(async () => {
    calm = startLives({ bases: [base], cast, clients: 4, seed: 'calm', logFile })
    await untilBegun(calm, 12)
    await calm.stop()
  })

  test('finds nothing without a fault, and keeps the same log on disk', async () => {
    const replayed = await calm.replay(20)
    const verdict = await checkLives(market.url, calm.log)

    assert.deepEqual(findings(verdict), {}, verdict.details.join('\n'))
    assert(verdict.begun >= 12 && verdict.acknowledged > 4 * verdict.begun, JSON.stringify(verdict))
    assert(replayed >= 20)
    assert(calm.counts.replays > 0)
    assert.deepEqual(readLog(logFile), calm.log.lines)
  })

  test('without keys, repeats a request whose response was lost, and the task is doubled', async () => {
    const lives = startLives({ bases: [base], cast, clients: 2, lostPercent: 40, isKeyed: false })
    await untilBegun(lives, 12)
    await lives.stop()

    const verdict = await checkLives(market.url, lives.log)

    assert(verdict.doubled > 0, JSON.stringify(verdict))
  })

  /** What the checker finds if the first acknowledgement of this step had been another one. */
  async function plant(step: string, change: Partial<Acknowledged>) {
    const lines = structuredClone(calm.log.lines)
    const planted = lines.find((line) => line.kind === 'acknowledged' && line.step === step)
    Object.assign(planted!, change)
    return findings(await checkLives(market.url, { lines }))
  }

  test('counts an acknowledged task that is not in the database as lost', async () => {
    const found = await plant('create', { task_id: 'task_gone' })

    // Its acceptance, its proof and its approval are lost with it.
    assert(found.lost! >= 4)
  })

  test('counts a decision that the task does not show as lost', async () => {
    const found = await plant('approve', {
      step: 'dispute',
      status: 200,
      task_status: 'disputed',
      code: null,
    })

    assert.equal(found.lost, 1)
  })

  test('counts a refusal that no race explains', async () => {
    const found = await plant('accept', { status: 404, code: 'task_not_found' })

    assert.equal(found.refused, 1)
  })

  test('counts two tasks of one life as doubled', async () => {
    const [one, other] = calm.log.lines.filter(
      (line) => line.kind === 'acknowledged' && line.step === 'create' && !line.isReplay,
    ) as Acknowledged[]
    const rename = (to: string) =>
      market.asOwner('update tasks set description = $1 where id = $2', [to, other!.task_id])

    await rename(one!.life)
    const found = findings(await checkLives(market.url, calm.log))
    await rename(other!.life)

    assert.equal(found.doubled, 1)
  })
})

describe('a timeline', () => {
  test('finds the longest gap, also the one that has not ended', async () => {
    const timeline = openTimeline()
    timeline.acknowledge(1)
    await sleep(120)
    timeline.acknowledge(7)
    timeline.mark('here')
    await sleep(60)

    const openGapMs = timeline.longestGapMs(timeline.series().marks[0]!.ms)
    timeline.end()
    const gapMs = timeline.longestGapMs()
    await sleep(60)
    const { buckets } = timeline.series()

    assert(openGapMs >= 59)
    assert(gapMs >= 119)
    assert.equal(timeline.longestGapMs(), gapMs, 'what follows the end is no gap')
    assert.equal(
      buckets.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      2,
    )
    assert.equal(Math.max(...buckets.map(({ slowestMs }) => slowestMs)), 7)
    assert.equal(timeline.latencyMs(0.99), 7)
  })
})
