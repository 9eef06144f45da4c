import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Stop } from './exit.ts'
import { dollars, readCents, readSpanMs, span } from './words.ts'

describe('money', () => {
  test('is shown with its cents', () => {
    assert.deepEqual([0, 5, 500, -120, 123_456_789].map(dollars), [
      '$0.00',
      '$0.05',
      '$5.00',
      '-$1.20',
      '$1,234,567.89',
    ])
  })

  test('is parsed to the cent, in dollars or in cents', () => {
    const read = ['5.00', '$5', '$5.05', '500c', '0.29', '1.15'].map((text) =>
      readCents(text, '--b'),
    )

    assert.deepEqual(read, [500, 500, 505, 500, 29, 115])
  })

  for (const text of ['500', '5', '5.0', '-5.00', '5,00', '1e3', '', '$', '5.001', ' 5.00'])
    test(`${JSON.stringify(text)} is refused as ambiguous`, () => {
      assert.throws(() => readCents(text, '--budget'), Stop)
    })
})

describe('durations', () => {
  test('are parsed and printed', () => {
    assert.deepEqual(
      ['90s', '30m', '2h', '1d'].map((text) => readSpanMs(text, '--wait')),
      [90_000, 1_800_000, 7_200_000, 86_400_000],
    )
    assert.deepEqual([900, 59_000, 60_000, 7_500_000, 7_200_000, 172_800_000].map(span), [
      '1 s',
      '59 s',
      '1 min',
      '2 h 5 min',
      '2 h',
      '2 d',
    ])
    assert.throws(() => readSpanMs('soon', '--wait'), Stop)
  })
})
