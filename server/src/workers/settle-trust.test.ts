import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Json, marketplace } from '../../test/harness.ts'
import { moveTrust } from '../../test/settled.ts'
import { ruleOnAppeal } from '../disputes/rule-on-appeal.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import type { Ruling } from '../tasks/dispute-view.ts'
import { settleDisputes, settleTrust } from './settle-trust.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A worker's token is valid for seven days. */
const SESSION = 7 * DAY

const market = await marketplace()

type Worker = Awaited<ReturnType<typeof market.worker>>

/** A worker on level 2 with an old dispute, so that another one would lower them to level 1. */
async function atTheEdge(): Promise<Worker> {
  const worker = await market.worker({ approvals: 5 })
  await moveTrust(market, worker.id, 'disputed', { at: new Date(market.now().getTime() - DAY) })
  return worker
}

/** A task of a new agent that the worker has completed and the agent has disputed. */
async function disputedTask(worker: Worker) {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
  const { id } = body.task as { id: string }
  await worker.post(`/worker/tasks/${id}/accept`)
  await worker.post(`/worker/tasks/${id}/proof`, { text: 'Seen' })
  const { status, text } = await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })
  assert.equal(status, 200, text)
  return {
    id,
    appeal: () => worker.post(`/worker/tasks/${id}/appeal`, { statement: 'It is right' }),
    reply: () => agent.post(`/tasks/${id}/dispute/answer`, { statement: 'It is not' }),
    withdraw: () => agent.post(`/tasks/${id}/dispute/withdraw`),
    rule: (ruling: Ruling) =>
      market.at(id).transaction((tx) =>
        ruleOnAppeal(tx, {
          id,
          ruling,
          note: 'Seen both sides.',
          operator: 'olga',
          config: market.server.config,
          now: market.now(),
        }),
      ),
  }
}

const trustOf = async (worker: Worker): Promise<Json> => (await worker.get('/worker/trust')).body
const levelsOf = async (worker: Worker) => {
  const { trust_score, level } = await trustOf(worker)
  return [trust_score, level]
}
const settle = () => sweepEverywhere(market, settleTrust)

describe('a dispute that can be appealed', () => {
  test('[3-gap-dispute-pending] changes the score at once, and neither level, feed nor access', async () => {
    const worker = await atTheEdge()
    const other = await market.agent({ balanceCents: 10_000, freeTasks: false })
    for (const min_worker_level of [1, 2, 3])
      await other.post('/tasks', { description: 'Look', budget_cents: 1000, min_worker_level })
    await market.work()
    const feed = async () =>
      (await worker.get('/worker/feed')).body.tasks.map(({ id, match, locked }: Json) => [
        id,
        match,
        locked,
      ])
    const [before, [score, level]] = [await feed(), await levelsOf(worker)]

    await disputedTask(worker)

    await market.work()
    assert.deepEqual([score, level], [67, 2])
    assert.deepEqual(await levelsOf(worker), [57, 2])
    assert.deepEqual(await feed(), before)
    assert.equal((await worker.get('/worker/profile')).body.worker.level, 2)
    assert.equal((await worker.get(`/worker/${worker.id}/public`)).body.worker.level, 2)
    const { body } = await other.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      min_worker_level: 2,
    })
    assert.equal((await worker.get(`/worker/feed/${body.task.id}`)).status, 200)
    assert.equal((await worker.post(`/worker/tasks/${body.task.id}/accept`)).status, 200)
  })

  test('counts for the level after the appeal deadline without an appeal', async () => {
    const worker = await atTheEdge()
    await disputedTask(worker)

    market.advance(72 * HOUR - 1)
    await market.sweep()
    const shortBefore = await levelsOf(worker)
    market.advance(1)
    await market.sweep()

    assert.equal(shortBefore[1], 2)
    const { level, standing_score, trust_score, pending } = await trustOf(worker)
    assert.equal(level, 1)
    assert.equal(standing_score, trust_score)
    assert.deepEqual(pending, [])
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      min_worker_level: 2,
    })
    const refused = await worker.post(`/worker/tasks/${body.task.id}/accept`)
    assert.deepEqual([refused.status, refused.body.current_level], [403, 1])
  })

  test('settles exactly when an appeal becomes 409', async () => {
    const worker = await atTheEdge()
    const { appeal } = await disputedTask(worker)

    market.advance(72 * HOUR)

    assert.equal((await appeal()).body.code, 'appeal_too_late')
    assert.equal(await settle(), 1)
    assert.equal(await settle(), 0)
  })

  test('is settled once by two concurrent timers', async () => {
    const worker = await atTheEdge()
    await disputedTask(worker)
    market.advance(72 * HOUR)
    const { config } = market.server
    const of = { workerIds: [worker.id], config, now: market.now() }

    const settled = await Promise.all(
      Array.from({ length: 4 }, () =>
        market.at(worker.id).transaction((tx) => settleDisputes(tx, of)),
      ),
    )

    assert.deepEqual(
      settled.toSorted((a, b) => a - b),
      [0, 0, 0, 1],
    )
    assert.equal((await trustOf(worker)).level, 1)
  })
})

