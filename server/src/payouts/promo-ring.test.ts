import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { marketplace } from '../../test/harness.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../../test/payouts.ts'
import { callForValue } from '../kit/call.ts'

const DAY = 86_400_000
const RING_CENTS = 1000
const RACERS = 300
const market = await marketplace({
  processor: true,
  settings: { PROMO_RING_DAILY_CENTS: RING_CENTS },
})
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
const { global } = market.server.db.shards

async function workersOfOneBank(count: number, number: string) {
  const workers = []
  for (let i = 0; i < count; i += 1) {
    const worker = await payableWorker(market)
    await market.sandbox.control('POST', `accounts/${worker.accountId}/submit`, {
      outcome: 'verified',
      bank: { routing: '110000000', number },
    })
    workers.push(worker)
  }
  await market.settle()
  return workers
}

const statesOf = async (taskIds: string[]) => {
  const payouts = (await Promise.all(taskIds.map((id) => payoutsOfTask(market, id)))).flat()
  return payouts.map(({ status, hold_reason }) => hold_reason ?? status).toSorted()
}

/** Free tasks that have earned 410 cents each. */
async function freeTasksOf(workers: Awaited<ReturnType<typeof workersOfOneBank>>, each: number) {
  const taskIds = []
  for (const worker of workers)
    for (let n = 0; n < each; n += 1)
      taskIds.push((await completedBy(await market.agent(), [worker], { budget_cents: 500 })).id)
  await market.settle()
  return taskIds
}

const spentBy = async (ring: string[], day: string) => {
  const [row] = await market.asOwner(
    `select coalesce(sum(spent_cents), 0) as cents from promo_workers where day = $1 and worker_id = any($2)`,
    [day, ring],
  )
  return Number(row!.cents)
}

describe('the daily budget of a ring', () => {
  test('is shared by all workers with one bank account; the rest is paid on the next days', async () => {
    const workers = await workersOfOneBank(3, '000123123123')
    const taskIds = await freeTasksOf(workers, 2)
    market.advance(8 * DAY)

    await market.settle()
    const first = await statesOf(taskIds)
    market.advance(DAY)
    await market.settle()
    const second = await statesOf(taskIds)

    assert.deepEqual(first, [...Array(2).fill('paid'), ...Array(4).fill('promo_budget')])
    assert.deepEqual(second, [...Array(4).fill('paid'), ...Array(2).fill('promo_budget')])
  })

  test('does not delay workers who share nothing', async () => {
    const workers = [
      ...(await workersOfOneBank(1, '000456456456')),
      ...(await workersOfOneBank(1, '000789789789')),
    ]
    const taskIds = await freeTasksOf(workers, 2)
    market.advance(8 * DAY)

    await market.settle()

    assert.deepEqual(await statesOf(taskIds), Array(4).fill('paid'))
  })

  test('is exact if all workers of a ring are paid at once', async () => {
    const ring = Array.from({ length: RACERS }, (_, n) => `worker_r${n}`)

    const outcomes = await Promise.all(
      ring.map((worker) =>
        callForValue(global, 'payouts_spend_promo', {
          p_day: '2031-01-01',
          p_cents: 100,
          p_max_cents: 1_000_000,
          p_is_decided: false,
          p_worker: worker,
          p_ring: ring,
          p_ring_max_cents: RING_CENTS,
        }),
      ),
    )

    assert.equal(outcomes.filter(Boolean).length, RING_CENTS / 100)
    assert.equal(await spentBy(ring, '2031-01-01'), RING_CENTS)
  })

  test('would be exceeded without the lock on the day', async () => {
    const ring = Array.from({ length: RACERS }, (_, n) => `worker_c${n}`)
    await market.asOwner(`create table control_spent (worker_id text, spent_cents bigint)`)
    await market.asOwner(`grant select, insert on control_spent to legwork_app`)

    await Promise.all(
      ring.map((worker) =>
        global.transaction(async (tx) => {
          const { rows } = await sql<{ cents: number }>`
            select coalesce(sum(spent_cents), 0)::int as cents from control_spent
             where worker_id = any(${ring})`.execute(tx)
          if (rows[0]!.cents + 100 <= RING_CENTS)
            await sql`insert into control_spent values (${worker}, 100)`.execute(tx)
        }),
      ),
    )

    const [row] = await market.asOwner(`select sum(spent_cents) as cents from control_spent`)
    assert(Number(row!.cents) > RING_CENTS, `${row!.cents} cents`)
  })
})
