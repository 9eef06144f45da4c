import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Marketplace } from '../../test/harness.ts'
import {
  breaksOf,
  chargeOf,
  DAY,
  HOUR,
  MINUTE,
  movements,
  openBooks,
  posted,
  reconcileAfter,
  strayPayment,
  switchesOff as off,
} from '../../test/money.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'
import { takeAsOurs } from './resolve-suspense.ts'
import { ProcessorSilent } from '../processor/ask.ts'
import { explainBreak, openBreaks } from './breaks.ts'
import { reconcile, reconcileDeeply, reconcileMoney, switchesOff } from './reconcile.ts'
import { turnSwitch } from './switches.ts'

async function topUp(market: Marketplace, amount: number): Promise<void> {
  await market.sandbox.control('POST', 'topups', { amount })
  await market.settle()
}

const runs = async (market: Marketplace) =>
  (await market.asOwner('select at from reconciliations')).length

describe('a reconciliation', () => {
  test('finds each cent on both sides, and whose it is', async () => {
    const market = await openBooks()
    await topUp(market, 100_000)
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 20_000)
    const worker = await payableWorker(market)
    await completedBy(agent, [worker])
    const open = await agent.post('/tasks', { description: 'Look', budget_cents: 700 })
    await market.settle()

    const run = await reconcileAfter(market, MINUTE)

    // The processor’s fee for the deposit is 610; 820 went to the worker; the commission was 180.
    assert.equal(open.status, 201)
    assert.deepEqual(run, {
      at: market.now(),
      processor_cents: 100_000 + 20_000 - 610 - 820,
      mirrored_cents: 118_570,
      ledger_cents: 118_570,
      own_funds_cents: 100_000 - 610 + 180,
      unexplained_new_cents: 0,
      unexplained_hour_cents: 0,
      unexplained_day_cents: 0,
      unexplained: [0, 0, 0],
    })
    assert.deepEqual(await breaksOf(market), [])
    assert.deepEqual(await off(market), [])
    const { unexplained: _, ...row } = run
    assert.deepEqual(await market.asOwner('select * from reconciliations'), [row])
  })

  test('ignores test money', async () => {
    const market = await openBooks()
    const agent = await market.agent()
    const created = await agent.test.post('/tasks', { description: 'Look', budget_cents: 5000 })
    await agent.test.post('/wallet/deposit', { amount_cents: 9000 })

    const run = await reconcileAfter(market, MINUTE)

    assert.equal(created.status, 201)
    assert.deepEqual([run.ledger_cents, run.own_funds_cents], [0, 0])
    assert.deepEqual(await breaksOf(market), [])
  })

  test('reports its findings to the alarms', async () => {
    const market = await openBooks()
    await topUp(market, 5000)
    await market.sandbox.control('POST', 'odd', { amount: -70, type: 'reserved_funds' })

    await reconcileAfter(market, 2 * HOUR)

    const { metrics } = market.server
    const shown = (await metrics.unexplained.get()).values.map(({ labels, value }) => [
      labels.age,
      value,
    ])
    assert.deepEqual(Object.fromEntries(shown), {
      under_an_hour: 0,
      under_a_day: 70,
      over_a_day: 0,
    })
    assert.equal((await metrics.ownFunds.get()).values[0]?.value, 4930)
    assert.equal((await metrics.moneyBreaks.get()).values[0]?.value, 1)
    assert.equal((await metrics.reconciledAt.get()).values[0]?.value, market.now().getTime() / 1000)
  })
})

describe('an unreachable processor', () => {
  for (const path of ['/v1/balance', '/v1/balance_transactions'])
    test(`at ${path} ends the run with a message, without a row, and nothing is lost`, async () => {
      const market = await openBooks()
      await topUp(market, 5000)
      await reconcileAfter(market, MINUTE)
      await topUp(market, 700)
      const match = `^GET ${path}$`
      await market.sandbox.control('POST', 'faults', { match, mode: 'reset_before', times: 10 })

      await assert.rejects(reconcile(market.background), ProcessorSilent)
      await reconcileMoney.run({ ...market.background, payload: {} })
      const before = await runs(market)
      await market.sandbox.control('DELETE', 'faults')
      market.advance(3 * DAY)
      const run = await reconcileAfter(market, MINUTE)

      assert.equal(before, 1)
      assert.equal(run.ledger_cents, 5700)
    })

  test('in the middle of its list is asked again from the same place', async () => {
    const market = await openBooks()
    for (let i = 0; i < 130; i += 1) await market.sandbox.control('POST', 'fees', { amount: i + 1 })
    await topUp(market, 20_000)
    // With this seed the first page succeeds and the second fails.
    const fault = { match: 'GET /v1/balance_transactions', mode: 'error_before', seed: 6 }
    await market.sandbox.control('POST', 'faults', { ...fault, probability: 0.5 })

    await assert.rejects(reconcile(market.background), ProcessorSilent)
    const half = await market.asOwner('select count(*)::integer as count from balance_transactions')
    market.advance(2 * DAY)
    const { data: faults } = await market.sandbox.control('GET', 'faults')
    await market.sandbox.control('DELETE', 'faults')
    const run = await reconcileAfter(market, MINUTE)

    assert(faults[0].struck >= 1)
    assert.equal(half[0]!.count, 100)
    assert.equal(run.mirrored_cents, 20_000 - (130 * 131) / 2)
    assert.equal(run.ledger_cents, run.processor_cents)
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })

  test('is not called if payments are not configured', async () => {
    const { marketplace } = await import('../../test/harness.ts')
    const market = await marketplace()

    await reconcileMoney.run({ ...market.background, payload: {} })

    assert.equal(await runs(market), 0)
    await assert.rejects(reconcile(market.background), /not set up/)
  })
})

