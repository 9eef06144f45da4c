import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  COMMISSION_BASIS_POINTS,
  commissionCents,
  formatCents,
  splitByWeight,
  splitCents,
} from './money.ts'

const cents = fc.integer({ min: 0, max: 25_000_000 })

describe('the commission', () => {
  for (const [gross, commission] of [
    [0, 0],
    [1, 0],
    [5, 0],
    [6, 1],
    [99, 17],
    [100, 18],
    [300, 54],
    [333, 59],
    [1000, 180],
    [1_000_000, 180_000],
  ] as const)
    test(`of ${gross} cents is ${commission}`, () => {
      assert.equal(commissionCents(gross, 1800), commission)
    })

  test('is 18% rounded down: never more, and less by under a cent', () => {
    fc.assert(
      fc.property(cents, (gross) => {
        const commission = BigInt(commissionCents(gross, COMMISSION_BASIS_POINTS)) * 100n

        assert(commission <= BigInt(gross) * 18n)
        assert(commission > BigInt(gross) * 18n - 100n)
      }),
    )
  })

  test('is refused for an invalid amount of cents', () => {
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53])
      assert.throws(() => commissionCents(wrong, COMMISSION_BASIS_POINTS))
  })

  test('is refused for an invalid rate', () => {
    for (const wrong of [-1, 0.5, Number.NaN, 10_001])
      assert.throws(() => commissionCents(100, wrong))
  })

  test('at any rate is rounded down: never more, and less by under a cent', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (gross, basisPoints) => {
        const commission = BigInt(commissionCents(gross, basisPoints)) * 10_000n
        const exact = BigInt(gross) * BigInt(basisPoints)

        assert(commission <= exact)
        assert(commission > exact - 10_000n)
      }),
    )
  })
})

describe('a split', () => {
  for (const [total, ways, shares] of [
    [820, 1, [820]],
    [820, 3, [274, 273, 273]],
    [821, 3, [274, 274, 273]],
    [2, 3, [1, 1, 0]],
    [0, 2, [0, 0]],
  ] as const)
    test(`of ${total} cents over ${ways} is ${shares.join(', ')}`, () => {
      assert.deepEqual(splitCents(total, ways), shares)
    })

  test('sums up to the total; shares differ by a cent at most, the larger ones first', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 25 }), (total, ways) => {
        const shares = splitCents(total, ways)

        assert.equal(shares.length, ways)
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          total,
        )
        assert(shares[0]! - shares.at(-1)! <= 1)
        assert.deepEqual(
          shares,
          shares.toSorted((a, b) => b - a),
        )
      }),
    )
  })

  test('of a budget loses nothing between the commission and the workers', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 25 }), (budget, ways) => {
        const commission = commissionCents(budget, COMMISSION_BASIS_POINTS)

        const paid = splitCents(budget - commission, ways).reduce((sum, share) => sum + share, 0)

        assert.equal(paid + commission, budget)
      }),
    )
  })

  test('is refused for nobody, and for an invalid amount', () => {
    assert.throws(() => splitCents(100, 0))
    assert.throws(() => splitCents(-1, 1))
    assert.throws(() => splitCents(1.5, 1))
  })
})

describe('a split by weight', () => {
  for (const [total, weights, shares] of [
    [820, [100], [820]],
    [820, [100, 100, 100], [274, 273, 273]],
    [683, [100, 100, 50], [273, 273, 137]],
    [100, [50, 100], [33, 67]],
    [101, [50, 100, 50], [25, 51, 25]],
    [1, [50, 100], [0, 1]],
    [10, [0, 1], [0, 10]],
    [0, [1, 2], [0, 0]],
  ] as const)
    test(`of ${total} cents by ${weights.join(', ')} is ${shares.join(', ')}`, () => {
      assert.deepEqual(splitByWeight(total, [...weights]), shares)
    })

  const weights = fc
    .array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 25 })
    .filter((list) => list.some((weight) => weight > 0))

  test('loses nothing; every share is within a cent of the exact value', () => {
    fc.assert(
      fc.property(cents, weights, (total, list) => {
        const all = BigInt(list.reduce((sum, weight) => sum + weight, 0))

        const shares = splitByWeight(total, list)

        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          total,
        )
        shares.forEach((share, i) => {
          const off = BigInt(share) * all - BigInt(total) * BigInt(list[i]!)
          assert(-all < off && off < all, `${share} for the weight ${list[i]}`)
        })
      }),
    )
  })

  test('gives the heavier no less, and the odd cent to the first of equals', () => {
    fc.assert(
      fc.property(cents, weights, (total, list) => {
        const shares = splitByWeight(total, list)

        for (const [i, share] of shares.entries())
          for (const [j, other] of shares.entries())
            if (list[i]! > list[j]! || (list[i] === list[j] && i < j)) assert(share >= other)
      }),
    )
  })

  test('by equal weights is the plain split', () => {
    fc.assert(
      fc.property(
        cents,
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 100 }),
        (total, ways, weight) => {
          const list = Array.from({ length: ways }, () => weight)

          assert.deepEqual(splitByWeight(total, list), splitCents(total, ways))
        },
      ),
    )
  })

  test('is refused for nobody, and for an invalid amount or weight', () => {
    assert.throws(() => splitByWeight(100, []))
    assert.throws(() => splitByWeight(100, [0, 0]))
    assert.throws(() => splitByWeight(100, [2, -1]))
    assert.throws(() => splitByWeight(100, [0.5]))
    assert.throws(() => splitByWeight(-1, [1]))
    assert.throws(() => splitByWeight(2 ** 52, [100]))
  })
})

describe('cents as text', () => {
  for (const [amount, text] of [
    [0, '$0.00'],
    [5, '$0.05'],
    [1234, '$12.34'],
    [-100, '-$1.00'],
    [-7, '-$0.07'],
    [100_000_000, '$1000000.00'],
  ] as const)
    test(`${amount} is ${text}`, () => {
      assert.equal(formatCents(amount), text)
    })
})
