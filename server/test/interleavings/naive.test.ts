/**
 * Proves that the explorer finds the bugs it is meant to find: read-then-write operations, each a bug that has cost
 * somebody money, run in the same explorer and are judged by the same rules as ours.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  accept,
  allowAll,
  approve,
  dispute,
  forgetVersions,
  keyedCreate,
  payBoth,
  tip,
} from './naive.ts'
import { contend } from './operations.ts'
import type { SceneName } from './scenes.ts'
import { openStage, type Player } from './stage.ts'

const SCHEDULES = 40

describe('control: without our guards', () => {
  let stage: Awaited<ReturnType<typeof openStage>>
  let forgetful: Awaited<ReturnType<typeof openStage>>
  before(async () => {
    stage = await openStage({ lanes: 1, prepare: allowAll })
    forgetful = await openStage({ lanes: 1, prepare: forgetVersions })
  })
  after(async () => {
    await stage.close()
    await forgetful.close()
  })

  test('approve and dispute that read the status first settle a task twice', async () => {
    const { problems } = await caught('proved', [approve, dispute])

    assert.match(problems, /settled 2 times/)
    assert.match(problems, /-2500 in escrow|its transfers -2500/)
  })

  test('two approvals that read the status first: one pays, and the other fails as a defect', async () => {
    const { problems } = await caught('proved', [approve, approve])

    assert.match(problems, /told 500/)
  })

  test('accept that counts the workers first fills one slot twice', async () => {
    const { problems } = await caught('open', [accept(0), accept(1)])

    assert.match(problems, /2 workers in 1 slots/)
    assert.match(problems, /slots_taken is 1, taken are 2/)
  })

  test('a key that is looked up first and stored later lets one request in twice', async () => {
    const { problems } = await caught('open', [keyedCreate, keyedCreate])

    assert.match(problems, /no order of one after the other ends like this/)
  })

  test('a tip from an unlocked wallet spends it twice', async () => {
    const { problems } = await caught('two proved', [tip(0), tip(1)])

    assert.match(problems, /the wallet is 0, by the transfers -2500/)
  })

  test('locks in opposite orders deadlock', async () => {
    const [explored] = await stage.explore([
      playOf('two proved', [payBoth([0, 1]), payBoth([1, 0])]),
    ])

    assert(explored!.deadlocks > 0)
    console.log(
      `locks in opposite orders: ${explored!.deadlocks} deadlocks in ${explored!.schedules} schedules`,
    )
  })

  test('verdicts without the optimistic lock: a late one is a defect, and the ledger still pays once', async () => {
    const play = playOf('proved', contend(['approve', 'dispute']))

    const [explored] = await forgetful.explore([play])

    const { findings, schedules } = explored!
    const problems = findings.flatMap((finding) => finding.problems)
    assert(problems.some((problem) => /told 500.*is mismatch already/s.test(problem)))
    assert(!problems.some((problem) => problem.startsWith('settled')))
    assert.deepEqual(await forgetful.audit(), [])
    console.log(`${play.name} without the version: ${findings.length} of ${schedules} are wrong`)
  })

  /**
   * Asserts that they are correct when run serially and fail when interleaved, and that the first failing schedule
   * fails again on replay.
   */
  async function caught(scene: SceneName, players: Player[]) {
    const play = playOf(scene, players)
    const [explored] = await stage.explore([play])
    const { findings, schedules } = explored!
    const [first] = findings
    assert(first, 'the explorer found no fault')
    assert(
      findings.every(({ steps }) => steps.length > 1),
      'each operation alone is correct',
    )

    const again = await stage.replay(play, first.schedule)
    assert.deepEqual(again.schedule, first.schedule)
    assert.deepEqual(
      again.problems,
      first.problems.filter((problem) => !problem.startsWith('no order')),
    )

    console.log(`${play.name}: ${findings.length} of ${schedules} schedules are wrong`)
    return { problems: findings.flatMap(({ problems }) => problems).join('\n') }
  }
})

const playOf = (scene: SceneName, players: Player[]) => ({
  name: players.map(({ name }) => name).join(' × '),
  players,
  scene,
  schedules: SCHEDULES,
})