describe('a movement during the comparison', () => {
  test('is not a difference: the list may be later than the balance', async () => {
    const market = await openBooks()
    await topUp(market, 5000)
    const match = 'GET /v1/balance_transactions'
    await market.sandbox.control('POST', 'faults', { match, mode: 'slow', ms: 400 })

    const running = reconcileAfter(market, MINUTE)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await topUp(market, 300)
    const run = await running

    assert.deepEqual([run.processor_cents, run.mirrored_cents], [5000, 5300])
    assert.deepEqual(await breaksOf(market), [])
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })

  test('is not a break in its first hour, whichever side lacks it', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    const agent = await market.agent()
    await market.fund(agent.id, 900)
    const line = await strayPayment(market, 600)
    await market.settle()

    const first = await reconcileAfter(market, 5 * MINUTE)
    const none = await breaksOf(market)
    await reconcileAfter(market, 65 * MINUTE)

    assert.deepEqual(first.unexplained, [900 + line.net, 0, 0])
    assert.deepEqual(none, [])
    const [break1] = await breaksOf(market)
    assert.match(break1!, /^suspense/)
    assert.equal((await breaksOf(market)).length, 2)
  })
})

describe('a cent that only one side has', () => {
  test('is found, ages, stops payouts after a day, and resumes them when it is explained', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    const agent = await market.agent()
    await market.fund(agent.id, 1)

    const ages = []
    for (const ms of [5 * MINUTE, 2 * HOUR, DAY])
      ages.push([(await reconcileAfter(market, ms)).unexplained, await off(market)])
    const found = await openBreaks(market.db.reader)
    await market.server.db.shards.global.transaction((tx) =>
      explainBreak(tx, { breakId: found[0]!.id, words: 'a test', operator: 'ada' }),
    )
    const explained = await reconcileAfter(market, 5 * MINUTE)

    assert.deepEqual(ages, [
      [[1, 0, 0], []],
      [[0, 1, 0], []],
      [
        [0, 0, 1],
        ['payouts', 'withdrawals'],
      ],
    ])
    assert.deepEqual(
      found.map(({ kind, amount_cents }) => [kind, amount_cents]),
      [['unmatched_line', -1]],
    )
    assert.deepEqual(explained.unexplained, [0, 0, 0])
    assert.deepEqual(await off(market), [])
    assert.equal((await breaksOf(market)).length, 1)
  })

  test('that left without a reason stays unexplained in suspense until it is booked as ours', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    await market.sandbox.control('POST', 'odd', { amount: -1, type: 'reserved_funds' })
    await market.settle()
    const [line] = await movements(market)
    const transactionId = line!.id as string

    const young = await reconcileAfter(market, 20 * MINUTE)
    const old = await reconcileAfter(market, DAY)
    const stopped = await off(market)
    const db = market.server.db.shards.global
    await db.transaction((tx) => takeAsOurs({ db, tx }, { transactionId, now: market.now() }))
    const over = await reconcileAfter(market, 5 * MINUTE)

    assert.deepEqual(
      [young.unexplained, old.unexplained],
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
    )
    assert.deepEqual(stopped, ['payouts', 'withdrawals'])
    assert.deepEqual(over.unexplained, [0, 0, 0])
    assert.deepEqual([await breaksOf(market), await off(market)], [[], []])
    const [closed] = await market.asOwner('select kind, closed_at from money_breaks')
    assert.deepEqual(closed, { kind: 'suspense', closed_at: market.now() })
  })

  test('does not offset one that is missing elsewhere', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    const agent = await market.agent()
    await market.fund(agent.id, 5)
    await market.sandbox.control('POST', 'odd', { amount: 5, type: 'contribution' })

    const run = await reconcileAfter(market, 5 * MINUTE)

    assert.equal(run.processor_cents, run.ledger_cents)
    assert.deepEqual(run.unexplained, [10, 0, 0])
  })

  test('of a wrong amount is one difference, and disappears when the amount is right', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    await market.settle()
    await reconcileAfter(market, MINUTE)
    const [line] = await movements(market)
    const change = (cents: number) =>
      market.asOwner(
        `update balance_transactions set net_cents = net_cents + $2, matched_at = null where id = $1`,
        [line!.id, cents],
      )
    await change(3)

    const wrong = await reconcileAfter(market, 2 * HOUR)
    const found = await breaksOf(market)
    await change(-3)
    const right = await reconcileAfter(market, MINUTE)

    // The mirror shows more than the ledger, and more than the balance that it should add up to.
    assert.deepEqual(found, ['balance_differs processor -3', `wrong_amount ${line!.id} 3`])
    assert.deepEqual(wrong.unexplained, [3, 3, 0])
    assert.deepEqual(right.unexplained, [0, 0, 0])
    assert.deepEqual(await breaksOf(market), [])
  })

  test('is unexplained again if it grows after an explanation', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    const stray = (net: number) =>
      market.asOwner(
        `insert into balance_transactions (id, type, reporting_category, amount_cents, fee_cents, net_cents, currency,
           created_at, available_on, mirrored_at, matched_at)
         values ('txn_planted_' || random(), 'charge', 'charge', $1, 0, $1, 'usd', $2, $2, $2, $2)`,
        [net, new Date(market.now().getTime() - HOUR)],
      )
    await stray(1)
    await reconcileAfter(market, MINUTE)
    const [found] = await openBreaks(market.db.reader)
    const explain = () =>
      market.server.db.shards.global.transaction((tx) =>
        explainBreak(tx, { breakId: found!.id, words: 'rounding', operator: 'ada' }),
      )

    await explain()
    const same = await reconcileAfter(market, MINUTE)
    await stray(1)
    const other = await reconcileAfter(market, MINUTE)

    assert.equal(found!.kind, 'balance_differs')
    assert.deepEqual(same.unexplained, [0, 0, 0])
    assert.deepEqual(other.unexplained, [2, 0, 0])
    // Its age counts from its first cent.
    assert.deepEqual((await reconcileAfter(market, DAY)).unexplained, [0, 0, 2])
    await market.asOwner(`delete from balance_transactions where id like 'txn_planted_%'`)
  })

  test('that appeared late in the list is found by the daily run', async () => {
    const market = await openBooks()
    await topUp(market, 50_000)
    await market.sandbox.control('POST', 'fees', { amount: 30 })
    await market.settle()
    const [line] = await movements(market)
    await reconcileAfter(market, MINUTE)
    await reconcileAfter(market, 3 * HOUR)
    // Simulates that the list did not contain it then.
    await market.asOwner('delete from balance_transactions where id = $1', [line!.id])
    await market.asOwner('delete from processor_matches where balance_transaction_id = $1', [
      line!.id,
    ])

    const often = await reconcileAfter(market, MINUTE)
    market.advance(MINUTE)
    await reconcileDeeply.run({ ...market.background, payload: {} })

    const [daily] = await market.asOwner('select * from reconciliations order by at desc limit 1')
    assert.equal(often.mirrored_cents, 50_000)
    assert.equal(Number(daily!.mirrored_cents), 49_970)
    assert.deepEqual(await breaksOf(market), [])
  })
})

