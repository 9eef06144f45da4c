import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../../test/payouts.ts'
import { assessAll, releasePayouts } from './release.ts'

const DAY = 86_400_000
const market = await marketplace({ processor: true, settings: { PROMO_DAILY_CENTS: 2000 } })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

/** Free tasks that have earned a worker 410 cents each, all held since the same moment. */
async function freeTasks(count: number) {
  const worker = await payableWorker(market)
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const task = await completedBy(await market.agent(), [worker], { budget_cents: 500 })
    ids.push(task.id)
  }
  await market.work()
  const payouts = (await Promise.all(ids.map((id) => payoutsOfTask(market, id)))).flat()
  // The oldest payout first: their agents are on different shards, so they were opened in another order.
  payouts.sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    worker,
    taskIds: payouts.map(({ task_id }) => task_id),
    payoutIds: payouts.map(({ id }) => id),
  }
}

const statusesOf = async (taskIds: string[]) => {
  const payouts = (await Promise.all(taskIds.map((id) => payoutsOfTask(market, id)))).flat()
  return payouts.map(({ status, hold_reason }) => hold_reason ?? status)
}

const spentOn = async (day: Date) => {
  const [row] = await market.asOwner('select spent_cents from promo_days where day = $1', [
    day.toISOString().slice(0, 10),
  ])
  return Number(row?.spent_cents ?? 0)
}

const allSpent = async () => {
  const [row] = await market.asOwner(
    'select coalesce(sum(spent_cents), 0) as cents from promo_days',
  )
  return Number(row!.cents)
}

describe('the daily promotional budget', () => {
  test('pays the oldest free tasks that it covers; the others wait for the next day', async () => {
    const { worker, taskIds } = await freeTasks(6)
    market.advance(7 * DAY)

    await market.settle()

    // 2000 cents cover four payouts of 410; the remaining 360 are not enough for a fifth.
    assert.deepEqual(await statusesOf(taskIds), [
      ...Array(4).fill('paid'),
      ...Array(2).fill('promo_budget'),
    ])
    assert.equal(await spentOn(market.now()), 1640)
    assert.equal(await market.payable(worker.id), 820)

    market.advance(DAY)
    await market.settle()

    assert.deepEqual(await statusesOf(taskIds), Array(6).fill('paid'))
    assert.equal(await spentOn(market.now()), 820)
    assert.equal(await spentOn(new Date(market.now().getTime() - DAY)), 1640)
  })

  test('is exact in concurrent requests', async () => {
    market.advance(DAY)
    const sets = [await freeTasks(3), await freeTasks(3), await freeTasks(3), await freeTasks(3)]
    market.advance(7 * DAY)
    const now = market.now()
    const assessments = await assessAll(
      market.server.db.shards,
      sets.flatMap(({ payoutIds }) => payoutIds),
    )

    const before = await allSpent()

    await Promise.all(
      sets.flatMap(({ payoutIds }) =>
        payoutIds.map((id) =>
          market.at(id).transaction((tx) =>
            releasePayouts(tx, {
              payoutIds: [id],
              assessments,
              config: market.server.config,
              budgetAt: undefined,
              now,
            }),
          ),
        ),
      ),
    )

    const statuses = await statusesOf(sets.flatMap(({ taskIds }) => taskIds))
    assert.equal(statuses.filter((status) => status === 'requested').length, 4)
    assert.equal(statuses.filter((status) => status === 'promo_budget').length, 8)
    assert.equal(await spentOn(now), 1640)
    assert.equal(await allSpent(), before + 1640)
    for (let day = 0; day < 2; day += 1) {
      await market.settle()
      market.advance(DAY)
    }
    await market.settle()
    assert.deepEqual(
      await statusesOf(sets.flatMap(({ taskIds }) => taskIds)),
      Array(12).fill('paid'),
    )
  })

  test('does not apply to wallet pay', async () => {
    const before = await spentOn(market.now())
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    const task = await completedBy(agent, [worker], { budget_cents: 100_000 })

    await market.settle()

    assert.deepEqual(await statusesOf([task.id]), ['paid'])
    assert.equal(await spentOn(market.now()), before)
  })
})

describe('a hold that has ended', () => {
  test('of a worker without an account: the payout waits for one, and is then paid', async () => {
    market.advance(DAY)
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'completed', { budget_cents: 500 })
    await market.settle()
    market.advance(7 * DAY)
    await market.settle()
    assert.deepEqual(await statusesOf([task.id]), ['awaiting_account'])
    const { token } = await market.tokens.sign(
      { workerId: task.workers[0]!.id, version: 1 },
      market.now(),
    )

    await market.onboard({ ...task.workers[0]!, token, ...market.client(token) })

    assert.deepEqual(await statusesOf([task.id]), ['paid'])
  })

  test('is processed by one of two concurrent timers', async () => {
    market.advance(DAY)
    const { payoutIds, worker } = await freeTasks(2)
    market.advance(7 * DAY)
    const assessments = await assessAll(market.server.db.shards, payoutIds)
    const release = () =>
      market.at(worker.id).transaction((tx) =>
        releasePayouts(tx, {
          payoutIds,
          assessments,
          config: market.server.config,
          budgetAt: undefined,
          now: market.now(),
        }),
      )

    const moved = await Promise.all([release(), release(), release(), release()])

    assert.equal(moved.flat().length, 2)
    assert.equal(await market.payable(worker.id), 0)
    await market.settle()
  })
})
