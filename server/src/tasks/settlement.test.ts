import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { escrowRelease } from '../ledger/movements.ts'
import {
  cancelCompensationCents,
  type Outcome,
  percentOf,
  settle as settleAtRate,
} from './settlement.ts'

const commissionBasisPoints = 1800
const settle = (of: Omit<Parameters<typeof settleAtRate>[0], 'commissionBasisPoints'>) =>
  settleAtRate({ ...of, commissionBasisPoints })

const people = (outcomes: string) =>
  Array.from(outcomes).map((letter, i) => ({
    workerId: `w${i}`,
    outcome: (letter === 'd' ? 'done' : 'not_possible') as Outcome,
  }))

describe('an approval pays', () => {
  // d: done, n: not possible
  const TABLE: [
    locked: number,
    slots: number,
    outcomes: string,
    gross: number,
    commission: number,
    nets: number[],
  ][] = [
    [500, 1, 'd', 500, 90, [410]],
    [1000, 3, 'ddd', 1000, 180, [274, 273, 273]],
    [1000, 3, 'dd', 666, 119, [274, 273]],
    [1000, 3, 'dnd', 833, 149, [274, 137, 273]],
    [1000, 1, 'n', 500, 90, [410]],
    [1000, 2, 'nn', 500, 90, [205, 205]],
    [1000, 9, 'ddd', 333, 59, [92, 91, 91]],
    [3, 5, 'ddddd', 3, 0, [1, 1, 1, 0, 0]],
    [1, 1, 'n', 0, 0, [0]],
    [1000, 3, '', 0, 0, []],
    [1_000_000, 25, 'd'.repeat(25), 1_000_000, 180_000, Array.from({ length: 25 }, () => 32_800)],
  ]
  for (const [lockedCents, slots, outcomes, gross, commission, nets] of TABLE)
    test(`of ${lockedCents} cents for ${slots}, proved by "${outcomes}": ${gross} less ${commission}`, () => {
      const settlement = settle({ lockedCents, slots, workers: people(outcomes) })

      assert.deepEqual(settlement, {
        gross_cents: gross,
        commission_cents: commission,
        refunded_cents: lockedCents - gross,
        workers: nets.map((net_cents, i) => ({ worker_id: `w${i}`, net_cents })),
      })
    })

  test('another share than half if that is configured', () => {
    const of = { lockedCents: 1000, slots: 1, workers: people('n') }

    assert.equal(settle({ ...of, notPossiblePercent: 0 }).refunded_cents, 1000)
    assert.equal(settle({ ...of, notPossiblePercent: 0 }).workers[0]!.net_cents, 0)
    assert.equal(settle({ ...of, notPossiblePercent: 100 }).workers[0]!.net_cents, 820)
  })

  test('less the commission at the rate of the task', () => {
    const of = { lockedCents: 1000, slots: 3, workers: people('dnd') }
    const feesAndNets = [0, 1250, 2500, 10_000].map((basisPoints) => {
      const paid = settleAtRate({ ...of, commissionBasisPoints: basisPoints })
      return [paid.commission_cents, ...paid.workers.map(({ net_cents }) => net_cents)]
    })

    assert.deepEqual(feesAndNets, [
      [0, 333, 167, 333],
      [104, 292, 146, 291],
      [208, 250, 125, 250],
      [833, 0, 0, 0],
    ])
  })

  test('no more workers than the budget was for', () => {
    assert.throws(() => settle({ lockedCents: 100, slots: 1, workers: people('dd') }))
  })
})

const budgets = fc.integer({ min: 0, max: 25_000_000 })
const tasks = fc.integer({ min: 1, max: 25 }).chain((slots) =>
  fc.tuple(
    fc.constant(slots),
    fc
      .array(fc.constantFrom('d', 'n'), { maxLength: slots })
      .map((letters) => people(letters.join(''))),
  ),
)
const total = (list: { net_cents: number }[]) => list.reduce((sum, one) => sum + one.net_cents, 0)

