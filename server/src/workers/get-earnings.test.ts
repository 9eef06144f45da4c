import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { postAnywhere, settle } from '../../test/settled.ts'
import { shardOf } from '../kit/ids.ts'
import {
  type Entry,
  goodwill,
  payoutFailed,
  payoutPaid,
  payoutRequested,
  payoutReversed,
  tip,
} from '../ledger/movements.ts'

const DAY = 86_400_000

const market = await marketplace()
const ago = (days: number) => new Date(market.now().getTime() - days * DAY)
const dateOf = (at: Date) => at.toISOString().slice(0, 10)

const post = (entry: Entry, at?: Date) => postAnywhere(market, entry, at && { at })
const nets = ({ series }: Json) => series.map(({ net_cents }: { net_cents: number }) => net_cents)

describe('GET /worker/earnings', () => {
  test('are zero for a new worker, in the current month', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.get('/worker/earnings')

    assert.equal(status, 200)
    const { series, from, to, ...rest } = body
    assert.deepEqual(rest, {
      period: 'month',
      tz: 'UTC',
      gross_cents: 0,
      commission_cents: 0,
      net_cents: 0,
      pending_cents: 0,
      disputed_cents: 0,
      disputes: [],
      held_cents: 0,
      available_cents: 0,
      in_transit_cents: 0,
      paid_out_cents: 0,
      tasks: 0,
      worked_minutes: 0,
      effective_hourly_cents: null,
      by_type: [],
    })
    assert.equal(from, `${dateOf(market.now()).slice(0, 7)}-01`)
    assert.equal(series[0].label, from)
    assert.equal(series.at(-1).label, to)
    assert(series.length >= 28)
  })

  test('[4.5-earnings] are gross less the commission, by type, with pending and payable money', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    await settle(market, agent, [worker], 'approved', {
      workMinutes: 30,
      fields: { type: 'field_mission', budget_cents: 5000 },
    })
    for (const workMinutes of [20, 40])
      await settle(market, agent, [worker], 'approved', {
        workMinutes,
        fields: { type: 'verification', budget_cents: 2500 },
      })
    await settle(market, agent, [worker], 'submitted', { fields: { budget_cents: 3000 } })
    await settle(market, agent, [worker], 'disputed')

    const { body } = await worker.get('/worker/earnings?period=day')

    assert.equal(body.period, 'day')
    assert.equal(body.gross_cents, 10_000)
    assert.equal(body.commission_cents, 1800)
    assert.equal(body.net_cents, 8200)
    assert.equal(body.pending_cents, 2460)
    assert.equal(body.available_cents, 8200)
    assert.equal(body.paid_out_cents, 0)
    assert.equal(body.tasks, 3)
    assert.equal(body.worked_minutes, 90)
    assert.equal(body.effective_hourly_cents, 5467)
    assert.deepEqual(body.by_type, [
      { type: 'field_mission', tasks: 1, net_cents: 4100 },
      { type: 'verification', tasks: 2, net_cents: 4100 },
    ])
    const hour = body.series.find(({ net_cents }: { net_cents: number }) => net_cents > 0)
    assert.equal(hour.label.slice(0, 13), market.now().toISOString().slice(0, 13))
    assert.deepEqual(
      [hour.gross_cents, hour.commission_cents, hour.net_cents, hour.tasks, hour.pending_cents],
      [10_000, 1800, 8200, 3, 2460],
    )
    assert.equal(body.series.length, 24)
  })

  test('of a task with several workers have each its share of the commission, to the cent', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const workers = [await market.worker(), await market.worker(), await market.worker()]
    // Each in its own year, so that each can be queried separately.
    const budgets = [1000, 2501, 3333, 7]
    for (const [i, budget_cents] of budgets.entries())
      await settle(market, agent, workers, 'approved', {
        at: ago(400 * i),
        fields: { budget_cents },
      })

    for (const [i, budget] of budgets.entries()) {
      const day = dateOf(ago(400 * i))
      const shares = await Promise.all(
        workers.map(async (worker) => {
          const { body } = await worker.get(`/worker/earnings?from=${day}&to=${day}`)
          assert.equal(body.gross_cents - body.commission_cents, body.net_cents)
          return body
        }),
      )
      const total = (what: string) => shares.reduce((sum, share) => sum + share[what], 0)
      assert.equal(total('gross_cents'), budget)
      assert.equal(total('commission_cents'), Math.floor(budget * 0.18))
      if (budget === 1000)
        assert.deepEqual(
          shares.map((share) => [share.gross_cents, share.commission_cents, share.net_cents]),
          [
            [334, 60, 274],
            [333, 60, 273],
            [333, 60, 273],
          ],
        )
    }
  })

  test('follow an approval at once, and match its response', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const { workers } = await market.taskIn(agent, 'completed', {
      type: 'gut_check',
      budget_cents: 3333,
      consensus_count: 2,
    })

    const shares = await Promise.all(
      workers.map(async (worker) => (await worker.get('/worker/earnings?period=day')).body),
    )

    assert.deepEqual(
      shares.map(({ gross_cents, commission_cents, net_cents, available_cents }) => [
        gross_cents,
        commission_cents,
        net_cents,
        available_cents,
      ]),
      [
        [1667, 300, 1367, 1367],
        [1666, 299, 1367, 1367],
      ],
    )
    assert.deepEqual(shares[0]?.by_type, [{ type: 'gut_check', tasks: 1, net_cents: 1367 }])
    assert.equal(shares[0]?.pending_cents, 0)
  })

  test('have no commission on a tip and on the pay of a won appeal', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    const tipped = await settle(market, agent, [worker], 'approved')
    const disputed = await settle(market, agent, [worker], 'disputed')
    const book = { mode: 'live', shard: shardOf(tipped.id) } as const
    await post(
      tip({
        ...book,
        taskId: tipped.id,
        agentId: agent.id,
        tips: [{ workerId: worker.id, cents: 300 }],
      }),
    )
    await post(
      goodwill({
        ...book,
        disputeId: randomUUID(),
        workerId: worker.id,
        taskId: disputed.id,
        amountCents: 2050,
      }),
    )

    const { body } = await worker.get('/worker/earnings?period=day')

    assert.equal(body.gross_cents, 2500 + 300 + 2050)
    assert.equal(body.commission_cents, 450)
    assert.equal(body.net_cents, 2050 + 300 + 2050)
    assert.equal(body.tasks, 2)
    assert.equal(body.available_cents, 4400)
  })

  test('include what was paid out, by payment date, without failed and returned payouts', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    await settle(market, agent, [worker], 'approved', {
      at: ago(500),
      fields: { budget_cents: 100_000 },
    })
    const payout = (amountCents: number) => ({
      mode: 'live' as const,
      shard: shardOf(worker.id),
      payoutId: randomUUID(),
      workerId: worker.id,
      amountCents,
    })
    const [old, paid, failed, waiting, returned] = [10_000, 2000, 300, 40, 5].map(payout)
    await post(payoutRequested(old!), ago(450))
    await post(payoutPaid(old!), ago(449))
    for (const one of [paid!, failed!, waiting!, returned!]) await post(payoutRequested(one))
    await post(payoutPaid(paid!))
    await post(payoutFailed(failed!))
    await post(payoutPaid(returned!))
    await post(payoutReversed({ ...returned!, balanceTransactionId: randomUUID() }))

    const [day, all] = [
      await worker.get('/worker/earnings?period=day'),
      await worker.get(`/worker/earnings?from=${dateOf(ago(600))}`),
    ]

    assert.equal(day.body.paid_out_cents, 2000)
    assert.equal(all.body.paid_out_cents, 12_000)
    assert.equal(day.body.available_cents, 82_000 - 12_000 - 40)
    assert.deepEqual([day.body.net_cents, all.body.net_cents], [0, 82_000])
  })

  test('are grouped by day in the worker’s time zone', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    // 23:30 in Berlin on the eve of the change to summer time; 11:30 the next morning in Auckland.
    await settle(market, agent, [worker], 'approved', { at: new Date('2026-03-28T22:30:00Z') })

    const read = async (tz: string) => {
      const { body } = await worker.get(
        `/worker/earnings?from=2026-03-27&to=2026-03-30&tz=${encodeURIComponent(tz)}`,
      )
      return nets(body)
    }

    assert.deepEqual(await read('Europe/Berlin'), [0, 2050, 0, 0])
    assert.deepEqual(await read('Pacific/Auckland'), [0, 0, 2050, 0])
    assert.deepEqual(await read('America/Los_Angeles'), [0, 2050, 0, 0])
  })

  test('of a period have a step for each hour, day or month', async () => {
    const worker = await market.worker()

    for (const [query, steps, shape] of [
      ['period=day', 24, /^\d{4}-\d\d-\d\dT\d\d:00\+00:00$/],
      ['period=week', 7, /^\d{4}-\d\d-\d\d$/],
      ['period=year', 12, /^\d{4}-\d\d$/],
      ['period=all', 1, /^\d{4}-\d\d$/],
      ['from=2026-10-25&to=2026-10-25&tz=Europe/Paris', 25, /^2026-10-25T\d\d:00\+0[12]:00$/],
      ['from=2024-02-01&to=2024-02-29', 29, /^2024-02-\d\d$/],
      ['from=2020-01-01&to=2025-12-31', 72, /^\d{4}-\d\d$/],
    ] as const) {
      const { status, body } = await worker.get(`/worker/earnings?${query}`)

      assert.equal(status, 200, query)
      assert.equal(body.series.length, steps, query)
      for (const { label } of body.series) assert.match(label, shape)
      assert.equal(body.period, /period=(\w+)/.exec(query)?.[1] ?? 'custom')
    }
  })

  test('default to the worker’s first day and to today if only one day is given', async () => {
    const worker = await market.worker()
    const today = dateOf(market.now())

    const [to, from] = [
      await worker.get(`/worker/earnings?to=${dateOf(ago(-3))}`),
      await worker.get(`/worker/earnings?from=${dateOf(ago(3))}`),
    ]

    assert.equal(to.body.from, today)
    assert.equal(from.body.to, today)
  })

  test('include only the worker’s own', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const [mine, other] = [await market.worker(), await market.worker()]
    await settle(market, agent, [other], 'approved')

    const { body } = await mine.get('/worker/earnings?period=day')

    assert.deepEqual([body.net_cents, body.available_cents, body.tasks], [0, 0, 0])
  })

  for (const [query, path] of [
    ['period=decade', 'period'],
    ['tz=Mars/Olympus', 'tz'],
    ['tz=%2B02:00', 'tz'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=2026-02-01T00:00:00Z', 'to'],
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=2000-01-01&to=2026-01-01', 'from'],
  ] as const)
    test(`400 for ${query}`, async () => {
      const worker = await market.worker()

      const { status, body } = await worker.get(`/worker/earnings?${query}`)

      assert.equal(status, 400)
      assert.equal(body.details[0].path, path)
    })

  test('401 without a token', async () => {
    assert.equal((await market.call('GET', '/worker/earnings')).status, 401)
  })
})