describe('own funds', () => {
  test('below zero stop free tasks and withdrawals, and recover automatically', async () => {
    const market = await openBooks()
    const agent = await market.agent()
    // We must pay the fee of 175, and we have nothing.
    await market.deposit(agent, 5000)

    const poor = await reconcileAfter(market, MINUTE)
    const stopped = await off(market)
    const found = await breaksOf(market)
    const task = { description: 'Look', budget_cents: 500 }
    const paid = await agent.post('/tasks', task)
    await topUp(market, 1000)
    const rich = await reconcileAfter(market, MINUTE)
    const free = await agent.post('/tasks', task)

    assert.deepEqual([poor.own_funds_cents, rich.own_funds_cents], [-175, 825])
    assert.deepEqual(stopped, ['free_tasks', 'withdrawals'])
    assert.deepEqual(found, ['own_funds platform -175'])
    assert.deepEqual([paid.body.task.funding, free.body.task.funding], ['wallet', 'free'])
    assert.deepEqual([await off(market), await breaksOf(market)], [[], []])
  })

  test('are what remains after all debts, with free tasks as a debt of ours', async () => {
    const market = await openBooks()
    await topUp(market, 10_000)
    const agent = await market.agent()
    await agent.post('/tasks', { description: 'Look', budget_cents: 1500 })
    await strayPayment(market, 2000)
    await market.settle()
    await market.sandbox.control('POST', 'odd', { amount: -400, type: 'reserved_funds' })

    const run = await reconcileAfter(market, 20 * MINUTE)

    // Money that left without a reason is lost; it is not offset against money that came in without one.
    const fee = 88
    assert.equal(run.own_funds_cents, 10_000 - 1500 - fee - 400)
  })
})