describe('a dispute that was appealed', () => {
  test('stays pending beyond 72 hours, until an operator upholds it', async () => {
    const worker = await atTheEdge()
    const { appeal, reply, rule } = await disputedTask(worker)
    assert.equal((await appeal()).status, 201)
    await reply()

    market.advance(6 * DAY)
    await market.sweep()
    const before = await trustOf(worker)
    await rule('upheld')

    assert.deepEqual([before.level, before.pending.length], [2, 1])
    const after = await trustOf(worker)
    assert.deepEqual([after.level, after.pending], [1, []])
    assert.equal(after.trust_score, before.trust_score, 'the score included it all the time')
    assert.deepEqual(before.pending[0].if_upheld, {
      trust_score: after.trust_score,
      standing_score: after.standing_score,
      level: after.level,
    })
  })

  for (const [name, end] of [
    ['overturned', async ({ reply, rule }) => [await reply(), await rule('overturned')]],
    ['withdrawn', ({ withdraw }) => withdraw()],
    [
      'conceded by silence',
      async () => {
        market.advance(48 * HOUR)
        await market.sweep()
      },
    ],
  ] as [string, (task: Awaited<ReturnType<typeof disputedTask>>) => Promise<unknown>][])
    test(`${name}: score and level are as after an approval`, async () => {
      const worker = await atTheEdge()
      const twin = await market.worker({ approvals: 5 })
      await moveTrust(market, twin.id, 'disputed', { at: new Date(market.now().getTime() - DAY) })
      const task = await disputedTask(worker)
      await task.appeal()
      const { pending } = await trustOf(worker)

      await end(task)

      await moveTrust(market, twin.id, 'approved')
      market.advance(4 * DAY)
      await market.sweep()
      const [mine, theirs] = [await trustOf(worker), await trustOf(twin)]
      assert.deepEqual(
        [mine.trust_score, mine.standing_score, mine.level, mine.pending],
        [theirs.trust_score, theirs.standing_score, theirs.level, []],
      )
      assert.equal(pending[0].if_overturned.level, mine.level)
    })

  test('split: neither score nor level includes it', async () => {
    const worker = await atTheEdge()
    const [score, level] = await levelsOf(worker)
    const { appeal, reply, rule } = await disputedTask(worker)
    await appeal()
    await reply()

    await rule('split')

    assert.deepEqual(await levelsOf(worker), [score, level])
    assert.deepEqual((await trustOf(worker)).pending, [])
  })

  test('in time, but committed after the timer: it is pending again', async () => {
    const worker = await atTheEdge()
    const { appeal, reply, rule } = await disputedTask(worker)
    market.advance(71 * HOUR)
    // A sweep whose clock is ahead settles the dispute while the worker's request is in flight.
    const ahead = new Date(market.now().getTime() + 2 * HOUR)
    const { config } = market.server
    await market
      .at(worker.id)
      .transaction((tx) => settleDisputes(tx, { workerIds: [worker.id], config, now: ahead }))
    assert.equal((await trustOf(worker)).level, 1)

    await appeal()

    const { level, pending } = await trustOf(worker)
    assert.deepEqual([level, pending.length], [2, 1])
    await reply()
    await rule('upheld')
    assert.equal((await trustOf(worker)).level, 1)
  })

  test('at the moment of the timer: it is pending in either order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const worker = await atTheEdge()
      const { appeal } = await disputedTask(worker)
      market.advance(71 * HOUR)
      const ahead = new Date(market.now().getTime() + 2 * HOUR)
      const { config } = market.server

      const [{ status }] = await Promise.all([
        appeal(),
        market
          .at(worker.id)
          .transaction((tx) => settleDisputes(tx, { workerIds: [worker.id], config, now: ahead })),
      ])

      assert.equal(status, 201)
      const { level, pending } = await trustOf(worker)
      assert.deepEqual([level, pending.length], [2, 1])
    }
  })

  test('from before pending disputes existed: after the appeal it does not count for the level', async () => {
    const worker = await atTheEdge()
    const { appeal } = await disputedTask(worker)
    await market.asOwner('update trust_events set pending_since = null where worker_id = $1', [
      worker.id,
    ])
    await market.asOwner('update workers set trust_pending = 0 where id = $1', [worker.id])
    assert.equal((await trustOf(worker)).level, 1)

    await appeal()

    assert.equal((await trustOf(worker)).level, 2)
  })
})

