import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { commissionCents, formatCents, splitCents } from './money.ts'

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
      assert.equal(commissionCents(gross), commission)
    })

  test('is 18 % rounded down: never more, and less by under a cent', () => {
    fc.assert(
      fc.property(cents, (gross) => {
        const commission = BigInt(commissionCents(gross)) * 100n

        assert(commission <= BigInt(gross) * 18n)
        assert(commission > BigInt(gross) * 18n - 100n)
      }),
    )
  })

  test('is refused for what is no amount of cents', () => {
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) assert.throws(() => commissionCents(wrong))
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

  test('sums up to the whole; shares differ by a cent at most, the larger ones first', () => {
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
        const commission = commissionCents(budget)

        const paid = splitCents(budget - commission, ways).reduce((sum, share) => sum + share, 0)

        assert.equal(paid + commission, budget)
      }),
    )
  })

  test('is refused over nobody, and of what is no amount of cents', () => {
    assert.throws(() => splitCents(100, 0))
    assert.throws(() => splitCents(-1, 1))
    assert.throws(() => splitCents(1.5, 1))
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