describe('any settlement', () => {
  test('loses nothing', () => {
    fc.assert(
      fc.property(budgets, tasks, (lockedCents, [slots, workers]) => {
        const paid = settle({ lockedCents, slots, workers })

        assert.equal(
          total(paid.workers) + paid.commission_cents + paid.refunded_cents,
          workers.length === 0 ? paid.refunded_cents : lockedCents,
        )
        assert.equal(paid.gross_cents + paid.refunded_cents, lockedCents)
        assert.equal(
          BigInt(paid.commission_cents),
          (BigInt(paid.gross_cents) * 18n) / 100n,
          'rounded down',
        )
        assert(paid.workers.every(({ net_cents }) => Number.isSafeInteger(net_cents)))
      }),
    )
  })

  test('pays everyone their exact share of the net, to less than a cent', () => {
    fc.assert(
      fc.property(budgets, tasks, (lockedCents, [slots, workers]) => {
        const paid = settle({ lockedCents, slots, workers })
        const net = BigInt(paid.gross_cents - paid.commission_cents)
        const all = BigInt(workers.reduce((sum, { outcome }) => sum + percentOf(outcome), 0))

        for (const [i, { net_cents }] of paid.workers.entries()) {
          const off = BigInt(net_cents) * all - net * BigInt(percentOf(workers[i]!.outcome))
          assert(-all < off && off < all)
        }
      }),
    )
  })

  test('of a filled and done task pays the whole budget', () => {
    fc.assert(
      fc.property(budgets, fc.integer({ min: 1, max: 25 }), (lockedCents, slots) => {
        const paid = settle({ lockedCents, slots, workers: people('d'.repeat(slots)) })

        assert.equal(paid.gross_cents, lockedCents)
        assert.equal(paid.refunded_cents, 0)
      }),
    )
  })

  test('pays a worker who did it no less than one who could not, and the first of equals no less', () => {
    fc.assert(
      fc.property(budgets, tasks, (lockedCents, [slots, workers]) => {
        const nets = settle({ lockedCents, slots, workers }).workers.map((one) => one.net_cents)
        const of = (outcome: Outcome) => nets.filter((_, i) => workers[i]!.outcome === outcome)

        for (const group of [of('done'), of('not_possible')]) {
          assert.deepEqual(
            group,
            group.toSorted((a, b) => b - a),
          )
          if (group.length > 0) assert(group[0]! - group.at(-1)! <= 1)
        }
        assert(Math.min(...of('done')) >= Math.max(...of('not_possible')))
      }),
    )
  })

  test('of a larger budget pays no less, to the cent for equal outcomes', () => {
    fc.assert(
      fc.property(budgets, fc.nat(1000), tasks, (lockedCents, more, [slots, workers]) => {
        const less = settle({ lockedCents, slots, workers })
        const larger = settle({ lockedCents: lockedCents + more, slots, workers })

        assert(larger.gross_cents >= less.gross_cents)
        assert(total(larger.workers) >= total(less.workers))
        // With unequal shares, rounding may move one cent between workers.
        const slack = new Set(workers.map(({ outcome }) => outcome)).size > 1 ? 1 : 0
        for (const [i, { net_cents }] of larger.workers.entries())
          assert(net_cents >= less.workers[i]!.net_cents - slack)
      }),
    )
  })

  test('equals what the ledger posts', () => {
    fc.assert(
      fc.property(budgets, tasks, (lockedCents, [slots, workers]) => {
        fc.pre(lockedCents > 0 && workers.length > 0)
        const paid = settle({ lockedCents, slots, workers })
        const { lines } = escrowRelease({
          mode: 'live',
          shard: 1,
          taskId: 't',
          agentId: 'a',
          funding: 'wallet',
          lockedCents,
          commissionBasisPoints,
          grossCents: paid.gross_cents,
          workerIds: workers.map(({ workerId }) => workerId),
          percents: workers.map(({ outcome }) => percentOf(outcome)),
        })
        const posted = (credit: string) =>
          lines.filter((line) => line.credit === credit).map((line) => line.amountCents)

        assert.deepEqual(
          posted('liab:worker_payable'),
          paid.workers.map((one) => one.net_cents).filter((cents) => cents > 0),
        )
        assert.deepEqual(posted('rev:commission'), [paid.commission_cents].filter(Boolean))
        assert.deepEqual(posted('agent'), [paid.refunded_cents].filter(Boolean))
      }),
    )
  })
})

describe('the compensation for a canceled task', () => {
  for (const [share, cents] of [
    [0, 0],
    [1, 1],
    [99, 99],
    [100, 100],
    [101, 100],
    [333, 100],
    [336, 100],
    [337, 101],
    [1000, 300],
    [1001, 300],
    [1_000_000, 300_000],
  ] as const)
    test(`of a share of ${share} cents is ${cents}`, () => {
      assert.equal(cancelCompensationCents(share), cents)
    })

  test('has another rate if that is configured', () => {
    assert.equal(cancelCompensationCents(1000, 50), 500)
    assert.equal(cancelCompensationCents(1000, 5), 100)
  })

  test('is at most the share and at least 30% of it rounded down, and grows with it', () => {
    fc.assert(
      fc.property(budgets, (share) => {
        const cents = cancelCompensationCents(share)

        assert(cents <= share)
        assert(cents >= Math.min(100, share))
        assert(BigInt(cents) >= (BigInt(share) * 30n) / 100n)
        assert(cancelCompensationCents(share + 1) >= cents)
      }),
    )
  })
})
