import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelStep, ticksUpTo } from './ticks.ts'

describe('the ticks of a chart', () => {
  for (const [largest, ticks] of [
    [0, [0, 100]],
    [99, [0, 100]],
    [410, [0, 200, 400, 600]],
    [3_450, [0, 1000, 2000, 3000, 4000]],
    [10_000, [0, 5000, 10_000]],
    [12_295, [0, 5000, 10_000, 15_000]],
  ] as const)
    test(`up to ${largest} cents are ${ticks.join(', ')}`, () => {
      assert.deepEqual(ticksUpTo(largest, { least: 100 }), ticks)
    })

  test('are at most five and cover the largest value', () => {
    for (let largest = 1; largest < 1_000_000; largest = Math.ceil(largest * 1.07)) {
      const ticks = ticksUpTo(largest, { least: 100 })
      assert(ticks.length <= 5, `${largest}: ${ticks.join(' ')}`)
      assert(ticks.at(-1)! >= largest)
    }
  })

  test('labels wider than their bars are shown at every second, third, … bar', () => {
    assert.equal(labelStep(2, 3), 1)
    assert.equal(labelStep(2, 1.5), 2)
    assert.equal(labelStep(2, 0.4), 5)
  })
})