describe('the switches', () => {
  const fine = { own_funds_cents: 0, unexplained_day_cents: 0 }

  test('are on while all is right', () => {
    assert.deepEqual(switchesOff(fine), {})
  })

  test('give the reason why they are off', () => {
    assert.deepEqual(switchesOff({ own_funds_cents: -1, unexplained_day_cents: 0 }), {
      free_tasks: 'own funds are -$0.01, below zero',
      withdrawals: 'own funds are -$0.01, below zero',
    })
    assert.deepEqual(switchesOff({ own_funds_cents: 5, unexplained_day_cents: 120 }), {
      payouts: '$1.20 has been unexplained for more than a day',
      withdrawals: '$1.20 has been unexplained for more than a day',
    })
    assert.deepEqual(
      Object.keys(switchesOff({ own_funds_cents: -1, unexplained_day_cents: 1 })).sort(),
      ['free_tasks', 'payouts', 'withdrawals'],
    )
  })

  test('stay off if an operator turned them off; turned on, reconciliation controls them again', async () => {
    const market = await openBooks()
    const turn = (isOn: boolean) =>
      market.server.db.shards.global.transaction((tx) =>
        turnSwitch(tx, {
          name: 'free_tasks',
          isOn,
          reason: 'holiday',
          operator: 'ada',
          now: market.now(),
        }),
      )
    await turn(false)
    await reconcileAfter(market, MINUTE)
    const held = await off(market)
    await turn(true)
    const agent = await market.agent()
    await market.deposit(agent, 5000)
    await reconcileAfter(market, MINUTE)
    const poor = await off(market)
    await turn(true)
    await reconcileAfter(market, MINUTE)

    assert.deepEqual(held, ['free_tasks'])
    assert.deepEqual(poor, ['free_tasks', 'withdrawals'])
    assert.deepEqual(await off(market), ['free_tasks', 'withdrawals'])
  })
})

describe('an overdue item', () => {
  test('includes a chargeback whose evidence is due in three days', async () => {
    const market = await openBooks()
    await topUp(market, 100_000)
    const agent = await market.agent()
    const charge = await chargeOf(market, await market.deposit(agent, 5000))
    await market.sandbox.control('POST', `charges/${charge}/dispute`)
    await market.settle()

    await reconcileAfter(market, MINUTE)
    const early = await breaksOf(market)
    const [row] = await market.asOwner('select due_by from chargebacks')
    const untilDue = (row!.due_by as Date).getTime() - market.now().getTime()
    await reconcileAfter(market, untilDue - 2 * DAY)

    assert.deepEqual(early, [])
    assert.deepEqual(await breaksOf(market), ['stuck chargebacks waiting for evidence 5000'])
  })

  test('is a break by kind and state, with the oldest of them, until it has ended', async () => {
    const market = await openBooks()
    await topUp(market, 100_000)
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 20_000)
    const workers = [await payableWorker(market), await payableWorker(market)]
    const match = 'POST /v1/transfers'
    await market.sandbox.control('POST', 'faults', { match, mode: 'reset_before', times: 1000 })
    for (const worker of workers) await completedBy(agent, [worker])
    await market.settle()

    await reconcileAfter(market, 30 * MINUTE)
    const young = await breaksOf(market)
    await reconcileAfter(market, 40 * MINUTE)
    const [found] = await openBreaks(market.db.reader)
    await market.sandbox.control('DELETE', 'faults')
    await market.settle()
    const run = await reconcileAfter(market, 0)

    assert.deepEqual(young, [])
    assert.equal(found!.subject, 'payouts being sent')
    assert.match(
      found!.detail,
      /^2 payouts \(\$16\.40\) are stuck \(being sent\); the oldest is po_\w{26}$/,
    )
    assert.deepEqual(await breaksOf(market), [])
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })
})

test('a deposit without a notification is in the wallet after one run', async () => {
  const market = await openBooks()
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  const agent = await market.agent()
  const { body } = await agent.post('/wallet/deposit', { amount_cents: 5000 })
  await market.sandbox.pay(body.session_id as string)

  await reconcileAfter(market, MINUTE)

  assert.equal(await market.balance(agent.id), 5000)
  assert.deepEqual(await posted(market, `deposit:${body.transaction_id}:settled`), [
    'deposit: asset:processor_balance > liab:agent_wallet 5000',
  ])
})
