import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { centsOf, dateOf, day, dollars, moment, shortId, words } from './wording.ts'

const AMOUNTS = [
  [0, '$0.00'],
  [5, '$0.05'],
  [123_456, '$1,234.56'],
  [100_000_000, '$1,000,000.00'],
  [-50, '−$0.50'],
] as const

for (const [cents, text] of AMOUNTS)
  test(`${cents} cents are shown as ${text}`, () => assert.equal(dollars(cents), text))

test('an amount is parsed to the exact cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
      assert.equal(centsOf(dollars(cents)), cents)
      assert.equal(centsOf(dollars(cents).replaceAll(/[$,]/g, '')), cents)
    }),
  )
})

test('a partial amount is completed, and an invalid one is refused', () => {
  assert.equal(centsOf(' 12.5 '), 1250)
  assert.equal(centsOf('7'), 700)
  for (const typed of ['', '-1', '1.234', '1e3', 'ten', '12,50', '1,2345', '.5', '$', 'NaN'])
    assert.equal(centsOf(typed), undefined, typed)
})

test('times are in UTC for every format of the API', () => {
  assert.equal(moment(dateOf(1_700_000_000)), 'Nov 14, 22:13:20')
  assert.equal(day(dateOf('2026-01-02T23:59:59.000Z')), 'Jan 2, 2026')
})

test('states are shown as words, and long ids keep both ends', () => {
  assert.equal(words('needs_response'), 'Needs response')
  assert.equal(shortId('ch_1'), 'ch_1')
  assert.equal(shortId('cs_test_0123456789abcdefXYZ'), 'cs_test_01234…defXYZ')
})
