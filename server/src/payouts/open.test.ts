import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import {
  completedBy,
  payableWorker,
  payoutsOfTask,
  switchPayouts,
  transfersOf,
} from '../../test/payouts.ts'
import { databaseOf, shardOf } from '../kit/ids.ts'
import { NEVER } from './holds.ts'
import { openPayouts } from './open.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const market = await marketplace({ processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const opening = () => ({ db: market.db, config: market.server.config, now: market.now() })
const registeredFrom = (table: 'agents' | 'workers', id: string, from: string) =>
  market.asOwner(`update ${table} set registered_from = $1 where id = $2`, [from, id])

describe('a task that ends', () => {
  test('completed: a payout of the earnings is opened automatically', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])

    await market.settle()

    const [payout, ...more] = await payoutsOfTask(market, task.id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [payout!.worker_id, payout!.agent_id, payout!.amount_cents, payout!.status, payout!.mode],
      [worker.id, agent.id, 820, 'paid', 'live'],
    )
    assert.equal(shardOf(payout!.id), shardOf(worker.id))
  })

  test('completed with a tip: one payout of both', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1500, freeTasks: false })
    const task = await market.taskIn(agent, 'pending', { budget_cents: 1000 })
    await worker.post(`/worker/tasks/${task.id}/accept`)
    await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
    await agent.post(`/tasks/${task.id}/approve`, { tip_cents: 500 })

    await market.settle()

    const payouts = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      payouts.map(({ amount_cents, status }) => [amount_cents, status]),
      [[1320, 'paid']],
    )
    assert.equal(await market.payable(worker.id), 0)
  })

  test('completed by three workers on different shards: three payouts, each on its worker’s shard', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const workers: Awaited<ReturnType<typeof payableWorker>>[] = []
    const homes = new Set<number>()
    while (workers.length < 3) {
      const worker = await payableWorker(market)
      const home = databaseOf(shardOf(worker.id), 16)
      if (!homes.has(home)) workers.push(worker)
      homes.add(home)
    }
    const task = await completedBy(agent, workers)

    await market.settle()

    const payouts = await payoutsOfTask(market, task.id)
    const paid = new Map(payouts.map((payout) => [payout.worker_id, payout]))
    assert.deepEqual(
      workers.map(({ id }) => [paid.get(id)!.amount_cents, paid.get(id)!.status]),
      [
        [274, 'paid'],
        [273, 'paid'],
        [273, 'paid'],
      ],
    )
    const sent = await transfersOf(market, task.id)
    assert.deepEqual(
      sent.map(({ destination }) => destination).sort(),
      workers.map(({ accountId }) => accountId).sort(),
    )
    for (const payout of payouts) assert.equal(shardOf(payout.id), shardOf(payout.worker_id))
  })

  test('canceled while a worker holds it: a payout of the compensation', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'pending', { budget_cents: 1000 })
    await worker.post(`/worker/tasks/${task.id}/accept`)
    await agent.post(`/tasks/${task.id}/cancel`)

    await market.settle()

    const payouts = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      payouts.map(({ amount_cents, status }) => [amount_cents, status]),
      [[300, 'paid']],
    )
  })

  test('without pay for anybody: no payout', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const tasks = [
      await market.taskIn(agent, 'cancelled'),
      await market.taskIn(agent, 'expired'),
      await market.taskIn(agent, 'disputed'),
    ]

    await market.settle()

    for (const { id } of tasks) assert.deepEqual(await payoutsOfTask(market, id), [])
  })

  test('in test mode: paid at once, without a call to the processor', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent.test, 'completed', { budget_cents: 1000 })

    await market.settle()

    const [payout] = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      [payout!.mode, payout!.status, payout!.transfer_id, payout!.account_id, payout!.check_at],
      ['test', 'paid', null, null, null],
    )
    assert.deepEqual(payout!.paid_at, market.now())
    assert.equal(await market.payable(task.workers[0]!.id), 0)
    assert.deepEqual(await transfersOf(market, task.id), [])
  })
})

describe('opening the payouts of a task', () => {
  test('repeatedly, or sixteen times at once, opens each once', async () => {
    const workers = [await payableWorker(market), await payableWorker(market)]
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, workers)

    await Promise.all(Array.from({ length: 16 }, () => openPayouts(opening(), task.id)))
    await openPayouts(opening(), task.id)

    assert.equal((await payoutsOfTask(market, task.id)).length, 2)
    for (const { id } of workers) assert.equal(await market.payable(id), 0)
    await market.settle()
    assert.equal((await transfersOf(market, task.id)).length, 2)
  })

  test('for a worker without an account: it waits, and the money stays theirs', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'completed', { budget_cents: 1000 })
    const worker = task.workers[0]!

    await market.settle()

    const [waiting] = await payoutsOfTask(market, task.id)
    assert.deepEqual([waiting!.status, waiting!.account_id], ['awaiting_account', null])
    assert.equal(await market.payable(worker.id), 820)

    await market.onboard(worker)

    const [paid] = await payoutsOfTask(market, task.id)
    assert.equal(paid!.status, 'paid')
    assert.equal(await market.payable(worker.id), 0)
  })

  test('while payouts are off: it is held, and continues automatically when they are on', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    await switchPayouts(market, false)

    await market.settle()

    const [held] = await payoutsOfTask(market, task.id)
    assert.deepEqual([held!.status, held!.hold_reason], ['held', null])
    assert.equal(await market.payable(worker.id), 820)

    await switchPayouts(market, true)
    market.advance(5 * 60_000)
    await market.settle()

    assert.equal((await payoutsOfTask(market, task.id))[0]!.status, 'paid')
  })
})

