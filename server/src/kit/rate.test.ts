import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rateOf, typicalOf } from './rate.ts'

describe('a rate', () => {
  for (const [part, cases, rate] of [
    [0, 0, null],
    [1, 1, null],
    [4, 4, null],
    [5, 5, 1],
    [0, 5, 0],
    [3, 6, 0.5],
  ] as const)
    test(`of ${part} out of ${cases} is ${rate}`, () => assert.equal(rateOf(part, cases), rate))
})

test('a typical time is told from five cases on', () => {
  assert.deepEqual(
    [typicalOf(60, 0), typicalOf(60, 4), typicalOf(60, 5), typicalOf(null, 9)],
    [null, null, 60, null],
  )
})