describe('several disputes of one worker', () => {
  test('one pending and one settled: the settled one counts', async () => {
    const worker = await market.worker({ approvals: 5 })
    await disputedTask(worker)
    market.advance(HOUR)
    const second = await disputedTask(worker)
    const both = await trustOf(worker)

    market.advance(71 * HOUR)
    await market.sweep()
    const one = await trustOf(worker)
    market.advance(HOUR)
    await market.sweep()
    const none = await trustOf(worker)

    assert.deepEqual([both.level, both.pending.length, both.standing_score], [2, 2, 80])
    assert.deepEqual([one.level, one.pending.map(({ task_id }: Json) => task_id)], [2, [second.id]])
    assert(one.standing_score < both.standing_score && one.standing_score > one.trust_score)
    assert.deepEqual([none.level, none.pending], [1, []])
  })

  test('a dispute without an effect on trust is never pending', async () => {
    const [agent, worker] = [
      await market.agent({ balanceCents: 10_000, freeTasks: false }),
      await market.worker({ approvals: 100 }),
    ]
    for (let n = 0; n < 4; n += 1) {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
      await worker.post(`/worker/tasks/${body.task.id}/accept`)
      await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'Seen' })
      await agent.post(`/tasks/${body.task.id}/dispute`, { reason: 'No' })
      if (n === 3) await worker.post(`/worker/tasks/${body.task.id}/appeal`, { statement: 'Yes' })
    }

    assert.equal((await trustOf(worker)).pending.length, 3)
  })

  test('any history: the level equals one computed from scratch', async () => {
    const Step = fc.record({
      do: fc.constantFrom('dispute', 'dispute', 'appeal', 'rule', 'withdraw', 'wait'),
      n: fc.nat(),
      ruling: fc.constantFrom<Ruling>('upheld', 'overturned', 'split'),
      hours: fc.constantFrom(1, 20, 40, 73),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 6, maxLength: 14 }), playHistory),
      { numRuns: 6 },
    )
  })
})

interface Told {
  at: number
  task: Awaited<ReturnType<typeof disputedTask>>
  state: 'can appeal' | 'appealed' | 'counts' | 'gone'
}

async function playHistory(
  steps: { do: string; n: number; ruling: Ruling; hours: number }[],
): Promise<void> {
  const worker = await market.worker({ approvals: 30 })
  const begun = market.now().getTime()
  const disputes: Told[] = []
  const approvedAt: number[] = []
  for (const { do: what, n, ruling, hours } of steps) {
    const now = market.now().getTime()
    const among = (state: Told['state']) => disputes.filter((one) => one.state === state)
    const appealable = among('can appeal').at(n % Math.max(1, among('can appeal').length))
    const appealed = among('appealed').at(n % Math.max(1, among('appealed').length))
    const open = appealable ?? appealed
    if (what === 'dispute')
      disputes.push({ at: now, task: await disputedTask(worker), state: 'can appeal' })
    else if (what === 'appeal' && appealable) {
      assert.equal((await appealable.task.appeal()).status, 201)
      await appealable.task.reply()
      appealable.state = 'appealed'
    } else if (what === 'rule' && appealed) {
      await appealed.task.rule(ruling)
      appealed.state = ruling === 'upheld' ? 'counts' : 'gone'
      if (ruling === 'overturned') approvedAt.push(now)
    } else if (what === 'withdraw' && open) {
      await open.task.withdraw()
      open.state = 'gone'
      approvedAt.push(now)
    } else if (what === 'wait' && now + hours * HOUR < begun + SESSION) {
      market.advance(hours * HOUR)
      await market.sweep()
      for (const one of among('can appeal'))
        if (one.at + 72 * HOUR <= market.now().getTime()) one.state = 'counts'
    }
    await compare()
  }

  async function compare() {
    const now = market.now().getTime()
    const fade = (at: number) => 0.5 ** ((now - at) / (90 * DAY))
    const good = 30 * fade(begun) + approvedAt.map(fade).reduce((sum, one) => sum + one, 0)
    const scoreOf = (...states: Told['state'][]) => {
      const bad = disputes
        .filter(({ state }) => states.includes(state))
        .reduce((sum, { at }) => sum + 3 * fade(at), 0)
      return Math.round((100 * (7 + good)) / (10 + good + bad))
    }
    const standing = scoreOf('counts')
    const { trust_score, standing_score, level, pending } = await trustOf(worker)
    assert.deepEqual(
      { trust_score, standing_score, level, pending: pending.length },
      {
        trust_score: scoreOf('counts', 'can appeal', 'appealed'),
        standing_score: standing,
        level: standing >= 70 ? 3 : standing >= 60 ? 2 : 1,
        pending: disputes.filter(({ state }) => ['can appeal', 'appealed'].includes(state)).length,
      },
    )
  }
}