describe('a hold', () => {
  test('of a new agent’s money lasts a week from its latest deposit', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 5000)
    const depositedAt = market.now()
    market.advance(DAY)
    const task = await completedBy(agent, [worker])
    await market.settle()

    const [held] = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      [held!.status, held!.hold_reason, held!.available_at],
      ['held', 'new_funds', new Date(depositedAt.getTime() + 7 * DAY)],
    )
    const { body } = await worker.get('/worker/earnings')
    assert.deepEqual([body.held_cents, body.available_cents], [820, 0])

    market.advance(6 * DAY - 1)
    await market.settle()
    assert.equal((await payoutsOfTask(market, task.id))[0]!.status, 'held')

    market.advance(1)
    await market.settle()
    assert.equal((await payoutsOfTask(market, task.id))[0]!.status, 'paid')
  })

  test('of an older agent’s money lasts two days, and a later deposit adds nothing', async () => {
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 5000)
    market.advance(31 * DAY)
    const worker = await payableWorker(market)
    await market.deposit(agent, 5000)
    const latest = market.now()
    market.advance(HOUR)
    const task = await completedBy(agent, [worker])
    await market.events()
    market.advance(HOUR)
    await market.deposit(agent, 5000)

    await openPayouts(opening(), task.id)

    const [held] = await payoutsOfTask(market, task.id)
    assert.deepEqual(held!.available_at, new Date(latest.getTime() + 2 * DAY))

    // A second task, completed when the hold on its money has ended.
    market.advance(3 * DAY)
    const later = await completedBy(agent, [worker])
    await market.settle()
    assert.equal((await payoutsOfTask(market, later.id))[0]!.status, 'paid')
  })

  test('of a free task lasts a week from the verdict', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent()
    const task = await completedBy(agent, [worker])
    const earnedAt = market.now()
    await market.settle()

    const [held] = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      [held!.funding, held!.status, held!.hold_reason, held!.available_at],
      ['free', 'held', 'free_task', new Date(earnedAt.getTime() + 7 * DAY)],
    )
    market.advance(7 * DAY)
    await market.settle()
    assert.equal((await payoutsOfTask(market, task.id))[0]!.status, 'paid')
  })

  test('of a free task between lookalikes, by email, lasts until an operator decides', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent()
    await market.asOwner('update agents set email = $1 where id = $2', [
      worker.email.toUpperCase().replace('@', '+agent@'),
      agent.id,
    ])
    const task = await completedBy(agent, [worker])
    await market.settle()
    market.advance(365 * DAY)
    await market.settle()

    const [held] = await payoutsOfTask(market, task.id)
    assert.deepEqual(
      [held!.status, held!.hold_reason, held!.available_at, held!.check_at],
      ['held', 'self_dealing', NEVER, null],
    )
    assert.equal(await market.payable(worker.id), 820)
    const { body } = await agent.post(`/tasks/${task.id}/payout`)
    assert.deepEqual([body.payouts[0].status, body.payouts[0].available_at], ['held', null])
  })

  test('of a free task between lookalikes applies by IP address, and not to wallet pay', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 5000 })
    await registeredFrom('agents', agent.id, '203.0.113.9')
    await registeredFrom('workers', worker.id, '203.0.113.9')
    const free = await completedBy(agent, [worker])
    const paid = await completedBy(agent, [worker], { budget_cents: 2500 })

    await market.settle()

    assert.equal((await payoutsOfTask(market, free.id))[0]!.hold_reason, 'self_dealing')
    assert.deepEqual(
      (await payoutsOfTask(market, paid.id)).map(({ funding, status }) => [funding, status]),
      [['wallet', 'paid']],
    )
  })
})

describe('all payouts together', () => {
  test('equal the earnings to the cent, for every worker and task', async () => {
    market.advance(8 * DAY)
    await market.settle()

    const differences = await market.asOwner(`
      select worker_id, task_id, earned, paid from (
        select worker_id, task_id, sum(amount_cents) as earned from transfers
         where credit = 'liab:worker_payable' and kind in ('escrow_release', 'cancel_compensation', 'tip')
         group by 1, 2) e
      full join (
        select worker_id, task_id, sum(amount_cents) as paid from payouts where status <> 'failed' group by 1, 2) p
      using (worker_id, task_id)
      where earned is distinct from paid`)

    assert.deepEqual(differences, [])
    const waiting = await market.asOwner(`
      select l.worker_id from ledger_workers l
       where l.payable_cents <> coalesce((
         select sum(amount_cents) from payouts p where p.worker_id = l.worker_id and p.account_id is null
            and p.status in ('held', 'awaiting_account')), 0)`)
    assert.deepEqual(waiting, [])
  })
})
